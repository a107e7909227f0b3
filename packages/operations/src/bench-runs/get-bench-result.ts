import { hasBenchEnded, operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { numbersOf } from './numbers-of.ts'
import { benchResultOnWire, shardOnWire } from './on-wire.ts'
import { getBenchRun } from './reaching.ts'
import { judgeThresholds } from './thresholds.ts'

export const getBenchResult = implement(operations.getBenchResult)(async (input, context) => {
  const run = await getBenchRun(context, input.bench_result_id)
  const plan = await context.deps.stores.benchRuns.findPlan(context.caller, run.id)
  const judged = plan === undefined ? [] : await judgeThresholds(context, run, plan)
  const shards = await context.deps.stores.benchRuns.listShards(context.caller, run.id)
  return {
    bench_result: benchResultOnWire(run),
    numbers: await numbersOf(context, run),
    thresholds: judged.map(({ text, state, value }) => ({
      text,
      state,
      value: value === null ? null : Math.round(value * 1000) / 1000,
    })),
    shards: shards.map(shardOnWire),
    events: run.events,
    next_poll_seconds: hasBenchEnded(run.state)
      ? null
      : // A tenth of what it takes, so that a long run is not asked about all the time.
        Math.min(60, Math.max(3, Math.round(run.durationMs / 10_000))),
  }
})
