import { formatPercent } from '../format-percent.ts'
import { formatQuantity } from '../format-quantity.ts'
import { studentTQuantile } from '../statistics/student-t-distribution.ts'
import { INTERVAL_CONFIDENCE, changePoint } from './change-point.ts'
import type { ChangePoint } from './change-point.ts'
import { middleOf } from './middle-of.ts'
import { relativeScale } from './relative-scale.ts'
import type { RelativeScale } from './relative-scale.ts'
import { SEGMENT_RUNS_MIN, segmentSeries } from './segment-series.ts'
import type { Split, SplitLimits } from './segment-series.ts'
import { seriesNoise } from './series-noise.ts'

export interface ChangePointOptions {
  /** How probable one change point or more may be in a series that never changed. Default 0.001. */
  significance?: number
  /** Smaller changes are none. Default 0.5. */
  minEffectPercent?: number
  /** Of the values, for the sentences. */
  unit?: string
}

/** A slow trend that explains a series better than steps do. */
export interface Drift {
  percentPerRun: number
  sentence: string
}

/** A stretch [start, end) in which the series went back and forth between two levels. */
export interface Switching {
  start: number
  end: number
  lowLevel: number
  highLevel: number
  switches: number
  sentence: string
}

/** What became of a series in the course of its runs; change points oldest first. */
export interface HistoryChanges {
  changePoints: ChangePoint[]
  /** Absent where there is none. Change points are then steps on top of it. */
  drift?: Drift
  switching: Switching[]
}

/** Below, neither a level nor a trend can be told. */
const SERIES_RUNS_MIN = 2 * SEGMENT_RUNS_MIN
/** Trends over fewer runs are steps, or nothing. */
const DRIFT_RUNS_MIN = 40
/** Who stays longer in a level than this has changed, and does not switch. */
const MODE_STAY_RUNS_MAX = 30

/**
 * All changes of level of one series, oldest run first; see `segmentSeries` for how. Single outliers are no change. A
 * slow drift is reported as drift and not as a row of steps, and going back and forth between two levels (at least
 * three times, for stays of up to 30 runs) as switching. Without randomness: the same values give the same answer.
 */
export function findChangePoints(
  values: readonly number[],
  options: ChangePointOptions = {},
): HistoryChanges {
  const { significance = 0.001, minEffectPercent = 0.5, unit = '' } = options
  const scale = relativeScale(values)
  if (values.length < SERIES_RUNS_MIN) return { changePoints: [], switching: [] }
  const limits = { significance, minStep: scale.fromPercent(minEffectPercent) }
  const { splits, slope } = levelsOrTrend(scale.positions, limits)
  const { kept, switching } = takeOutSwitching({ values, unit }, scale, splits)
  const bounds = [0, ...kept.map(({ index }) => index), values.length]
  return {
    changePoints: kept.map(({ index, error, df, pValue }, at) =>
      changePoint(values, scale, {
        start: bounds[at] ?? 0,
        index,
        end: bounds[at + 2] ?? values.length,
        margin: studentTQuantile((1 + INTERVAL_CONFIDENCE) / 2, df) * error,
        pValue,
        unit,
      }),
    ),
    ...(slope !== 0 && { drift: describeDrift(scale, slope, values.length) }),
    switching,
  }
}

/** Steps alone, or a line with the steps that are left on it: whichever explains the runs at the lower cost (BIC). */
function levelsOrTrend(positions: Float64Array, limits: SplitLimits): { splits: Split[]; slope: number } {
  const steps = explain(positions, 0, limits)
  const slope = positions.length < DRIFT_RUNS_MIN || steps.splits.length === 0 ? 0 : typicalSlope(positions)
  if (slope === 0) return { splits: steps.splits, slope: 0 }
  // What a step did to that slope is gone once the step is known.
  const better = slopeWithin(steps.clipped, explain(positions, slope, limits).splits)
  const line = explain(positions, better, limits)
  return line.cost < steps.cost && line.splits.length < steps.splits.length
    ? { splits: line.splits, slope: better }
    : { splits: steps.splits, slope: 0 }
}

