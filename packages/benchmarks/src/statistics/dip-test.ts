/**
 * Hartigan's dip: the largest distance between the distribution function of the sample and the nearest unimodal one.
 * Between 1 / (2n) for a sample with one hump and 1/4 for two far points.
 *
 * The nearest unimodal function is convex before its mode and concave after it. So the greatest convex minorant and the
 * least concave majorant of the sample are laid around it, and the interval in which the mode can be is shrunk to where
 * they are farthest apart, until it holds.
 * @param sorted ascending
 * @see Hartigan & Hartigan (1985), Annals of Statistics 13:70–84; Hartigan (1985), algorithm AS 217, Applied Statistics
 * 34:320–325, with Mächler's corrections
 */
export function dip(sorted: ArrayLike<number>): number {
  const count = sorted.length
  const at = (index: number): number => sorted[index] ?? Number.NaN
  if (count < 2 || at(0) === at(count - 1)) return 1 / (2 * Math.max(1, count))
  const minorant = supports(count, (index) => at(index), 1)
  const majorant = supports(count, (index) => at(index), -1)
  let low = 0
  let high = count - 1
  // In steps of the distribution function, that is 1 / n, and doubled.
  let best = 1
  for (;;) {
    // Both from the mode's interval outwards: the minorant from high down, the majorant from low up.
    const convex = walk(minorant, high, low)
    const concave = walk(majorant, low, high)
    const { distance, convexAt, concaveAt } = farthestApart(convex, concave, at)
    if (distance < best) break
    best = Math.max(best, largestGap(convex, convexAt, at, 1), largestGap(concave, concaveAt, at, -1))
    const [newLow, newHigh] = [convex[convexAt] ?? low, concave[concaveAt] ?? high]
    if (newLow === low && newHigh === high) break
    low = newLow
    high = newHigh
  }
  return best / (2 * count)
}

/** For each point the next one on the convex minorant towards the left (1) or the concave majorant towards the right (−1). */
function supports(count: number, at: (index: number) => number, way: 1 | -1): Int32Array {
  const end = way === 1 ? 0 : count - 1
  const next = new Int32Array(count)
  next[end] = end
  for (let index = end + way; index >= 0 && index < count; index += way) {
    next[index] = index - way
    for (;;) {
      const near = next[index] ?? end
      const far = next[near] ?? end
      if (near === end || (at(index) - at(near)) * (near - far) < (at(near) - at(far)) * (index - near)) break
      next[index] = far
    }
  }
  return next
}

/** The supports from one end of the mode's interval to the other, or just past it. */
function walk(next: Int32Array, from: number, to: number): number[] {
  const path = [from]
  const way = Math.sign(to - from)
  for (let index = from; (to - index) * way > 0;) {
    index = next[index] ?? to
    path.push(index)
  }
  return path
}

function farthestApart(
  convex: readonly number[],
  concave: readonly number[],
  at: (index: number) => number,
): { distance: number; convexAt: number; concaveAt: number } {
  let convexAt = convex.length - 1
  let concaveAt = concave.length - 1
  if (convex.length === 2 && concave.length === 2) return { distance: 1, convexAt, concaveAt }
  let distance = 0
  let left = convex.length - 2
  let right = 1
  for (;;) {
    const [lower, upper] = [convex[left] ?? 0, concave[right] ?? 0]
    if (lower > upper) {
      const before = convex[left + 1] ?? 0
      const gap =
        upper - before + 1 - ((at(upper) - at(before)) * (lower - before)) / (at(lower) - at(before))
      right += 1
      if (gap >= distance) [distance, convexAt, concaveAt] = [gap, left + 1, right - 1]
    } else {
      const before = concave[right - 1] ?? 0
      const gap =
        ((at(lower) - at(before)) * (upper - before)) / (at(upper) - at(before)) - (lower - before - 1)
      left -= 1
      if (gap >= distance) [distance, convexAt, concaveAt] = [gap, left + 1, right]
    }
    left = Math.max(0, left)
    right = Math.min(concave.length - 1, right)
    if (convex[left] === concave[right]) break
  }
  return { distance, convexAt, concaveAt }
}

/** How far the sample is from the line between two supports, at most, over all supports outside of the mode. */
function largestGap(
  path: readonly number[],
  from: number,
  at: (index: number) => number,
  way: 1 | -1,
): number {
  let largest = 0
  for (let place = from; place < path.length - 1; place += 1) {
    const [a, b] = [path[place] ?? 0, path[place + 1] ?? 0]
    const [start, end] = way === 1 ? [b, a] : [a, b]
    let gap = 1
    if (end - start > 1 && at(end) !== at(start)) {
      const slope = (end - start) / (at(end) - at(start))
      for (let index = start; index <= end; index += 1) {
        const line = (at(index) - at(start)) * slope
        gap = Math.max(gap, way === 1 ? index - start + 1 - line : line - (index - start - 1))
      }
    }
    largest = Math.max(largest, gap)
  }
  return largest
}
