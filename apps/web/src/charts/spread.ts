import { quantile } from './quantile.ts'

/** What a run says of how a benchmark's rounds lie; in the unit of the result. */
export interface Measured {
  value: number
  rounds: readonly number[] | null
  stats: Partial<
    Record<'min' | 'q1' | 'median' | 'q3' | 'max' | 'mean' | 'stdev' | 'low' | 'high' | 'rounds', number>
  >
}

/** Five numbers, ascending. `whiskers` says what the outer two are. */
export interface Spread {
  low: number
  q1: number | null
  middle: number
  q3: number | null
  high: number
  whiskers: 'least and most' | 'one standard deviation' | 'stated bounds' | 'one round' | 'nothing'
}

/** With fewer rounds a shape would be made up. */
const fewestRounds = 8

/** The best that is known of a spread: the rounds, else their quartiles, else a deviation, else bounds. */
export function spreadOf({ value, rounds, stats }: Measured): Spread {
  const { min, q1, median, q3, max, mean, stdev, low, high } = stats
  const bare = { q1: null, middle: value, q3: null }
  // Tools tell quartiles of a single round too.
  if ((rounds?.length ?? stats.rounds) === 1)
    return { ...bare, low: value, high: value, whiskers: 'one round' }
  if (rounds !== null && rounds.length > 1) {
    const sorted = rounds.toSorted((a, b) => a - b)
    const at = (share: number) => quantile(sorted, share)
    return {
      low: at(0),
      q1: at(0.25),
      middle: at(0.5),
      q3: at(0.75),
      high: at(1),
      whiskers: 'least and most',
    }
  }
  if (min !== undefined && max !== undefined) {
    const hasBox = q1 !== undefined && q3 !== undefined
    return {
      low: min,
      q1: hasBox ? q1 : null,
      middle: median ?? value,
      q3: hasBox ? q3 : null,
      high: max,
      whiskers: 'least and most',
    }
  }
  if (stdev !== undefined) {
    const middle = mean ?? value
    return { ...bare, middle, low: middle - stdev, high: middle + stdev, whiskers: 'one standard deviation' }
  }
  if (low !== undefined && high !== undefined) return { ...bare, low, high, whiskers: 'stated bounds' }
  return { ...bare, low: value, high: value, whiskers: 'nothing' }
}

/** Whether there is anything to draw beyond one value. */
export function hasSpread(measured: Measured): boolean {
  const { low, high } = spreadOf(measured)
  return high > low
}

/** Rounds of which a shape can be drawn; undefined when there are too few. */
export function shapedRounds({ rounds }: Measured): readonly number[] | undefined {
  return rounds !== null && rounds.length >= fewestRounds ? rounds : undefined
}

/** Ascending values with the share of rounds (0 to 1) that are at most as large; undefined where nothing tells. */
export function quantilePoints(measured: Measured): { value: number; share: number }[] | undefined {
  const { rounds } = measured
  if (rounds !== null && rounds.length > 1) {
    const sorted = rounds.toSorted((a, b) => a - b)
    return sorted.map((value, index) => ({ value, share: index / (sorted.length - 1) }))
  }
  const { low, q1, middle, q3, high } = spreadOf(measured)
  if (q1 === null || q3 === null) return undefined
  return [low, q1, middle, q3, high].map((value, index) => ({ value, share: index / 4 }))
}

/**
 * From where to where several spreads are drawn above one another. Rounds that are far out, beyond five box widths, do
 * not stretch it: they would flatten everything else.
 */
export function spreadReach(spreads: readonly Spread[]): [low: number, high: number] {
  const lows = spreads.map(({ low, q1, q3 }) =>
    q1 === null || q3 === null ? low : Math.max(low, q1 - 5 * (q3 - q1 || Math.abs(q1) * 0.01)),
  )
  const highs = spreads.map(({ high, q1, q3 }) =>
    q1 === null || q3 === null ? high : Math.min(high, q3 + 5 * (q3 - q1 || Math.abs(q3) * 0.01)),
  )
  const middles = spreads.map(({ middle }) => middle)
  return [Math.min(...lows, ...middles), Math.max(...highs, ...middles)]
}
