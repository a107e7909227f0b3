import type { McpReport } from '../report.ts'

export type SweepKnee =
  /** From here on more concurrent calls only wait; the gain is what the highest number has more of throughput than here. */
  | { outcome: 'seen'; concurrent: number; requestsPerSecond: number; gainPercent: number }
  /** Throughput still grew at the highest number. */
  | { outcome: 'none'; concurrent: number; requestsPerSecond: number }
  | { outcome: 'unknown'; why: string }

/** Fewer points make no curve. */
const LEVELS_MIN = 4
/** A knee is where this share of the highest throughput is reached. */
const NEARLY_ALL = 0.95
/** Beyond the knee the number of calls at once has to be at least so many times as high, for it to be seen. */
const BEYOND_MIN = 1.9

/**
 * Where throughput stops growing with the number of concurrent calls: the least number that reaches 95 % of the highest
 * throughput, by the rising curve that is nearest (isotonic regression), so that noise makes no knee. It is seen only when
 * at least twice as many were tried beyond it, for else growth may just have been slow.
 */
export function sweepKnee(sweep: McpReport['sweep']): SweepKnee {
  const levels = sweep
    .filter(({ targetRps }) => targetRps === null)
    .toSorted((a, b) => a.concurrent - b.concurrent)
  const last = levels.at(-1)
  if (last === undefined || levels.length < LEVELS_MIN)
    return {
      outcome: 'unknown',
      why: `${levels.length} numbers of concurrent calls were tried; ${LEVELS_MIN} make a curve`,
    }
  const rates = isotonic(levels.map(({ requestsPerSecond }) => requestsPerSecond))
  const highest = rates.at(-1) ?? 0
  const at = rates.findIndex((rate) => rate >= NEARLY_ALL * highest)
  const knee = levels[at]
  if (knee === undefined || highest <= 0) return { outcome: 'unknown', why: 'no call was answered' }
  const { concurrent } = knee
  const requestsPerSecond = rates[at] ?? 0
  if (last.concurrent < BEYOND_MIN * concurrent)
    return { outcome: 'none', concurrent: last.concurrent, requestsPerSecond: highest }
  return {
    outcome: 'seen',
    concurrent,
    requestsPerSecond,
    gainPercent: 100 * (highest / requestsPerSecond - 1),
  }
}

/** The rising curve that is nearest to the values, by pooling adjacent violators. */
function isotonic(values: readonly number[]): number[] {
  const pools: { mean: number; length: number }[] = []
  for (const value of values) {
    let pool = { mean: value, length: 1 }
    for (let before = pools.at(-1); before !== undefined && before.mean >= pool.mean; before = pools.at(-1)) {
      pools.pop()
      const length = before.length + pool.length
      pool = { mean: (before.mean * before.length + pool.mean * pool.length) / length, length }
    }
    pools.push(pool)
  }
  return pools.flatMap(({ mean, length }) => Array.from({ length }, () => mean))
}
