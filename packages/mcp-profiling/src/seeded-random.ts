/** Numbers from 0 to below 1 that are the same for the same seed: a linear congruential generator (Knuth's MMIX constants). */
export function seededRandom(seed: number): () => number {
  // The first numbers of neighbouring seeds would be alike.
  let state = BigInt.asUintN(64, BigInt(Math.trunc(seed)) * 0x9e3779b97f4a7c15n)
  return () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n)
    return Number(state >> 11n) / 2 ** 53
  }
}
