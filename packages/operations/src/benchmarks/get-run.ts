import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { benchmarksWithProfile } from '../profiles/of-run.ts'
import { getRun as getRunTarget } from '../targets.ts'
import { runOnWire } from '../wire.ts'
import { resultOnWire } from './result-on-wire.ts'

export const getRun = implement(operations.getRun)(async (input, context) => {
  const run = await getRunTarget(context, input.run_id, input)
  const [results, profiled] = await Promise.all([
    context.deps.stores.runs.listResults(context.caller, run.id),
    benchmarksWithProfile(context, run),
  ])
  return {
    run: runOnWire(run),
    results: results
      .slice(0, input.limit)
      .map((result) => ({ ...resultOnWire(result), has_profile: profiled.has(result.benchmarkId) })),
    omitted_result_count: Math.max(0, results.length - input.limit),
  }
})
