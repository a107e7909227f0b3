/** Part of a series: indices [start, end). */
export interface Interval {
  start: number
  end: number
}

const SHRINK = Math.SQRT1_2

/**
 * Intervals of [0, length), longest first: in every layer they are shorter by √½ and overlap by half, so that any change
 * has one around it that holds no other, if there is one. Their lengths add up to about 2 × length × layers.
 * @see Kovács, Bühlmann, Li & Munk (2023), Seeded binary segmentation, Biometrika 110:249–256
 */
export function seededIntervals(length: number, shortest: number): Interval[] {
  const intervals: Interval[] = []
  for (let width = length; width >= shortest; width *= SHRINK) {
    const count = 2 * Math.ceil(length / width) - 1
    const stride = count === 1 ? 0 : (length - width) / (count - 1)
    for (let at = 0; at < count; at += 1) {
      intervals.push({
        start: Math.floor(at * stride),
        end: Math.min(length, Math.ceil(at * stride + width)),
      })
    }
  }
  return intervals
}
