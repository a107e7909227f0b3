import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getBenchmark } from '../targets.ts'
import { benchmarkOnWire } from './watching-on-wire.ts'

export const renameBenchmark = implement(operations.renameBenchmark)(async (input, context) => {
  const { id } = await getBenchmark(context, input.benchmark_id)
  const benchmark = await context.deps.stores.benchmarks.rename(context.caller, id, input.uri)
  if (benchmark === undefined) throw new Problem('benchmark_not_found', 'It was removed just now.')
  return { benchmark: benchmarkOnWire(benchmark) }
})
