/** Numbers between 0 and 1 that are the same in every run: a linear congruential generator (Knuth's MMIX constants). */
export function randomNumbers(seed: number): () => number {
  let state = BigInt(seed)
  return () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n)
    return Number(state >> 11n) / 2 ** 53
  }
}

/** From the standard normal distribution (Box & Muller 1958). */
export function normalNumber(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Rounds as timers see them: a floor, some jitter, and now and then a slow one. */
export function noisyRounds(
  random: () => number,
  { centerNs, spread, count }: { centerNs: number; spread: number; count: number },
): number[] {
  return Array.from({ length: count }, () => {
    const normal = normalNumber(random)
    const outlier = random() < 0.03 ? 1 + random() : 1
    return centerNs * Math.max(0.5, 1 + spread * normal) * outlier
  })
}
