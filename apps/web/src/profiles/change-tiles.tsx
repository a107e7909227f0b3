import { CountTile } from '../components/count-tile.tsx'
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
          <CountTile
            key={state}
            count={counts[state]}
            tone={changeTones[state]}
            isChosen={isChosen}
            isLow
            onPress={() => onChoose(isChosen ? undefined : state)}
          >
            {words[state]}
          </CountTile>
        )
      })}
    </fieldset>
  )
}
