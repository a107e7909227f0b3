import { Badge, type Tone } from '../components/badge.tsx'

interface Event {
  at: string
  kind: string
  words: string
}

const tones: Readonly<Record<string, Tone>> = {
  state: 'plain',
  agent: 'accent',
  load: 'accent',
  warning: 'caution',
}

/** What happened in a load test, oldest first. */
export function EventList({ events }: { events: readonly Event[] }) {
  if (events.length === 0) return <p className="text-muted">Nothing happened yet.</p>
  return (
    <ol aria-label="Events" className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-4">
      {events.map(({ at, kind, words }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- they are only added to at the end
        <li key={index} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 sm:flex-nowrap">
          <time dateTime={at} className="text-sm whitespace-nowrap text-muted tabular-nums">
            {new Date(at).toLocaleTimeString()}
          </time>
          <Badge tone={tones[kind] ?? 'plain'}>{kind}</Badge>
          <span className="min-w-0 break-words">{words}</span>
        </li>
      ))}
    </ol>
  )
}
