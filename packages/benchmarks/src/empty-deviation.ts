import type { BenchmarkResult } from './benchmark-result.ts'

/**
 * Takes away a deviation of 0 that is none: tools write it for a single round, and where they could not work it out
 * although the rounds differ. Left in, it would say that nothing can be more certain.
 */
export function withoutEmptyDeviation(result: BenchmarkResult): BenchmarkResult {
  const { stdev, rounds, min = 0, max = 0, ...stats } = result.stats
  if (stdev !== 0 || (rounds !== 1 && min >= max)) return result
  const told = { ...stats, rounds, min: result.stats.min, max: result.stats.max }
  return { ...result, stats: told, statistic: rounds === 1 ? 'single' : result.statistic }
}
