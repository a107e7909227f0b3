import type { BenchmarkMetric, BenchmarkResult, BenchmarkStats } from './benchmark-result.ts'
import { wallTime } from './measure.ts'
import type { Measure } from './measure.ts'
import { describeRounds, median } from './statistics/describe-rounds.ts'

/** What an adapter knows about one benchmark when the file has a value for every round. */
export interface MeasuredRounds {
  uri: string
  name: string
  /** At least one. */
  roundValues: number[]
  /** What the rounds themselves cannot tell, e.g. `iterationsPerRound`. */
  stats?: BenchmarkStats
  metrics: BenchmarkMetric[]
  /** Wall time when left out. */
  measure?: Measure
}

/** The median of the rounds is the value: one slow round must not move it. */
export function resultFromRounds({
  uri,
  name,
  roundValues,
  stats,
  metrics,
  measure = wallTime,
}: MeasuredRounds): BenchmarkResult {
  const described = describeRounds(roundValues)
  return {
    uri,
    name,
    ...measure,
    value: median(roundValues),
    statistic: roundValues.length === 1 ? 'single' : 'median',
    stats: { ...described, ...stats },
    ...(roundValues.length > 1 && { roundValues }),
    metrics,
  }
}
