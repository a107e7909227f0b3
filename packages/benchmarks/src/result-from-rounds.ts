import type { BenchmarkMetric, BenchmarkResult, BenchmarkStats } from './benchmark-report.ts'
import { describeRounds, median } from './statistics/describe-rounds.ts'

/** What an adapter knows about one benchmark when the file has a time for every round. */
export interface MeasuredRounds {
  uri: string
  name: string
  /** At least one. */
  roundsNs: number[]
  /** What the rounds themselves cannot tell, e.g. `iterationsPerRound`. */
  stats?: BenchmarkStats
  metrics: BenchmarkMetric[]
}

/** The median of the rounds is the value: one slow round must not move it. */
export function resultFromRounds({ uri, name, roundsNs, stats, metrics }: MeasuredRounds): BenchmarkResult {
  const described = describeRounds(roundsNs)
  return {
    uri,
    name,
    instrument: 'walltime',
    value: median(roundsNs),
    unit: 'ns',
    statistic: roundsNs.length === 1 ? 'single' : 'median',
    stats: { ...described, ...stats },
    ...(roundsNs.length > 1 && { roundsNs }),
    metrics,
  }
}
