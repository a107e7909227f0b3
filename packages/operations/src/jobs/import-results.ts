import { adapterNames, type AdapterName } from '@flamegate/benchmarks'
import { Problem, uploadLimits } from '@flamegate/contract'
import { readResults } from '../benchmarks/read-results.ts'
import { watch } from '../benchmarks/watch.ts'
import type { Task } from '../ports/index.ts'
import { runImport, type JobHandler } from './job.ts'

/** Reads an uploaded result file into the run that waits for it. */
export const importResults: JobHandler<'import_results'> = (payload, deps) =>
  runImport(
    payload,
    deps,
    uploadLimits.uploadBytes,
    async ({ caller, task, content, checkpoint }) => {
      const runId = String(task.result?.['run_id'])
      const run = await deps.stores.runs.find(caller, runId)
      if (run === undefined)
        throw new Problem('run_not_found', 'The run was deleted before its results were read.')
      const read = readResults(await content.read(), adapterOf(task), { allowEmpty: allowsEmpty(task) })
      await checkpoint(80, 'Storing the results')
      const completed = await deps.stores.runs.complete(caller, runId, {
        ...read,
        environment: { ...read.environment, ...run.environment },
      })
      await watch(deps.queue, completed, payload.requestId)
      return { result_count: completed.resultCount, adapter: read.adapter, warnings: read.warnings }
    },
    (caller, task, problem) =>
      deps.stores.runs.fail(caller, String(task.result?.['run_id']), [problem.detail]),
  )

/** Undefined where nothing was said about it. */
function allowsEmpty(task: Task): boolean | undefined {
  const allowed = task.result?.['allow_empty']
  return typeof allowed === 'boolean' ? allowed : undefined
}

function adapterOf(task: Task): 'magic' | AdapterName {
  return adapterNames.find((name) => name === task.result?.['adapter']) ?? 'magic'
}
