import { logRange } from './history-columns.ts'

/** An axis of values from left (0) to right (1). */
export interface ValueAxis {
  isLogarithmic: boolean
  /** Where a value lies; what is beyond an end lies at it. */
  place: (value: number) => number
  /** The value at a place. */
  at: (place: number) => number
}

/** From here on the smaller side would be a line at the edge of an even axis. */
const orders = 10

/**
 * An axis with some air around what reaches from `low` to `high`: even and never below zero for values that are not,
 * but logarithmic where `middles`, the values of the sides that are compared, differ by an order of magnitude.
 */
export function valueAxis([low, high]: readonly [number, number], middles: readonly number[]): ValueAxis {
  const isLogarithmic = low > 0 && Math.max(...middles) >= orders * Math.min(...middles)
  const [first, last] = isLogarithmic ? logRange(low, high) : evenRange(low, high)
  const ratio = last / first
  return {
    isLogarithmic,
    place: (value) => {
      const place = isLogarithmic
        ? Math.log(Math.max(value, first) / first) / Math.log(ratio)
        : (value - first) / (last - first)
      return Math.max(0, Math.min(1, place))
    },
    at: (place) => (isLogarithmic ? first * ratio ** place : first + place * (last - first)),
  }
}

function evenRange(low: number, high: number): [number, number] {
  const air = (high - low) * 0.15 || Math.abs(high) * 0.05 || 1
  return [low >= 0 ? Math.max(0, low - air) : low - air, high + air]
}
