/** Whether two sets of times differ, by ranks, so that a few slow ones do not matter. */
export interface RankTest {
  /** Cliff's delta: how much more often one of the first is the greater than one of the second; 0 for no difference, 1 or -1 for all. */
  delta: number
  /** Two-sided, of the Mann-Whitney U test by its normal approximation. */
  p: number
}

export function rankTest(first: readonly number[], second: readonly number[]): RankTest {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ]
  all.sort((a, b) => a.value - b.value)
  let rankSum = 0
  for (let from = 0; from < all.length;) {
    let to = from
    while (to < all.length && all[to]?.value === all[from]?.value) to += 1
    const rank = (from + 1 + to) / 2
    for (let at = from; at < to; at += 1) if (all[at]?.isFirst === true) rankSum += rank
    from = to
  }
  const [n, m] = [first.length, second.length]
  const u = rankSum - (n * (n + 1)) / 2
  const z = (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  return { delta: (2 * u) / (n * m) - 1, p: 2 * (1 - normal(Math.abs(z))) }
}

/** Of the standard normal distribution, by Abramowitz and Stegun 26.2.17. */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 1 - tail
}
