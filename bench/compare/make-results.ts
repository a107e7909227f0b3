import type { NewResult } from '@flamegate/operations/ports'

export type MadeResult = NewResult

/** Mulberry32: the same seed, the same results. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Results as a wall-time harness gives them: a distribution, ten rounds if asked for, and a second metric. */
export function makeResults(
  count: number,
  { seed, rounds, slower = 0 }: { seed: number; rounds: number; slower?: number },
): MadeResult[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const level = 1_000 + (index % 977) * 10
    // One in a hundred is slower by that share.
    const value = level * (index % 100 === 7 ? 1 + slower : 1) * (1 + 0.02 * (random() - 0.5))
    const values = Array.from({ length: rounds }, () => value * (1 + 0.01 * (random() - 0.5)))
    return {
      uri: `bench/group-${index % 50}.bench.ts::suite ${index % 7}::case ${index}`,
      name: `case ${index}`,
      instrument: 'walltime',
      metric: 'time',
      betterWhen: 'lower',
      value,
      unit: 'ns',
      stats: {
        statistic: 'mean',
        mean: value,
        stdev: value * 0.01,
        min: value * 0.98,
        max: value * 1.03,
        rounds: 40,
        iterationsPerRound: 1_000,
      },
      metrics: [{ name: 'memory', value: level * 8, unit: 'B', betterWhen: 'lower' }],
      ...(rounds === 0 ? {} : { roundValues: values }),
    }
  })
}
