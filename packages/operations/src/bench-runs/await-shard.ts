import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getLoadGenerator } from './reaching.ts'

/** How soon an agent hears of what there is to do. */
const everyMs = 1000

export const awaitShard = implement(operations.awaitShard)(async (input, context) => {
  const { benchRuns } = context.deps.stores
  const generator = await getLoadGenerator(context, input.load_generator_id)
  const { workspaceId } = generator
  const deadline = Date.now() + input.wait_seconds * 1000
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const shard = await benchRuns.lease(context.caller, generator, context.calledAt)
    if (shard !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- the last thing that is done
      const run = await benchRuns.find(context.caller, shard.benchResultId)
      return {
        workspace_id: workspaceId,
        shard: { shard_id: shard.id, bench_result_id: shard.benchResultId, name: run?.name ?? '' },
      }
    }
    const leftMs = deadline - Date.now()
    if (leftMs <= 0) {
      // Some six a minute for each agent, all night.
      context.isUneventful()
      return { workspace_id: workspaceId, shard: null }
    }
    // oxlint-disable-next-line no-await-in-loop -- it ends when nobody waits any more, because a store does not begin then
    await new Promise((resolve) => setTimeout(resolve, Math.min(everyMs, leftMs)))
  }
})
