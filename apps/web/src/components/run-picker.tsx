import { operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import type { Run } from './run-table.tsx'
import { Select, type Choice } from './select.tsx'

interface Props {
  label: string
  projectId: string
  /** Id of a run, a branch, or the word of `symbolic`. */
  value: string
  /** A choice that is no fixed run: the baseline, or the latest. */
  symbolic: Choice
  /** The run that is shown now; it may be older than those that are listed. */
  shown: Run | undefined
  onChange: (runId: string) => void
}

/** One of the latest hundred runs of a project. */
export function RunPicker({ label, projectId, value, symbolic, shown, onChange }: Props) {
  const { data } = useAnswer(operations.listRuns, { repository: projectId, limit: 100 })
  const listed = data?.runs ?? []
  const runs = shown === undefined || listed.some(({ id }) => id === shown.id) ? listed : [shown, ...listed]
  return (
    <Select
      label={label}
      className="grow basis-64"
      // The address may name a run by its branch.
      value={value === symbolic.id ? value : (shown?.id ?? value)}
      onChange={onChange}
      choices={[symbolic, ...runs.map(describeRun)]}
    />
  )
}

function describeRun(run: Run): Choice {
  const firstLine = run.commit_message.split('\n')[0] ?? ''
  return {
    id: run.id,
    label: `${run.branch} · ${run.commit_hash.slice(0, 9)} ${firstLine}`,
    note: new Date(run.created_at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  }
}
