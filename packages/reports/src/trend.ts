import { findChangePoints } from '@flamegate/benchmarks'
import type { ComparedMetric } from './block-statistic.ts'
import { betterWhen } from './compare-metric.ts'

/** Where a metric changed its level from run to run. */
export interface TrendChange {
  /** Of the first run of the new level. */
  index: number
  /** 0.1: a tenth more. */
  share: number
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
  return changePoints.flatMap(({ index, changePercent, direction }) => {
    const place = known[index]?.index
    if (place === undefined) return []
    const wanted = betterWhen[metric]
    const verdict =
      wanted === 'neither' ? 'changed' : (direction === 'up') === (wanted === 'higher') ? 'better' : 'worse'
    return [{ index: place, share: changePercent / 100, verdict }]
  })
}
