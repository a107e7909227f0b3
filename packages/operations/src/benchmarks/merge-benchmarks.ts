import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import type { Benchmark } from '../ports/index.ts'
import { getBenchmark } from '../targets.ts'
import { benchmarkOnWire } from './watching-on-wire.ts'

export const mergeBenchmarks = implement(operations.mergeBenchmarks)(async (input, context) => {
  const from = await getBenchmark(context, input.from_benchmark_id)
  const into = await getBenchmark(context, input.benchmark_id)
  requireSameMeasure(into, from)
  const { benchmarks } = context.deps.stores
  const moved = await benchmarks.merge(context.caller, into.id, from.id)
  const merged = await benchmarks.find(context.caller, into.id)
  if (merged === undefined) throw new Problem('benchmark_not_found', 'It was removed just now.')
  return { benchmark: benchmarkOnWire(merged), moved_result_count: moved }
})

function requireSameMeasure(into: Benchmark, from: Benchmark): void {
  const difference =
    into.id === from.id
      ? 'are one and the same'
      : into.projectId !== from.projectId
        ? 'belong to different projects'
        : into.instrument !== from.instrument || into.metric !== from.metric
          ? `measure different things: ${into.instrument} ${into.metric}, and ${from.instrument} ${from.metric}`
          : into.betterWhen !== from.betterWhen
            ? 'are better in different directions'
            : undefined
  if (difference !== undefined) {
    throw new Problem('conflict', `These benchmarks ${difference}.`, {
      errors: [{ field: 'from_benchmark_id', message: 'Not of the same kind.' }],
    })
  }
}
