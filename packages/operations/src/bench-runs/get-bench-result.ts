import { hasBenchEnded, operations } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import { lookUntil } from '../look-until.ts'
import type { BenchResult } from '../ports/index.ts'
import { judgeSla } from '../sla/judge-sla.ts'
import { numbersOf } from './numbers-of.ts'
import { benchResultOnWire, shardOnWire, thresholdOnWire } from './on-wire.ts'
import { getBenchRun } from './reaching.ts'
import { judgeThresholds } from './thresholds.ts'

export const getBenchResult = implement(operations.getBenchResult)(async (input, context) => {
  const run = await runAfter(context, input.bench_result_id, input.wait_seconds)
  const plan = await context.deps.stores.benchRuns.findPlan(context.caller, run.id)
  const judged = plan === undefined ? [] : await judgeThresholds(context, run, plan)
  const sla = plan === undefined ? [] : await judgeSla(context, run, plan)
  const shards = await context.deps.stores.benchRuns.listShards(context.caller, run.id)
  return {
    bench_result: benchResultOnWire(run),
    numbers: await numbersOf(context, run),
    thresholds: judged.map(thresholdOnWire),
    sla,
    shards: shards.map(shardOnWire),
    events: run.events,
    next_poll_seconds: hasBenchEnded(run.state)
      ? null
      : // A tenth of what it takes, so that a long run is not asked about all the time.
        Math.min(60, Math.max(3, Math.round(run.durationMs / 10_000))),
  }
})

/** How soon a change of state is seen. */
const everyMs = 500

/** The run as it is when its state changes, or after that time. */
async function runAfter(context: CallContext, id: string, seconds: number): Promise<BenchResult> {
  const before = await getBenchRun(context, id)
  return lookUntil(
    before,
    async () => (await context.deps.stores.benchRuns.find(context.caller, id)) ?? before,
    ({ state }) => state !== before.state || hasBenchEnded(state),
    { seconds, everyMs },
  )
}
