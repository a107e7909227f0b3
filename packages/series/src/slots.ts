/**
 * Slots of an HdrHistogram of whole microseconds with three significant digits: 1,024 slots for each doubling, so that a value
 * is known to 0.1 %. Numbered as HdrHistogram numbers its counts
 * (https://github.com/HdrHistogram/HdrHistogram/blob/master/src/main/java/org/HdrHistogram/AbstractHistogram.java, countsArrayIndex).
 */

const bits = 10
/** 2^31 - 1 microseconds, 35 minutes: what is longer counts as that. */
export const valueMax = 2 ** 31 - 1
export const slotCount = slotOf(valueMax) + 1

/** The slot that counts a value in whole microseconds, from 0 to `valueMax`. */
export function slotOf(microseconds: number): number {
  const exponent = 31 - Math.clz32(microseconds | 1)
  const shift = exponent > bits ? exponent - bits : 0
  return (shift << bits) + (microseconds >>> shift)
}

/** The smallest value that the slot counts, in microseconds. */
export function lowestOf(slot: number): number {
  const shift = shiftOf(slot)
  return (slot - (shift << bits)) * 2 ** shift
}

/** The largest value that the slot counts, in microseconds. */
export function highestOf(slot: number): number {
  return lowestOf(slot) + 2 ** shiftOf(slot) - 1
}

function shiftOf(slot: number): number {
  return slot < 2 << bits ? 0 : (slot >> bits) - 1
}
