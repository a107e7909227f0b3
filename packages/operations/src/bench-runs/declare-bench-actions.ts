import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { foundActions } from './found-actions.ts'
import { getShard } from './reaching.ts'

export const declareBenchActions = implement(operations.declareBenchActions)(async (input, context) => {
  const { benchRuns } = context.deps.stores
  const shard = await getShard(context, input.shard_id)
  const { benchResultId, projectId } = shard
  const plan = await benchRuns.findPlan(context.caller, benchResultId)
  if (plan === undefined) throw new Problem('bench_shard_not_found', 'The run of this shard is gone.')
  const found = foundActions(plan.scenario, input.actions)
  const known = await benchRuns.addActions(context.caller, benchResultId, found.missingIn)
  if (known === undefined) throw new Problem('bench_shard_not_found', 'The run of this shard is gone.')
  context.isUneventful()
  return { project_id: projectId, bench_result_id: benchResultId, places: found.placesIn(known) }
})
