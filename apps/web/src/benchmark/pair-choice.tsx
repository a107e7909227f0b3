import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../components/button.tsx'
import type { Point } from './history.ts'

interface Props {
  projectId: string
  /** The run that was kept to compare with. */
  from: Point | undefined
  /** The run that is shown. */
  chosen: Point
  onFrom: (runId: string) => void
}

/** Two runs of a history to compare: one is kept, then another chosen in the chart or the table. */
export function PairChoice({ projectId, from, chosen, onFrom }: Props) {
  if (from === undefined) {
    return <Button onPress={() => onFrom(chosen.run_id)}>Compare this run with another</Button>
  }
  const isSame = from.run_id === chosen.run_id
  return (
    <output className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-accent bg-accent-soft px-4 py-2">
      <span>
        {isSame ? 'Now choose another run to compare with' : 'From'} <RunWords point={from} />
        {isSame ? null : (
          <>
            {' '}
            to <RunWords point={chosen} />
          </>
        )}
      </span>
      <span className="flex gap-2">
        {isSame ? null : (
          <Link
            to="/compare"
            search={{ base: from.run_id, head: chosen.run_id, project: projectId }}
            className={buttonClass('primary')}
          >
            Compare
          </Link>
        )}
        <Button onPress={() => onFrom('')}>Cancel</Button>
      </span>
    </output>
  )
}

function RunWords({ point }: { point: Point }) {
  return (
    <span className="font-medium">
      {point.branch} <code>{point.commit_hash.slice(0, 9)}</code>
    </span>
  )
}
