import { hasBenchEnded, operations } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
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
async function runAfter(context: CallContext, id: string, waitSeconds: number): Promise<BenchResult> {
  const deadline = Date.now() + waitSeconds * 1000
  const before = await getBenchRun(context, id)
  let run: BenchResult | undefined = before
  while (run !== undefined && run.state === before.state && !hasBenchEnded(run.state)) {
    const leftMs = deadline - Date.now()
    if (leftMs <= 0) break
    // oxlint-disable no-await-in-loop -- it ends when nobody waits any more, because a store does not begin then
    await new Promise((resolve) => setTimeout(resolve, Math.min(everyMs, leftMs)))
    run = await context.deps.stores.benchRuns.find(context.caller, id)
    // oxlint-enable no-await-in-loop
  }
  return run ?? before
}
