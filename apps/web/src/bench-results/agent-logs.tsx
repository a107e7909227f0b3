import { operations } from '@flamegate/contract'
import { useState } from 'react'
import { useAnswer } from '../api.ts'
import { Answer } from '../components/answer.tsx'
import { SkeletonBlock } from '../components/skeleton.tsx'

interface Props {
  benchResultId: string
  isLive: boolean
}

/** What agents say of their work, to be unfolded; their last lines, while a load test goes on. */
export function AgentLogs({ benchResultId, isLive }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="mt-3" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-link">Logs of the agents</summary>
      {isOpen ? <Logs benchResultId={benchResultId} isLive={isLive} /> : null}
    </details>
  )
}

function Logs({ benchResultId, isLive }: Props) {
  const query = useAnswer(
    operations.getAgentLogs,
    { bench_result_id: benchResultId },
    { pollWhile: () => isLive },
  )
  return (
    <Answer query={query} skeleton={<SkeletonBlock height="6rem" />}>
      {({ logs }) =>
        logs.length === 0 ? (
          <p className="mt-2 text-muted">They said nothing.</p>
        ) : (
          logs.map(({ slot, lines, line_count: count }) => (
            <figure key={slot} className="mt-2">
              <figcaption className="text-sm text-muted">
                Slot {slot}
                {count > lines.length ? `, the last ${lines.length} of ${count} lines` : ''}
              </figcaption>
              <pre
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- larger than its place, and scrolled by keys
                tabIndex={0}
                aria-label={`Log of slot ${slot}`}
                className="mt-1 max-h-80 overflow-auto rounded-lg border border-line bg-surface p-3 text-sm"
              >
                {lines.join('\n')}
              </pre>
            </figure>
          ))
        )
      }
    </Answer>
  )
}
