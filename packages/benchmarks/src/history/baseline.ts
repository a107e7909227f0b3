import { quantile } from '../statistics/describe-rounds.ts'

/** Values further from the median, in scales, count no more than this, so that one run cannot make a change. */
export const CLIP = 3.5
/** Values further out than this are outliers: they are counted, and left out of everything else. */
export const OUTLIER = 6
/** No benchmark repeats itself better than this; a constant history still has to be left by this much. */
export const SCALE_MIN = 2e-4
/** Until so many runs have shown otherwise, neighbours are taken to resemble each other somewhat. */
const CORRELATION_KNOWN_RUNS = 60
const CORRELATION_PRIOR = 0.4

/**
 * What a stretch of runs without a change looks like: level, spread, and in which ways it is not calm. Everything but
 * `median` and `scale` is in scales from the median; `scale` is a robust standard deviation on the relative scale.
 */
export interface Baseline {
  runs: number
  median: number
  scale: number
  /** Of the runs that are no outliers. */
  typicalRuns: number
  mean: number
  stdev: number
  skewness: number
  /** Per run, and its standard error; zero where a level explains the runs as well as a line. */
  slope: number
  slopeError: number
  /** Between neighbours, 0 … 0.95: what is left of one run's deviation in the next. */
  correlation: number
  outliersAbove: number
  outliersBelow: number
  /** Each run without the slope, clipped; an outlier that stands alone is at the mean. */
  residuals: Float64Array
  /** A position on the relative scale, `ahead` runs after the first of the baseline, without the slope; not clipped. */
  residualOf: (position: number, ahead: number) => number
}

/** Describes [start, end) of `positions`, at least 3 runs. */
export function describeBaseline(positions: Float64Array, start: number, end: number): Baseline {
  const own = positions.subarray(start, end)
  const runs = own.length
  const sorted = own.toSorted()
  const median = quantile(sorted, 0.5)
  const scale = robustScale(sorted)
  const middle = (runs - 1) / 2
  const raw = own.map((position) => (position - median) / scale)
  const typical = [...raw].flatMap((score, index) => (Math.abs(score) > OUTLIER ? [] : [index]))
  const clipped = raw.map(clip)
  const mean = sumOf(typical, (index) => clipped[index] ?? 0) / typical.length

  const line = fitLine(clipped, typical, mean, middle)
  const aroundLine = shapeOf(clipped, typical, mean, line.slope, middle)
  const slopeError = Math.sqrt(
    (aroundLine.variance * meanInflation(aroundLine.correlation, runs)) / line.squares,
  )
  // A slope that chance explains is none; in between, it comes in gradually, so that no run makes it jump.
  const trust = limit((Math.abs(line.slope) || 0) / slopeError - 0.6, 0, 1) || 0
  const slope = trust * line.slope
  const shape = trust === 1 ? aroundLine : shapeOf(clipped, typical, mean, slope, middle)
  return {
    runs,
    median,
    scale,
    typicalRuns: typical.length,
    mean,
    stdev: Math.sqrt(shape.variance),
    skewness: shape.skewness,
    slope,
    slopeError: trust * slopeError || 0,
    correlation: shape.correlation,
    outliersAbove: raw.filter((score) => score > OUTLIER).length,
    outliersBelow: raw.filter((score) => score < -OUTLIER).length,
    residuals: clipped.map((score, index) =>
      isLoneOutlier(raw, index) ? mean : score - slope * (index - middle),
    ),
    residualOf: (position, ahead) => (position - median) / scale - slope * (ahead - middle),
  }
}

/** How many times larger the variance of a mean of `runs` neighbours is than if each were on its own (AR(1)). */
export function meanInflation(correlation: number, runs: number): number {
  const rest = 1 - correlation
  return (1 + correlation) / rest - (2 * correlation * (1 - correlation ** runs)) / (runs * rest * rest)
}

export function clip(score: number): number {
  return limit(score, -CLIP, CLIP)
}

/** The larger of two: the middle half misses the smaller of two modes, the middle four fifths seldom does. */
function robustScale(sorted: Float64Array): number {
  const width = (tail: number) => quantile(sorted, 1 - tail) - quantile(sorted, tail)
  return Math.max(width(0.1) / 2.5631, width(0.25) / 1.349, SCALE_MIN)
}

/** Least squares over the typical runs; `squares` is the sum of their squared distances from the middle. */
function fitLine(
  scores: Float64Array,
  typical: readonly number[],
  mean: number,
  middle: number,
): { slope: number; squares: number } {
  const squares = sumOf(typical, (index) => (index - middle) ** 2)
  return {
    slope: sumOf(typical, (index) => (index - middle) * ((scores[index] ?? 0) - mean)) / squares,
    squares,
  }
}

function shapeOf(
  scores: Float64Array,
  typical: readonly number[],
  mean: number,
  slope: number,
  middle: number,
): { variance: number; skewness: number; correlation: number } {
  // Outliers stay at zero: they neither add to a product of neighbours nor bring them together.
  const deviations = new Float64Array(scores.length)
  for (const index of typical) deviations[index] = (scores[index] ?? 0) - mean - slope * (index - middle)
  let [squares, cubes, products] = [0, 0, 0]
  for (const [index, deviation] of deviations.entries()) {
    squares += deviation ** 2
    cubes += deviation ** 3
    products += deviation * (deviations[index - 1] ?? 0)
  }
  const spread = squares / typical.length
  // Where every typical run is the same, the spread is what the scale says it is at least.
  if (!(spread > 1e-12)) return { variance: 1, skewness: 0, correlation: 0 }
  return {
    variance: squares / (typical.length - 1),
    skewness: cubes / typical.length / spread ** 1.5,
    correlation: carefulCorrelation(products / squares, scores.length),
  }
}

/**
 * Too little correlation makes false alarms, too much only makes them late; so one that chance explains (below one
 * standard error, 1 / √runs) is none, and one that it does not (above two) is raised by three quarters of an error.
 */
function carefulCorrelation(measured: number, runs: number): number {
  const error = 1 / Math.sqrt(runs)
  // The bias of a lag-1 correlation about an estimated mean (Kendall 1954).
  const unbiased = measured + (1 + 4 * measured) / runs
  const raised = limit(unbiased / error - 1, 0, 1) * (unbiased + 0.75 * error)
  const prior = CORRELATION_PRIOR * (1 - runs / CORRELATION_KNOWN_RUNS)
  return limit(raised, Math.max(0, prior), 0.95)
}

function isLoneOutlier(raw: Float64Array, index: number): boolean {
  const isOutlier = (at: number) => Math.abs(raw[at] ?? 0) > OUTLIER
  return isOutlier(index) && !isOutlier(index - 1) && !isOutlier(index + 1)
}

function limit(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}

function sumOf(indices: readonly number[], term: (index: number) => number): number {
  let sum = 0
  for (const index of indices) sum += term(index)
  return sum
}
