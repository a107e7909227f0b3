import { Badge } from '../components/badge.tsx'
import { When } from '../components/when.tsx'

interface Props {
  /** A notification or a webhook. */
  of: { is_active: boolean; failing_since: string | null }
}

/** Whether messages are sent, and since when they do not arrive. */
export function SendingState({ of: { is_active: isActive, failing_since: failingSince } }: Props) {
  if (!isActive) return <Badge>off</Badge>
  if (failingSince === null) return <Badge tone="better">on</Badge>
  return (
    <span className="inline-flex items-center gap-2">
      <Badge tone="caution">failing</Badge>
      <span className="text-sm whitespace-nowrap text-muted">
        since <When at={failingSince} />
      </span>
    </span>
  )
}
