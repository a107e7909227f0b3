import { findChangePoints } from '@flamegate/benchmarks'
import type { ComparedMetric } from './block-statistic.ts'
import { betterWhen } from './compare-metric.ts'

/** Where a metric changed its level from run to run. */
export interface TrendChange {
  /** Of the first run of the new level. */
  index: number
  /** Medians of the runs before, back to the change before, and after. */
  before: number
  after: number
  /** 0.1: a tenth more than before; null: it was 0 before. */
  share: number | null
  verdict: 'better' | 'worse' | 'changed'
}

/** Load tests vary more than benchmarks: what is less than this is no change. */
const minEffectPercent = 2

/** Change points of a metric over runs, the oldest first, by what finds them in the history of benchmarks. Runs without a value are left out. */
export function trendChanges(metric: ComparedMetric, values: readonly (number | null)[]): TrendChange[] {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]))
  const { changePoints } = findChangePoints(
    known.map(({ value }) => value),
    { minEffectPercent },
  )
  return changePoints.flatMap(({ index, before, after, direction }) => {
    const place = known[index]?.index
    if (place === undefined) return []
    const wanted = betterWhen[metric]
    const verdict =
      wanted === 'neither' ? 'changed' : (direction === 'up') === (wanted === 'higher') ? 'better' : 'worse'
    // Where some runs have 0, the per cent of the change point are of the typical size of all.
    const share = before === 0 ? null : after / before - 1
    return [{ index: place, before, after, share, verdict }]
  })
}
