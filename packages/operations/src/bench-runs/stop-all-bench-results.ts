import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getWorkspace } from '../targets.ts'
import { stopRun } from './stop-run.ts'

export const stopAllBenchResults = implement(operations.stopAllBenchResults)(async (input, context) => {
  const workspace = await getWorkspace(context, input.workspace_id)
  const ids = await context.deps.stores.benchRuns.listOpen(context.caller, workspace.id)
  for (const id of ids) {
    // oxlint-disable-next-line no-await-in-loop -- each in a transaction of its own, so that one that fails keeps no other
    await stopRun(context, id, 'All load tests of the workspace were stopped.')
  }
  return { workspace_id: workspace.id, bench_result_ids: ids }
})
