import { normalCdf } from './normal-distribution.ts'

/** Up to this many rounds on both sides together, the exact distribution is counted out. */
export const EXACT_ROUNDS_MAX = 30

/**
 * Two-sided p-value of the Mann–Whitney U test (Wilcoxon rank-sum): how probable ranks at least this lopsided are when
 * both samples come from one distribution. Few rounds: exact permutation distribution of the midranks, so ties are
 * no approximation. Many: normal approximation with tie and continuity correction.
 * @see Mann & Whitney (1947), Annals of Mathematical Statistics 18:50–60; Lehmann (1975), Nonparametrics, 1.4
 */
export function mannWhitneyPValue(base: readonly number[], head: readonly number[]): number {
  const { doubledRanks, tieTerm } = rankTogether(base, head)
  const baseRankSum = sum(doubledRanks.slice(0, base.length))
  const expected = base.length * (base.length + head.length + 1)
  const distance = Math.abs(baseRankSum - expected)
  if (doubledRanks.length <= EXACT_ROUNDS_MAX)
    return exactPValue(doubledRanks, base.length, expected, distance)
  const total = doubledRanks.length
  const variance = ((base.length * head.length) / 12) * (total + 1 - tieTerm / (total * (total - 1)))
  if (variance === 0) return 1
  // Ranks are doubled: half of the distance is the distance of U, from which the continuity correction takes ½.
  const z = Math.max(0, distance / 2 - 0.5) / Math.sqrt(variance)
  return Math.min(1, 2 * (1 - normalCdf(z)))
}

/** The smallest p-value that samples of these sizes can reach (exact, without ties): 2 / C(n + m, n). */
export function smallestPValue(baseCount: number, headCount: number): number {
  let choices = 1
  for (let at = 1; at <= baseCount; at += 1) choices *= (headCount + at) / at
  return Math.min(1, 2 / choices)
}

/** Ranks × 2, so that midranks of ties are whole numbers; base first. tieTerm = Σ (t³ − t) over groups of ties. */
function rankTogether(
  base: readonly number[],
  head: readonly number[],
): { doubledRanks: number[]; tieTerm: number } {
  const values = [...base, ...head]
  const order = values.map((_, index) => index).toSorted((a, b) => (values[a] ?? 0) - (values[b] ?? 0))
  const doubledRanks: number[] = values.map(() => 0)
  let tieTerm = 0
  for (let start = 0; start < order.length;) {
    let end = start + 1
    while (end < order.length && values[order[end] ?? 0] === values[order[start] ?? 0]) end += 1
    // Ranks start + 1 … end share their mean (start + 1 + end) / 2.
    for (const index of order.slice(start, end)) doubledRanks[index] = start + 1 + end
    tieTerm += (end - start) ** 3 - (end - start)
    start = end
  }
  return { doubledRanks, tieTerm }
}

/** The share of all ways to choose `size` of the ranks whose sum is at least `distance` from `expected`. */
function exactPValue(doubledRanks: number[], size: number, expected: number, distance: number): number {
  let extreme = 0
  let all = 0
  for (const [total, count] of rankSumCounts(doubledRanks, size)) {
    all += count
    if (Math.abs(total - expected) >= distance) extreme += count
  }
  return extreme / all
}

/** Each sum that `size` of the ranks can have, and in how many ways. C(30, 15) < 2^53, so counts are exact. */
export function rankSumCounts(ranks: readonly number[], size: number): Map<number, number> {
  // ways[k] is the answer for k of the ranks seen so far.
  const ways = Array.from({ length: size + 1 }, () => new Map<number, number>())
  ways[0]?.set(0, 1)
  for (const rank of ranks) {
    for (let chosen = size; chosen > 0; chosen -= 1) {
      for (const [partial, count] of ways[chosen - 1] ?? []) {
        const target = ways[chosen]
        target?.set(partial + rank, (target.get(partial + rank) ?? 0) + count)
      }
    }
  }
  return ways[size] ?? new Map<number, number>()
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
