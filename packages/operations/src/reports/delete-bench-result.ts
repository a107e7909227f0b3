import { operations, Problem } from '@flamegate/contract'
import { getBenchRun } from '../bench-runs/reaching.ts'
import { removeRun } from '../bench-runs/remove-run.ts'
import { implement } from '../implement.ts'

export const deleteBenchResult = implement(operations.deleteBenchResult)(async (input, context) => {
  const run = await getBenchRun(context, input.bench_result_id)
  const wasRemoved = await removeRun(context, run.id)
  if (!wasRemoved) {
    throw new Problem('in_use', 'It has not ended yet.', {
      hint: [operations.stopBenchResult, 'ends it'],
    })
  }
  return { bench_result_id: run.id, project_id: run.projectId, deleted: true as const }
})
