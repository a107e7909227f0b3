import { HistogramList } from './histogram-list.ts'
import { slotCount } from './slots.ts'
import type { Histogram } from './tick.ts'

/**
 * Adds histograms up. Slots that counted something are marked in two levels of bits, so that to read a thousandth of
 * them in order takes no sorting and no look at the rest.
 */
export class HistogramSum {
  readonly #counts = new Float64Array(slotCount)
  readonly #marks = new Int32Array(Math.ceil(slotCount / 32))
  readonly #marksOfMarks = new Int32Array(Math.ceil(slotCount / 1024))

  /** From `start` to before `end`, so many times; -1 takes it off. Counts may be negative, for differences. */
  add(
    slots: Uint16Array,
    counts: Uint32Array | Float64Array,
    start = 0,
    end = slots.length,
    times = 1,
  ): void {
    const sums = this.#counts
    const marks = this.#marks
    const marksOfMarks = this.#marksOfMarks
    for (let index = start; index < end; index++) {
      const slot = slots[index] ?? 0
      sums[slot] = (sums[slot] ?? 0) + times * (counts[index] ?? 0)
      const word = slot >> 5
      marks[word] = (marks[word] ?? 0) | (1 << (slot & 31))
      marksOfMarks[word >> 5] = (marksOfMarks[word >> 5] ?? 0) | (1 << (word & 31))
    }
  }

  /** The same of one slot. */
  count(slot: number, count: number): void {
    const word = slot >> 5
    this.#counts[slot] = (this.#counts[slot] ?? 0) + count
    this.#marks[word] = (this.#marks[word] ?? 0) | (1 << (slot & 31))
    this.#marksOfMarks[word >> 5] = (this.#marksOfMarks[word >> 5] ?? 0) | (1 << (word & 31))
  }

  /** The same as a histogram of its own. */
  drain(): Histogram {
    drained.clear()
    this.drainInto(drained)
    const { slots, counts } = drained.at(0)
    return { slots: slots.slice(), counts: counts.slice() }
  }

  /** Adds each slot whose count is not zero to the list, rising, as one histogram, and is empty then. */
  drainInto(list: HistogramList): void {
    const sums = this.#counts
    const marks = this.#marks
    const marksOfMarks = this.#marksOfMarks
    for (let top = 0; top < marksOfMarks.length; top++) {
      let words = marksOfMarks[top] ?? 0
      marksOfMarks[top] = 0
      while (words !== 0) {
        const lowestWord = words & -words
        words ^= lowestWord
        const word = (top << 5) + 31 - Math.clz32(lowestWord)
        let bits = marks[word] ?? 0
        marks[word] = 0
        while (bits !== 0) {
          const lowestBit = bits & -bits
          bits ^= lowestBit
          const slot = (word << 5) + 31 - Math.clz32(lowestBit)
          const count = sums[slot] ?? 0
          sums[slot] = 0
          if (count !== 0) list.push(slot, count)
        }
      }
    }
    list.endOne()
  }
}

// Grown once to what is needed, and used again.
const drained = new HistogramList(1)

// One for all, because it is large, and empty again after each use.
const sum = new HistogramSum()

/** All of them together. */
export function mergeHistograms(histograms: readonly Histogram[]): Histogram {
  for (const { slots, counts } of histograms) sum.add(slots, counts)
  return sum.drain()
}

/** What must be added to the first one to have the second: rising slots, and counts that may be negative. */
export function histogramDifference(from: Histogram, to: Histogram): Histogram {
  const slots: number[] = []
  const counts: number[] = []
  let left = 0
  let right = 0
  while (left < from.slots.length || right < to.slots.length) {
    const leftSlot = from.slots[left] ?? slotCount
    const rightSlot = to.slots[right] ?? slotCount
    const slot = Math.min(leftSlot, rightSlot)
    let count = 0
    if (rightSlot === slot) count += to.counts[right++] ?? 0
    if (leftSlot === slot) count -= from.counts[left++] ?? 0
    if (count === 0) continue
    slots.push(slot)
    counts.push(count)
  }
  return { slots: Uint16Array.from(slots), counts: Float64Array.from(counts) }
}
