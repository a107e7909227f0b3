import { type ChangeState, changeStates, changeTones } from './change-states.ts'

interface Props {
  counts: Readonly<Record<ChangeState, number>>
  /** The state that the table is narrowed to. */
  chosen: ChangeState | undefined
  onChoose: (state: ChangeState | undefined) => void
}

const words: Readonly<Record<ChangeState, string>> = {
  worse: 'Worse',
  added: 'Added',
  better: 'Better',
  removed: 'Removed',
  same: 'The same',
}
const numberColors = {
  plain: 'text-text',
  accent: 'text-accent',
  worse: 'text-worse',
  better: 'text-better',
  caution: 'text-caution',
} as const

/** What became of how many functions; a press narrows the table to one state. */
export function ChangeTiles({ counts, chosen, onChoose }: Props) {
  return (
    <fieldset
      aria-label="States"
      className="grid min-w-0 grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-3 lg:max-w-4xl"
    >
      {changeStates.map((state) => {
        const isChosen = chosen === state
        return (
          <button
            key={state}
            type="button"
            aria-pressed={isChosen}
            disabled={counts[state] === 0 && !isChosen}
            onClick={() => onChoose(isChosen ? undefined : state)}
            className="flex items-baseline gap-2 rounded-lg border border-line bg-surface px-4 py-2 text-left enabled:hover:border-line-strong disabled:text-muted aria-pressed:border-accent aria-pressed:bg-accent-soft"
          >
            <span
              className={`text-xl font-semibold tabular-nums ${counts[state] === 0 ? '' : numberColors[changeTones[state]]}`}
            >
              {counts[state].toLocaleString()}
            </span>
            <span className="text-muted">{words[state]}</span>
          </button>
        )
      })}
    </fieldset>
  )
}
