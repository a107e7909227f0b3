import type { AnswerOf, operations } from '@flamegate/contract'
import { asReported, parseThreshold } from '@flamegate/loadtest/scenario'
import { Badge, type Tone } from '../components/badge.tsx'
import { Section } from '../components/section.tsx'
import { formatValue } from '../reports/format-value.ts'

type Judged = AnswerOf<typeof operations.getBenchResult>['thresholds'][number]

const looks: Record<Judged['state'], { tone: Tone; words: string }> = {
  passed: { tone: 'better', words: 'kept' },
  breached: { tone: 'worse', words: 'breached' },
  no_data: { tone: 'plain', words: 'not measured' },
}

/** The thresholds of a scenario, and what was measured of them. */
export function ThresholdResults({ thresholds }: { thresholds: readonly Judged[] }) {
  if (thresholds.length === 0) return null
  return (
    <Section title="Thresholds">
      <ThresholdList thresholds={thresholds} />
    </Section>
  )
}

/** The same without a title; nothing when there are none. */
export function ThresholdList({ thresholds }: { thresholds: readonly Judged[] }) {
  if (thresholds.length === 0) return null
  return (
    <ul
      aria-label="Thresholds"
      className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-4 printed:p-3"
    >
      {thresholds.map(({ text, state, value }) => (
        <li key={text} className="flex break-inside-avoid flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={looks[state].tone}>{looks[state].words}</Badge>
          <span className="min-w-0 break-words">{text}</span>
          {value === null ? null : (
            <span className="text-muted">
              measured <strong className="font-medium text-text">{measuredWords(text, value)}</strong>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function measuredWords(text: string, value: number): string {
  const { value: reported, unit } = asReported(parseThreshold(text).metric, value)
  return formatValue(reported, unit)
}
