import type { BenchmarkResult } from '@flamegate/benchmarks'
import type { Result } from '../ports/index.ts'

/** A stored result as the arithmetic takes it. */
export function comparable({
  stats: { statistic = 'single', ...stats },
  ...result
}: Result): BenchmarkResult {
  return { ...result, statistic, stats }
}
