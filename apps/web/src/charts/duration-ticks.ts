const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Distances between ticks that people count times in. */
const steps = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((amount) => amount * second),
  ...[1, 2, 5, 10, 15, 30].map((amount) => amount * minute),
  ...[1, 2, 3, 6, 12, 24, 48, 168].map((amount) => amount * hour),
]

/** Round times from 0 up to a duration in milliseconds, at most so many. */
export function durationTicks(durationMs: number, most: number): number[] {
  const stepMs = steps.find((step) => durationMs / step < most) ?? steps.at(-1) ?? hour
  return Array.from({ length: Math.floor(durationMs / stepMs) + 1 }, (_, index) => index * stepMs)
}
