import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getBenchmark } from '../targets.ts'
import { benchmarkOnWire } from './watching-on-wire.ts'

export const updateBenchmark = implement(operations.updateBenchmark)(async (input, context) => {
  const { id } = await getBenchmark(context, input.benchmark_id)
  const benchmark = await context.deps.stores.benchmarks.update(context.caller, id, {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.state === undefined ? {} : { state: input.state }),
    ...(input.is_critical === undefined ? {} : { isCritical: input.is_critical }),
    ...(input.threshold_percent === undefined ? {} : { thresholdPercent: input.threshold_percent }),
  })
  if (benchmark === undefined) throw new Problem('benchmark_not_found', 'It was removed just now.')
  return { benchmark: benchmarkOnWire(benchmark) }
})
