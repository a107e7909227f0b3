import { type AnswerOf, formatQuantity, type operations } from '@flamegate/contract'
import { Badge, type Tone } from '../components/badge.tsx'
import { Section } from '../components/section.tsx'

export type SlaVerdict = AnswerOf<typeof operations.getBenchResult>['sla'][number]

const tones: Record<SlaVerdict['severity'], Tone> = {
  passed: 'better',
  warning: 'caution',
  critical: 'worse',
}

/** The SLA profiles of what a run is of, and how it did. */
export function SlaResults({ verdicts }: { verdicts: readonly SlaVerdict[] }) {
  if (verdicts.length === 0) return null
  return (
    <Section title="SLA profiles">
      <SlaList verdicts={verdicts} />
    </Section>
  )
}

/** The same without a title; nothing when there are none. */
export function SlaList({ verdicts }: { verdicts: readonly SlaVerdict[] }) {
  if (verdicts.length === 0) return null
  return (
    <ul
      aria-label="SLA profiles"
      className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-4 printed:p-3"
    >
      {verdicts.map(({ sla_profile_id: id, name, of, metric, unit, severity, value, words }) => (
        <li
          key={`${id} ${of} ${metric}`}
          className="flex break-inside-avoid flex-wrap items-center gap-x-3 gap-y-1"
        >
          <Badge tone={tones[severity]}>{severity}</Badge>
          <span className="min-w-0 break-words">
            {name}, {of}: {words}
          </span>
          {value === null ? null : (
            <span className="text-muted">
              measured <strong className="font-medium text-text">{formatQuantity(value, unit)}</strong>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
