/** Numbers described by two normal distributions with one spread, and a few strays. */
export interface TwoModes {
  logLikelihood: number
  lower: number
  upper: number
  upperShare: number
  stdev: number
}

interface FitOptions {
  /** The modes are at least so far apart. */
  gapMin: number
  /** Over which strays are anywhere. */
  range: number
}

/** No sample says that its modes are narrower. */
const STDEV_MIN = 0.005
/** Before anything is known. */
const STDEV_START = 0.025
/** The share of numbers that belong to no mode. */
const STRAY_SHARE = 0.1
const ROUNDS_MAX = 40

/** The best of several starts, with the numbers parted at different places; or from a description that is near already. */
export function fitTwoModes(numbers: readonly number[], options: FitOptions, near?: TwoModes): TwoModes {
  if (near !== undefined) return fitFrom(numbers, near, options)
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? 0
  const fits = [0.15, 0.3, 0.5, 0.7, 0.85].map((share) => {
    const start = {
      lower: at(share / 2),
      upper: at((1 + share) / 2),
      upperShare: 1 - share,
      stdev: STDEV_START,
    }
    return fitFrom(sorted, start, options)
  })
  return fits.reduce((one, other) => (other.logLikelihood > one.logLikelihood ? other : one))
}

/** Expectation and maximization: Dempster, Laird and Rubin (1977), Journal of the Royal Statistical Society B 39:1–38. */
function fitFrom(
  numbers: readonly number[],
  start: Omit<TwoModes, 'logLikelihood'>,
  { gapMin, range }: FitOptions,
): TwoModes {
  let { lower, upper, upperShare, stdev } = start
  let logLikelihood = -Infinity
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const height = (1 - STRAY_SHARE) / (stdev * Math.sqrt(2 * Math.PI))
    let [inLower, inUpper, sumLower, sumUpper, squares, found] = [0, 0, 0, 0, 0, 0]
    for (const number of numbers) {
      const ofLower = (1 - upperShare) * height * Math.exp(-0.5 * ((number - lower) / stdev) ** 2)
      const ofUpper = upperShare * height * Math.exp(-0.5 * ((number - upper) / stdev) ** 2)
      const density = ofLower + ofUpper + STRAY_SHARE / range
      found += Math.log(density)
      inLower += ofLower / density
      inUpper += ofUpper / density
      sumLower += (ofLower / density) * number
      sumUpper += (ofUpper / density) * number
      squares += (ofLower * (number - lower) ** 2 + ofUpper * (number - upper) ** 2) / density
    }
    const gain = found - logLikelihood
    logLikelihood = found
    if (gain < 1e-3) break
    if (inLower > 1e-9) lower = sumLower / inLower
    if (inUpper > 1e-9) upper = sumUpper / inUpper
    const missing = gapMin - (upper - lower)
    if (missing > 0) {
      lower -= missing / 2
      upper += missing / 2
    }
    stdev = Math.max(STDEV_MIN, Math.sqrt(squares / (inLower + inUpper)))
    upperShare = Math.min(0.999, Math.max(0.001, inUpper / (inLower + inUpper)))
  }
  return { logLikelihood, lower, upper, upperShare, stdev }
}
