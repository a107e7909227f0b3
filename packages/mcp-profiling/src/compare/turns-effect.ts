import { pairedEffect } from '@flamegate/benchmarks/arithmetic'
import type { BenchmarkResult } from '@flamegate/benchmarks'
import type { Effect, Quantile } from './effect.ts'

/**
 * The change between blocks that ran in turns: block n of base and block n of head were neighbours, so that what moves
 * slowly (clock rate, temperature, neighbours on the machine) is in both and falls out. See `pairedEffect` for how
 * outliers and two modes are dealt with. Undefined with fewer than five pairs.
 */
export function turnsEffect(
  base: readonly (number | null)[],
  head: readonly (number | null)[],
  quantile: Quantile,
): Effect | undefined {
  const pairs = base.flatMap((before, at): [number, number][] => {
    const after = head[at] ?? null
    return before === null || after === null ? [] : [[before, after]]
  })
  const found = pairedEffect(
    measured(pairs.map(([before]) => before)),
    measured(pairs.map(([, after]) => after)),
    quantile,
  )
  if (!found) return undefined
  return {
    base: found.base.value,
    head: found.head.value,
    logRatio: found.logRatio,
    margin: found.margin,
    pValue: found.pValue ?? 1,
    method: found.method.replaceAll('processes', 'blocks'),
  }
}

function measured(processValues: number[]): BenchmarkResult {
  return {
    uri: '',
    name: '',
    instrument: 'walltime',
    metric: 'time',
    value: 0,
    unit: 'ms',
    betterWhen: 'lower',
    statistic: 'median',
    stats: {},
    processValues,
    metrics: [],
  }
}
