/**
 * The standard normal distribution function, absolute error below 7.5e-8.
 * @see Abramowitz & Stegun (1964), Handbook of Mathematical Functions, formula 26.2.17
 */
export function normalCdf(z: number): number {
  if (z < 0) return 1 - normalCdf(-z)
  const t = 1 / (1 + 0.2316419 * z)
  const polynomial =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial
}

/** The z below which a share `p` of the standard normal distribution lies, between −8 and 8. */
export function normalQuantile(p: number): number {
  return invert(normalCdf, p, 8)
}

/** The x in ±`limit` where the rising function `cdf` reaches `p`, by bisection. */
function invert(cdf: (x: number) => number, p: number, limit: number): number {
  let low = -limit
  let high = limit
  for (let step = 0; step < 80; step += 1) {
    const middle = (low + high) / 2
    if (cdf(middle) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}
