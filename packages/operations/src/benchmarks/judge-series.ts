import { detectNewChange, evaluateThreshold, type Threshold } from '@flamegate/benchmarks'
import type { NewAlert } from '../ports/index.ts'
import type { ThresholdRule } from './applying-threshold.ts'

/** What a threshold finds wrong with the newest values of a series. */
export interface Finding extends Pick<
  NewAlert,
  'baseline' | 'value' | 'crossedLimit' | 'changePercent' | 'reason'
> {
  /** Of the first value that was different, from 0 for the oldest. */
  index: number
  direction: 'up' | 'down'
}

/** What a benchmark measured, oldest first. */
export interface JudgedSeries {
  values: readonly number[]
  unit: string
}

/**
 * Judges the end of a series. A change point is one that is not known yet. With the other tests the newest
 * value is past a limit, and `index` is where the values began to be, so that a stretch of them is one finding.
 * @param knownChanges indices of the first values after changes that were told before
 */
export function judgeSeries(
  series: JudgedSeries,
  rule: ThresholdRule,
  knownChanges: readonly number[] = [],
): Finding | undefined {
  return rule.test === 'change_point'
    ? newChange(series, rule, knownChanges)
    : crossing(series.values, { ...thresholdOf({ ...rule, test: rule.test }), unit: series.unit })
}

function newChange(
  { values, unit }: JudgedSeries,
  { windowRuns, sampleMin }: ThresholdRule,
  knownChanges: readonly number[],
): Finding | undefined {
  if (values.length <= sampleMin) return undefined
  const start = Math.max(0, values.length - windowRuns)
  const change = detectNewChange(values.slice(start), {
    knownChanges: knownChanges.map((index) => index - start),
    unit,
  })
  if (change === undefined) return undefined
  return {
    index: change.index + start,
    direction: change.direction,
    baseline: change.before,
    value: change.after,
    crossedLimit: null,
    changePercent: change.changePercent,
    reason: change.sentence.replace(/^From run \d+ on the level/, 'The level'),
  }
}

function crossing(values: readonly number[], threshold: Threshold): Finding | undefined {
  const newest = resultAt(values, values.length - 1, threshold)
  if (newest.crossed === undefined) return undefined
  let index = values.length - 1
  while (index > 0 && resultAt(values, index - 1, threshold).crossed === newest.crossed) index -= 1
  const value = values.at(-1) ?? NaN
  const crossedLimit = (newest.crossed === 'upper' ? newest.upperLimit : newest.lowerLimit) ?? value
  const baseline = newest.baseline ?? crossedLimit
  return {
    index,
    direction: newest.crossed === 'upper' ? 'up' : 'down',
    baseline,
    value,
    crossedLimit,
    // Of a level of zero there is no share.
    changePercent: baseline === 0 ? 0 : 100 * ((value - baseline) / Math.abs(baseline)),
    reason: newest.sentence,
  }
}

function resultAt(
  values: readonly number[],
  index: number,
  threshold: Threshold,
): ReturnType<typeof evaluateThreshold> {
  return evaluateThreshold(values.slice(0, index), values[index] ?? NaN, threshold)
}

/**
 * Whether a finding is for the worse. Where nobody knows which way is better (`betterWhen` is undefined), to leave limits
 * that somebody set is worse, and so is to grow.
 */
export function findingVerdict(
  { test }: Pick<ThresholdRule, 'test'>,
  { direction }: Pick<Finding, 'direction'>,
  betterWhen: 'lower' | 'higher' | undefined,
): NewAlert['verdict'] {
  if (betterWhen === undefined && test !== 'change_point') return 'regressed'
  return (direction === 'up') === (betterWhen !== 'higher') ? 'regressed' : 'improved'
}

/** A rule in the words of the arithmetic. */
export function thresholdOf({
  test,
  lowerBound,
  upperBound,
  windowRuns,
  sampleMin,
}: ThresholdRule & { test: Threshold['test'] }): Threshold {
  return {
    test,
    ...(lowerBound === null ? {} : { lowerBoundary: lowerBound }),
    ...(upperBound === null ? {} : { upperBoundary: upperBound }),
    minSampleSize: sampleMin,
    maxSampleSize: Math.max(windowRuns, sampleMin),
  }
}
