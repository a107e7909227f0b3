import { Badge } from '../components/badge.tsx'

/** Whether what is monitored answered when it was seen last. */
export function ReachableBadge({ isReachable }: { isReachable: boolean | null }) {
  if (isReachable === null) return <Badge>never seen</Badge>
  return isReachable ? <Badge tone="better">reachable</Badge> : <Badge tone="worse">not reachable</Badge>
}
