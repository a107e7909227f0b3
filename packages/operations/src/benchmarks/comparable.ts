import type { BenchmarkResult } from '@flamegate/benchmarks'
import type { Result } from '../ports/index.ts'

/**
 * A stored result as the arithmetic takes it, with its rounds when they were read apart. Field by field, because there may
 * be ten thousand of them.
 */
export function comparable(result: Result, rounds?: ReadonlyMap<string, number[]>): BenchmarkResult {
  return {
    uri: result.uri,
    name: result.name,
    instrument: result.instrument,
    metric: result.metric,
    value: result.value,
    unit: result.unit,
    betterWhen: result.betterWhen,
    statistic: result.stats.statistic ?? 'single',
    stats: result.stats,
    roundValues: result.roundValues ?? rounds?.get(result.benchmarkId),
    processValues: result.processValues ?? undefined,
    metrics: result.metrics,
  }
}
