import type { BenchmarkMetric, BenchmarkResult } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import type { JsonValue } from '../json-value.ts'
import { resultFromRounds } from '../result-from-rounds.ts'
import { median } from '../statistics/describe-rounds.ts'

/** A statistic that criterion estimated, with its confidence interval, in ns. */
export interface Estimate {
  value: number
  low: number
  high: number
}

/** What criterion wrote about one benchmark. */
export interface CriterionRounds {
  /** The time of each round, and how often the benchmark ran in it. */
  times: JsonValue
  iterations: JsonValue
  /** How many ns one unit of the times has. */
  nsPerUnit: number
  median: Estimate | undefined
  /** By linear regression; only where the rounds grow. */
  slope: Estimate | undefined
}

/** The rounds are times ÷ iterations; the bounds of their median are criterion's. */
export function criterionResult(id: string, criterion: CriterionRounds): BenchmarkResult {
  const times = criterion.times.amounts()
  const iterations = criterion.iterations.amounts()
  if (times.length === 0 || times.length !== iterations.length || iterations.some((count) => count < 1)) {
    throw new FormatError(
      'Expected as many times as counts of iterations, each at least 1',
      criterion.times.path,
    )
  }
  const roundValues = times.map((time, round) => (time / (iterations[round] ?? 1)) * criterion.nsPerUnit)
  return resultFromRounds({
    uri: id,
    name: id,
    roundValues,
    stats: {
      ...(criterion.median && { low: criterion.median.low, high: criterion.median.high }),
      iterationsPerRound: median(iterations),
      totalTimeMs: (times.reduce((sum, time) => sum + time, 0) * criterion.nsPerUnit) / 1e6,
    },
    metrics: slopeMetric(criterion.slope),
  })
}

/** What criterion itself shows as the time. */
export function slopeMetric(slope: Estimate | undefined): BenchmarkMetric[] {
  return slope ? [{ name: 'slope', unit: 'ns', betterWhen: 'lower', ...slope }] : []
}
