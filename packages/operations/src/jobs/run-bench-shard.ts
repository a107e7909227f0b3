import { hasShardEnded } from '../bench-runs/decide.ts'
import type { WatchHandler } from './job.ts'
import { watchBenchRun } from './watch-bench-run.ts'

/** Sees to a part of a run until its agent is done with it, or lost. */
export const runBenchShard: WatchHandler = async (payload, deps, signal) => {
  await watchBenchRun(payload, deps, signal, (shards) => {
    const shard = shards.find(({ id }) => id === payload.taskId)
    return shard === undefined || hasShardEnded(shard)
  })
}
