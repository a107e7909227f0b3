/** A line through the values that a site has in use, and its trend. */
export interface TrendLine {
  name: string
  values: readonly number[]
  slopePerHour: number
}

export interface TrendScale {
  /** Where a time or a value lies, from 0 (left, bottom) to 1. */
  x: (timeMs: number) => number
  y: (value: number) => number
  /** Round values up to the largest, from 0 on. */
  yTicks: number[]
}

const tickCount = 4

/** The axes that all lines fit on. Values begin at 0, so that a steady site looks steady. */
export function trendScale(timesMs: readonly number[], lines: readonly TrendLine[]): TrendScale {
  const [first = 0, last = 1] = [timesMs[0], timesMs.at(-1)]
  const largest = Math.max(1, ...lines.flatMap(({ values }) => values))
  const step = roundBytes(largest / tickCount)
  const count = Math.ceil(largest / step)
  return {
    x: (timeMs) => (last > first ? (timeMs - first) / (last - first) : 0.5),
    y: (value) => value / (step * count),
    yTicks: Array.from({ length: count + 1 }, (_, index) => index * step),
  }
}

/** The next of 1, 2, 5, 10, … times a power of 1024. */
function roundBytes(bytes: number): number {
  const unit = 1024 ** Math.max(0, Math.floor(Math.log(bytes) / Math.log(1024)))
  const digit = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1024].find((each) => each * unit >= bytes) ?? 1024
  return digit * unit
}

/**
 * The ends of the trend: with the slope, through the middle of what the line is above and below it (the median of what is
 * left of each value), as Theil and Sen draw it.
 */
export function trendEnds(timesMs: readonly number[], { values, slopePerHour }: TrendLine): [number, number] {
  const hours = timesMs.map((time) => (time - (timesMs[0] ?? 0)) / 3_600_000)
  const rests = values
    .map((value, index) => value - slopePerHour * (hours[index] ?? 0))
    .toSorted((a, b) => a - b)
  const middle = rests.length >> 1
  const start =
    rests.length % 2 === 1 ? (rests[middle] ?? 0) : ((rests[middle - 1] ?? 0) + (rests[middle] ?? 0)) / 2
  return [start, start + slopePerHour * (hours.at(-1) ?? 0)]
}
