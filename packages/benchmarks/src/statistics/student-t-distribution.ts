import { normalQuantile } from './normal-distribution.ts'

/**
 * The distribution function of Student's t with `df` degrees of freedom (which need not be whole):
 * P(T ≤ t) = 1 − I_x(df/2, 1/2) / 2 with x = df / (df + t²), for t ≥ 0.
 * @see Abramowitz & Stegun (1964), formulas 26.7.1 and 26.5.27
 */
export function studentTCdf(t: number, df: number): number {
  if (t < 0) return 1 - studentTCdf(-t, df)
  return 1 - regularizedBeta(df / (df + t * t), df / 2, 0.5) / 2
}

/** P(|T| ≥ |t|), exact to the last digits where it is tiny. */
export function studentTTwoSided(t: number, df: number): number {
  return regularizedBeta(df / (df + t * t), df / 2, 0.5)
}

/**
 * The t below which a share `p` lies. Above the median the distribution function is concave and its quantiles are
 * beyond those of the normal distribution, so Newton's method rises from there without overshooting.
 */
export function studentTQuantile(p: number, df: number): number {
  if (p < 0.5) return -studentTQuantile(1 - p, df)
  let t = normalQuantile(p)
  const scale = Math.exp(logGamma((df + 1) / 2) - logGamma(df / 2)) / Math.sqrt(df * Math.PI)
  for (let step = 0; step < 100; step += 1) {
    const density = scale * (1 + (t * t) / df) ** (-(df + 1) / 2)
    const distance = (studentTTwoSided(t, df) / 2 - (1 - p)) / density
    t += distance
    if (Math.abs(distance) <= 1e-10 * (1 + t)) break
  }
  return t
}

/**
 * How many standard errors an interval of this confidence reaches to either side, by whole degrees of freedom. Each is
 * worked out once.
 */
export function twoSidedQuantiles(confidence: number): (df: number) => number {
  const known = new Map<number, number>()
  return (df) => {
    const quantile = known.get(df) ?? studentTQuantile((1 + confidence) / 2, df)
    known.set(df, quantile)
    return quantile
  }
}

/** I_x(a, b) by its continued fraction (Abramowitz & Stegun 26.5.8), evaluated with Lentz's method. */
function regularizedBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction converges fast on this side of the mean only; the other side is its mirror.
  if (x > (a + 1) / (a + b + 2)) return 1 - regularizedBeta(1 - x, b, a)
  const front =
    Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a
  const tiny = 1e-300
  let c = 1
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1), tiny)
  let fraction = d
  for (let m = 1; m <= 500; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / nonZero(1 + even * d, tiny)
    c = nonZero(1 + even / c, tiny)
    fraction *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / nonZero(1 + odd * d, tiny)
    c = nonZero(1 + odd / c, tiny)
    fraction *= d * c
    if (Math.abs(d * c - 1) < 1e-12) break
  }
  return front * fraction
}

function nonZero(value: number, tiny: number): number {
  return Math.abs(value) < tiny ? tiny : value
}

/** ln Γ(x) for x > 0: Stirling's series (Abramowitz & Stegun 6.1.41) after stepping up to x ≥ 8 by Γ(x+1) = xΓ(x). */
function logGamma(x: number): number {
  let shift = 0
  let z = x
  while (z < 8) {
    shift += Math.log(z)
    z += 1
  }
  const series = 1 / (12 * z) - 1 / (360 * z ** 3) + 1 / (1260 * z ** 5) - 1 / (1680 * z ** 7)
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift
}
