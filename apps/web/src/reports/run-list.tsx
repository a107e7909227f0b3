import { reportRunsMax } from '@flamegate/loadtest/report'
import { useContext } from 'react'
import { describeAge } from '../age.ts'
import type { BenchResult } from '../bench-results/bench-state.tsx'
import { IconButton } from '../components/button.tsx'
import { useFieldMessage } from '../components/form-messages.ts'
import { ArrowDown, ArrowUp, CloseIcon } from '../components/icons.tsx'
import { Select } from '../components/select.tsx'
import { useNow } from '../clock.ts'
import { EditingContext } from '../documents/editing.ts'
import type { JsonObject } from '../documents/json.ts'
import { movedRun, removedRun } from './run-places.ts'

interface Props {
  /** The report. */
  document: JsonObject
  ids: readonly string[]
  names: ReadonlyMap<string, string>
  /** Those of the project, newest first. */
  runs: readonly BenchResult[]
}

/** Stands for no run among those that can be added. */
const nothing = 'nothing'

/** The runs that a report is about, in their order: the first is what the others are compared with. */
export function RunList({ document, ids, names, runs }: Props) {
  const { change } = useContext(EditingContext)
  const message = useFieldMessage('/bench_result_ids')
  const nowMs = useNow()
  const nameOf = (id: string) => names.get(id) ?? 'A run that was deleted'
  const others = runs.filter(({ id }) => !ids.includes(id))
  const move = (from: number, to: number) =>
    change(`Moved “${nameOf(ids[from] ?? '')}”`, movedRun(document, from, to))
  return (
    <fieldset className="flex min-w-0 flex-col gap-2 border-l-2 border-line pl-3">
      <legend className="sr-only">Runs</legend>
      <span aria-hidden="true" className="text-sm font-semibold">
        Runs
      </span>
      {message === undefined ? null : <p className="text-sm text-worse">{message}</p>}
      <ol aria-label="Runs" className="flex flex-col gap-1">
        {ids.map((id, index) => (
          <li key={id} className="flex items-center gap-1">
            <span className="min-w-0 grow break-words">
              {nameOf(id)}
              {index === 0 && ids.length > 1 ? (
                <span className="text-muted"> what the others are compared with</span>
              ) : null}
            </span>
            <IconButton
              label={`Move ${nameOf(id)} up`}
              isDisabled={index === 0}
              onPress={() => move(index, index - 1)}
            >
              <ArrowUp />
            </IconButton>
            <IconButton
              label={`Move ${nameOf(id)} down`}
              isDisabled={index === ids.length - 1}
              onPress={() => move(index, index + 1)}
            >
              <ArrowDown />
            </IconButton>
            <IconButton
              label={`Remove ${nameOf(id)}`}
              onPress={() => change(`Removed the run “${nameOf(id)}”`, removedRun(document, index))}
            >
              <CloseIcon />
            </IconButton>
          </li>
        ))}
      </ol>
      {others.length === 0 || ids.length >= reportRunsMax ? null : (
        <Select
          label="Add a run"
          hideLabel
          className="w-full max-w-72"
          value={nothing}
          onChange={(id) => {
            if (id !== nothing)
              change(`Added the run “${nameOf(id)}”`, [
                { op: 'add', path: `/bench_result_ids/${ids.length}`, value: id },
              ])
          }}
          choices={[
            { id: nothing, label: 'Add a run …' },
            ...others.map(({ id, name, created_at }) => ({
              id,
              label: name,
              note: describeAge(Date.parse(created_at), nowMs),
            })),
          ]}
        />
      )}
    </fieldset>
  )
}
