import { reportRunsMax } from '@flamegate/loadtest/report'
import { BenchState } from '../bench-results/bench-state.tsx'
import { Checkbox } from '../components/checkbox.tsx'
import { useFieldMessage } from '../components/form-messages.ts'
import { When } from '../components/when.tsx'
import { useBenchRuns } from './use-bench-runs.ts'

interface Props {
  projectId: string
  /** Ids, in the order in which they were chosen. */
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** The load tests of a project, of which some are ticked; the one that was first is what the others are compared with. */
export function RunChoice({ projectId, chosen, onChange }: Props) {
  const runs = useBenchRuns(projectId)
  const message = useFieldMessage('bench_result_ids')
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Load tests</legend>
      {runs.length === 0 ? <p className="text-muted">There are none yet.</p> : null}
      <ul className="flex max-h-64 flex-col gap-2 overflow-y-auto rounded-md border border-line p-3">
        {runs.map((run) => (
          <li key={run.id}>
            <Checkbox
              isSelected={chosen.includes(run.id)}
              isDisabled={!chosen.includes(run.id) && chosen.length >= reportRunsMax}
              onChange={(isChosen) =>
                onChange(isChosen ? [...chosen, run.id] : chosen.filter((id) => id !== run.id))
              }
            >
              <span className="flex min-w-0 flex-wrap items-center gap-x-2">
                <span className="break-words">{run.name}</span>
                <BenchState {...run} />
                <span className="text-muted">
                  <When at={run.created_at} />
                </span>
                {chosen[0] === run.id && chosen.length > 1 ? (
                  <span className="text-sm text-muted">what the others are compared with</span>
                ) : null}
              </span>
            </Checkbox>
          </li>
        ))}
      </ul>
      {message === undefined ? null : <p className="text-sm text-worse">{message}</p>}
    </fieldset>
  )
}
