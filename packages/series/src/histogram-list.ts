import { slotCount } from './slots.ts'
import type { Histogram } from './tick.ts'

/** Histograms one after the other in the same memory: the slots and counts of the nth end before `ends[n]`. */
export class HistogramList {
  slots: Uint16Array
  /** May be negative, where these are differences. */
  counts: Float64Array
  ends: Uint32Array
  /** How many histograms there are, and how many slots in them. */
  length = 0
  slotLength = 0

  /** With room for as many histograms, and slots in all of them; there can be more. */
  constructor(length = 16, slotLength = 64) {
    this.slots = new Uint16Array(slotLength)
    this.counts = new Float64Array(slotLength)
    this.ends = new Uint32Array(length)
  }

  push(slot: number, count: number): void {
    if (this.slotLength === this.slots.length) this.#growSlots(1)
    this.slots[this.slotLength] = slot
    this.counts[this.slotLength++] = count
  }

  /** As many slots of another list. */
  pushAll(slots: Uint16Array, counts: Uint32Array | Float64Array, start: number, end: number): void {
    const more = end - start
    if (this.slotLength + more > this.slots.length) this.#growSlots(more)
    // A loop, because views for a handful of them cost more.
    for (let index = start, at = this.slotLength; index < end; index++, at++) {
      this.slots[at] = slots[index] ?? 0
      this.counts[at] = counts[index] ?? 0
    }
    this.slotLength += more
  }

  /** The sum of a histogram of one list and of one of another, as one more: of slots that count something. */
  pushSum(list: HistogramList, index: number, other: HistogramList, otherIndex: number): void {
    let at = list.startOf(index)
    const end = list.endOf(index)
    const otherStart = other.startOf(otherIndex)
    const otherEnd = other.endOf(otherIndex)
    this.reserve(end - at + otherEnd - otherStart)
    const { slots, counts } = this
    const { slots: fromSlots, counts: fromCounts } = list
    let length = this.slotLength
    for (let otherAt = otherStart; otherAt < otherEnd; otherAt++) {
      const slot = other.slots[otherAt] ?? 0
      let from = at < end ? (fromSlots[at] ?? 0) : slotCount
      while (from < slot) {
        slots[length] = from
        counts[length++] = fromCounts[at++] ?? 0
        from = at < end ? (fromSlots[at] ?? 0) : slotCount
      }
      const count = (other.counts[otherAt] ?? 0) + (from === slot ? (fromCounts[at++] ?? 0) : 0)
      if (count === 0) continue
      slots[length] = slot
      counts[length++] = count
    }
    this.slotLength = length
    this.pushAll(list.slots, list.counts, at, end)
    this.endOne()
  }

  /** What was pushed since the last one is a histogram. */
  endOne(): void {
    if (this.length === this.ends.length) {
      const grown = new Uint32Array(Math.max(16, 2 * this.length))
      grown.set(this.ends)
      this.ends = grown
    }
    this.ends[this.length++] = this.slotLength
  }

  /** Makes room for as many more slots. */
  reserve(slots: number): void {
    if (this.slotLength + slots > this.slots.length) this.#growSlots(slots)
  }

  clear(): void {
    this.length = 0
    this.slotLength = 0
  }

  startOf(index: number): number {
    return index === 0 ? 0 : (this.ends[index - 1] ?? 0)
  }

  endOf(index: number): number {
    return this.ends[index] ?? 0
  }

  /** The nth, in the memory of the list. */
  at(index: number): Histogram {
    const [start, end] = [this.startOf(index), this.endOf(index)]
    return { slots: this.slots.subarray(start, end), counts: this.counts.subarray(start, end) }
  }

  #growSlots(more: number): void {
    const length = Math.max(64, 2 * this.slotLength, this.slotLength + more)
    const slots = new Uint16Array(length)
    slots.set(this.slots)
    this.slots = slots
    const counts = new Float64Array(length)
    counts.set(this.counts)
    this.counts = counts
  }
}

/** Memory of slots that is used again: to have it anew, and to have it collected, takes a tenth of the time to read them. */
export class SlotMemory {
  readonly #slotsMax: number
  #slots = new Uint16Array(0)
  #counts = new Float64Array(0)
  /** How many were asked for, also beyond what there is. */
  #lent = 0

  /** @param slotsMax how many are kept, of ten bytes each */
  constructor(slotsMax: number) {
    this.#slotsMax = slotsMax
  }

  /** Makes room in an empty list. */
  lend(list: HistogramList, slots: number): void {
    const start = this.#lent
    this.#lent += slots
    if (this.#lent > this.#slots.length) {
      list.reserve(slots)
      return
    }
    list.slots = this.#slots.subarray(start, this.#lent)
    list.counts = this.#counts.subarray(start, this.#lent)
  }

  /** Of all that was lent nothing is needed any more. */
  clear(): void {
    const length = Math.min(this.#lent, this.#slotsMax)
    if (length > this.#slots.length) {
      this.#slots = new Uint16Array(length)
      this.#counts = new Float64Array(length)
    }
    this.#lent = 0
  }
}
