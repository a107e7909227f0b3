/** What one tick may hold; a generator that is what it says is far below. */
export const tickLimits = {
  /** A week. */
  second: 7 * 86_400,
  actions: 10_000,
  action: 9_999,
  profiles: 200,
  /** 2^43 microseconds are a hundred days: sums over all agents and seconds of a run stay exact, which end at 2^53. */
  counter: 2 ** 43,
} as const

/** @throws RangeError unless it is a whole number from 0 to `max` */
export function checkedNumber(value: number, max: number, what: string): number {
  if (Number.isInteger(value) && value >= 0 && value <= max) return value
  throw new RangeError(`The ${what} is ${value}, and must be a whole number from 0 to ${max}`)
}
