import type { AnswerOf, operations } from '@flamegate/contract'
import { CountTile } from './count-tile.tsx'
import { type Verdict, verdictLooks, verdictOrder } from './verdict.tsx'

interface Props {
  summary: AnswerOf<typeof operations.compareRuns>['summary']
  /** The verdict that the table is narrowed to. */
  chosen: string | undefined
  onChoose: (verdict: Verdict | undefined) => void
}

/** How many benchmarks have which verdict; a press narrows the table to one. */
export function VerdictTiles({ summary, chosen, onChoose }: Props) {
  return (
    <fieldset
      aria-label="Verdicts"
      className="grid min-w-0 grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-3"
    >
      {verdictOrder.map((verdict) => {
        const { tone, icon, words } = verdictLooks[verdict]
        const isChosen = chosen === verdict
        return (
          <CountTile
            key={verdict}
            count={summary[verdict]}
            tone={tone}
            isChosen={isChosen}
            onPress={() => onChoose(isChosen ? undefined : verdict)}
          >
            {icon}
            {words}
          </CountTile>
        )
      })}
    </fieldset>
  )
}