function explain(
  positions: Float64Array,
  slope: number,
  limits: SplitLimits,
): { splits: Split[]; cost: number; clipped: Float64Array } {
  const noise = seriesNoise(positions.map((position, index) => position - slope * index))
  const splits = segmentSeries(noise, limits)
  const bounds = [0, ...splits.map(({ index }) => index), positions.length]
  let squares = 0
  for (const [at, start] of bounds.slice(0, -1).entries()) {
    const segment = noise.clipped.subarray(start, bounds[at + 1])
    const mean = segment.reduce((sum, value) => sum + value, 0) / segment.length
    squares += segment.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  }
  const runs = positions.length
  const parameters = 2 * splits.length + (slope === 0 ? 0 : 1)
  return {
    splits,
    cost: runs * Math.log(squares / runs + 1e-12) + parameters * Math.log(runs),
    clipped: noise.clipped,
  }
}

/** The median slope between runs that lie a quarter of the series apart: one or two steps do not move it. */
function typicalSlope(positions: Float64Array): number {
  const apart = Math.floor(positions.length / 4)
  const slopes = positions.subarray(apart).map((position, at) => (position - (positions[at] ?? 0)) / apart)
  return middleOf(slopes)
}

/** The slope that the segments have in common, by least squares. `clipped`: outliers are brought close to their neighbours. */
function slopeWithin(clipped: Float64Array, splits: readonly Split[]): number {
  const bounds = [0, ...splits.map(({ index }) => index), clipped.length]
  let [products, squares] = [0, 0]
  for (const [at, start] of bounds.slice(0, -1).entries()) {
    const segment = clipped.subarray(start, bounds[at + 1])
    const mean = segment.reduce((sum, value) => sum + value, 0) / segment.length
    for (const [run, value] of segment.entries()) {
      const fromMiddle = run - (segment.length - 1) / 2
      products += fromMiddle * (value - mean)
      squares += fromMiddle ** 2
    }
  }
  return products / squares
}

function describeDrift(scale: RelativeScale, slope: number, runs: number): Drift {
  const overall = formatPercent(scale.toPercent(slope * (runs - 1)))
  return {
    percentPerRun: scale.toPercent(slope),
    sentence: `The level drifts slowly, by ${overall} over the ${runs} runs, rather than in steps.`,
  }
}

/** Looks for segments that alternate, A B A B …, with short stays, and takes the splits between them out. */
function takeOutSwitching(
  series: { values: readonly number[]; unit: string },
  scale: RelativeScale,
  splits: readonly Split[],
): { kept: Split[]; switching: Switching[] } {
  const bounds = [0, ...splits.map(({ index }) => index), series.values.length]
  const levels = bounds
    .slice(0, -1)
    .map((start, at) => middleOf(scale.positions.subarray(start, bounds[at + 1])))
  const switching: Switching[] = []
  let kept = [...splits]
  for (let first = 0; first + 3 < levels.length; first += 1) {
    let last = first + 1
    while (last + 1 < levels.length && isReturn(levels, bounds, last + 1)) last += 1
    if (last - first < 3) continue
    const [start, end] = [bounds[first] ?? 0, bounds[last + 1] ?? series.values.length]
    kept = kept.filter(({ index }) => index <= start || index >= end)
    switching.push(describeSwitching(series, bounds.slice(first, last + 2)))
    first = last
  }
  return { kept, switching }
}

/** Is segment `at` on the level of the one before the last, after a short stay elsewhere? */
function isReturn(levels: readonly number[], bounds: readonly number[], at: number): boolean {
  const [here, between, before] = [levels[at] ?? NaN, levels[at - 1] ?? NaN, levels[at - 2] ?? NaN]
  const stay = (bounds[at] ?? NaN) - (bounds[at - 1] ?? NaN)
  return stay <= MODE_STAY_RUNS_MAX && Math.abs(here - before) < Math.abs(here - between) / 4
}

function describeSwitching(
  { values, unit }: { values: readonly number[]; unit: string },
  bounds: readonly number[],
): Switching {
  const levels = bounds.slice(0, -1).map((start, at) => middleOf(values.slice(start, bounds[at + 1])))
  const [even, odd] = [0, 1].map((rest) => middleOf(levels.filter((_, at) => at % 2 === rest)))
  const [start, end] = [bounds[0] ?? 0, bounds.at(-1) ?? values.length]
  const lowLevel = Math.min(even ?? NaN, odd ?? NaN)
  const highLevel = Math.max(even ?? NaN, odd ?? NaN)
  const switches = levels.length - 1
  return {
    start,
    end,
    lowLevel,
    highLevel,
    switches,
    sentence:
      `From run ${start} to ${end - 1} the series goes back and forth ${switches} times between ` +
      `${formatQuantity(lowLevel, unit)} and ${formatQuantity(highLevel, unit)}: two modes, and no change.`,
  }
}
