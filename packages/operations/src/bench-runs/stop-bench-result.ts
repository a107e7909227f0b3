import { hasBenchEnded, operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { benchResultOnWire } from './on-wire.ts'
import { getBenchRun } from './reaching.ts'
import { stopRun } from './stop-run.ts'

export const stopBenchResult = implement(operations.stopBenchResult)(async (input, context) => {
  const run = await getBenchRun(context, input.bench_result_id)
  if (hasBenchEnded(run.state)) return { bench_result: benchResultOnWire(run) }
  const stopped = await stopRun(context, run.id, 'It was stopped by hand.')
  return { bench_result: benchResultOnWire(stopped ?? run) }
})
