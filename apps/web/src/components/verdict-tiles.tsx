import type { AnswerOf, operations } from '@flamegate/contract'
import { type Verdict, verdictLooks, verdictOrder } from './verdict.tsx'

interface Props {
  summary: AnswerOf<typeof operations.compareRuns>['summary']
  /** The verdict that the table is narrowed to. */
  chosen: string | undefined
  onChoose: (verdict: Verdict | undefined) => void
}

const numberColors = {
  plain: 'text-text',
  accent: 'text-accent',
  worse: 'text-worse',
  better: 'text-better',
  caution: 'text-caution',
} as const

/** How many benchmarks have which verdict; a press narrows the table to one. */
export function VerdictTiles({ summary, chosen, onChoose }: Props) {
  return (
    <fieldset
      aria-label="Verdicts"
      className="grid min-w-0 grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-3"
    >
      {verdictOrder.map((verdict) => {
        const { tone, icon, words } = verdictLooks[verdict]
        const count = summary[verdict]
        const isChosen = chosen === verdict
        return (
          <button
            key={verdict}
            type="button"
            aria-pressed={isChosen}
            disabled={count === 0 && !isChosen}
            onClick={() => onChoose(isChosen ? undefined : verdict)}
            className="flex flex-col items-start rounded-lg border border-line bg-surface px-4 py-3 text-left enabled:hover:border-line-strong disabled:text-muted aria-pressed:border-accent aria-pressed:bg-accent-soft"
          >
            <span className={`text-2xl font-semibold tabular-nums ${count === 0 ? '' : numberColors[tone]}`}>
              {count.toLocaleString()}
            </span>
            <span className="flex items-center gap-1.5 whitespace-nowrap text-muted">
              {icon}
              {words}
            </span>
          </button>
        )
      })}
    </fieldset>
  )
}
