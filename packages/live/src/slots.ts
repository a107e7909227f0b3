/**
 * Slots of a histogram of whole numbers, nanoseconds or bytes, from 0 to 2^53: 32 for each doubling, so that a value is known to
 * 1.6 %. Laid out as HdrHistogram lays out its counts, with fewer bits
 * (https://github.com/HdrHistogram/HdrHistogram/blob/master/src/main/java/org/HdrHistogram/AbstractHistogram.java).
 */

const bits = 5
const half = 2 ** bits
/** Nine years of nanoseconds; what is more is counted with it. */
const largest = 2 ** 58 - 2 ** 26

/** The slot that counts a value: whole, and at least 0. */
export function slotOf(counted: number): number {
  if (counted < half) return counted > 0 ? Math.floor(counted) : 0
  const value = Math.min(counted, largest)
  const high = Math.floor(value / 2 ** 26)
  const exponent = high > 0 ? 57 - Math.clz32(high) : 31 - Math.clz32(value)
  const shift = exponent - bits
  return (shift << bits) + Math.floor(value / 2 ** shift)
}

/** The smallest value that a slot counts. */
export function lowestOf(slot: number): number {
  const shift = shiftOf(slot)
  return (slot - (shift << bits)) * 2 ** shift
}

/** The largest whole value that a slot counts. */
export function highestOf(slot: number): number {
  return lowestOf(slot) + 2 ** shiftOf(slot) - 1
}

function shiftOf(slot: number): number {
  return slot < 2 * half ? 0 : (slot >> bits) - 1
}
