import { quantile } from './quantile.ts'

/**
 * How densely values lie along a range: `steps` numbers from its low to its high end, the largest of them 1. A kernel
 * estimate with Gaussian kernels; the bandwidth is Silverman's rule of thumb with the smaller of deviation and
 * quartile distance (Density Estimation, 1986, equation 3.31), so that outliers do not blur it.
 */
export function densityAlong(
  values: readonly number[],
  [low, high]: readonly [low: number, high: number],
  steps: number,
): number[] {
  const step = (high - low) / (steps - 1)
  const bandwidth = Math.max(bandwidthOf(values), step / 2)
  // Counted into steps first, so that thousands of rounds cost as much as a few.
  const counts = Array.from({ length: steps }, () => 0)
  for (const value of values) {
    const index = Math.round((value - low) / step)
    if (index >= 0 && index < steps) counts[index] = (counts[index] ?? 0) + 1
  }
  const kernel = counts.map((_, distance) => Math.exp(-0.5 * ((distance * step) / bandwidth) ** 2))
  const densities = counts.map((_, at) =>
    counts.reduce((sum, count, index) => sum + count * (kernel[Math.abs(at - index)] ?? 0), 0),
  )
  const most = densities.reduce((a, b) => Math.max(a, b), 0) || 1
  return densities.map((density) => density / most)
}

function bandwidthOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance =
    values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1)
  const deviation = Math.sqrt(variance)
  const quartiles = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 1.34
  const spread = quartiles > 0 ? Math.min(deviation, quartiles) : deviation
  return 0.9 * spread * values.length ** -0.2
}

/** Thinner than this is not drawn: it would be a line through nothing. */
const isThick = (density: number) => density >= 0.004

/** A shape with that thickness along x, mirrored at `middleY`, as the `d` of an SVG path; empty where there is none. */
export function violinPath(
  densities: readonly number[],
  { widthPx, middleY, halfHeightPx }: { widthPx: number; middleY: number; halfHeightPx: number },
): string {
  const x = (index: number) => ((index / (densities.length - 1)) * widthPx).toFixed(1)
  const [first, last] = [densities.findIndex(isThick), densities.findLastIndex(isThick)]
  if (first === -1) return ''
  const edge = (sign: 1 | -1) =>
    densities
      .slice(first, last + 1)
      .map((density, at) => `${x(first + at)} ${(middleY + sign * density * halfHeightPx).toFixed(1)}`)
  return `M${edge(-1).join('L')}L${edge(1).toReversed().join('L')}Z`
}
