import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { lookUntil } from '../look-until.ts'
import { getLoadGenerator } from './reaching.ts'

/** How soon an agent hears of what there is to do. */
const everyMs = 1000

export const awaitShard = implement(operations.awaitShard)(async (input, context) => {
  const { benchRuns } = context.deps.stores
  const generator = await getLoadGenerator(context, input.load_generator_id)
  const { workspaceId } = generator
  const lease = () => benchRuns.lease(context.caller, generator, context.calledAt)
  const shard = await lookUntil(await lease(), lease, (leased) => leased !== undefined, {
    seconds: input.wait_seconds,
    everyMs,
  })
  if (shard === undefined) {
    // Some six a minute for each agent, all night.
    context.isUneventful()
    return { workspace_id: workspaceId, shard: null }
  }
  const run = await benchRuns.find(context.caller, shard.benchResultId)
  return {
    workspace_id: workspaceId,
    shard: { shard_id: shard.id, bench_result_id: shard.benchResultId, name: run?.name ?? '' },
  }
})
