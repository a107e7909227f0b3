import { letGo, longer } from './columns.ts'

/**
 * Gives each distinct pair of int32 a small number, in order of first use, and keeps values with it.
 * A call tree is such a table: the pair is (parent node, key of the frame). Entry 0 is there from the start;
 * it is the root.
 *
 * Open addressing with linear probing at load 0.25 or less, over typed arrays: the fastest of those measured.
 * The hash is seeded per process, so that no file can be made whose entries all collide.
 *
 * An entry whose `first` is the entry before it is found without a slot, so it has none. In a call tree these are most:
 * a stack that is new makes its nodes one after the other, and only where it leaves a known path is a slot needed. So
 * the slots of a tree of a million nodes stay in the cache.
 */
export class PairTable {
  count = 1
  firsts: Int32Array
  seconds: Int32Array
  /** `valueWidth` values per entry, side by side. */
  values: Float64Array
  readonly valueWidth: number

  private slots: Int32Array
  private shift: number
  /** Entries that have a slot. */
  private slotted = 0
  private readonly maxCount: number
  private readonly overflow: () => Error

  constructor(options: { valueWidth: number; maxCount: number; overflow: () => Error; capacity?: number }) {
    const capacityBits = Math.ceil(Math.log2(options.capacity ?? 1024))
    this.valueWidth = options.valueWidth
    this.maxCount = options.maxCount
    this.overflow = options.overflow
    this.firsts = new Int32Array(2 ** capacityBits)
    this.seconds = new Int32Array(2 ** capacityBits)
    this.values = new Float64Array(2 ** capacityBits * options.valueWidth)
    this.slots = new Int32Array(256)
    this.shift = 24
    this.firsts[0] = -1
    this.seconds[0] = -1
  }

  /** The number of a pair, new or known. Throws what `overflow` gives when there are too many. */
  intern(first: number, second: number): number {
    const { slots, firsts, seconds } = this
    const next = first + 1
    if (next < this.count && seconds[next] === second && firsts[next] === first) return next

    const mask = slots.length - 1
    let slot = hash(first, second) >>> this.shift
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if (seconds[entry] === second && firsts[entry] === first) return entry
      slot = (slot + 1) & mask
    }
    const entry = this.append(first, second)
    if (entry === next) return entry
    slots[slot] = entry
    if (++this.slotted * 4 > slots.length) this.growSlots()
    return entry
  }

  /** As `intern` below the node of a tree that was made last: it has no children yet to look for. */
  internBelowLast(second: number): number {
    return this.append(this.count - 1, second)
  }

  /** The number of a known pair, or 0. */
  find(first: number, second: number): number {
    const next = first + 1
    if (next < this.count && this.seconds[next] === second && this.firsts[next] === first) return next
    const mask = this.slots.length - 1
    let slot = hash(first, second) >>> this.shift
    for (let entry = this.slots[slot]!; entry !== 0; entry = this.slots[slot]!) {
      if (this.seconds[entry] === second && this.firsts[entry] === first) return entry
      slot = (slot + 1) & mask
    }
    return 0
  }

  get isFull(): boolean {
    return this.count >= this.maxCount
  }

  /** It is of no use afterwards. */
  letGo(): void {
    letGo(this.firsts, this.seconds, this.values, this.slots)
  }

  private append(first: number, second: number): number {
    if (this.count >= this.maxCount) throw this.overflow()
    if (this.count === this.firsts.length) this.grow()
    const entry = this.count++
    this.firsts[entry] = first
    this.seconds[entry] = second
    return entry
  }

  private grow(): void {
    const capacity = this.firsts.length * 2
    this.firsts = longer(this.firsts, new Int32Array(capacity))
    this.seconds = longer(this.seconds, new Int32Array(capacity))
    this.values = longer(this.values, new Float64Array(capacity * this.valueWidth))
  }

  private growSlots(): void {
    this.shift -= 1
    this.slots = new Int32Array(this.slots.length * 2)
    const mask = this.slots.length - 1
    for (let entry = 1; entry < this.count; entry++) {
      if (this.firsts[entry] === entry - 1) continue
      let slot = hash(this.firsts[entry]!, this.seconds[entry]!) >>> this.shift
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask
      this.slots[slot] = entry
    }
  }
}

const randomOdd = () => Math.floor(Math.random() * 2 ** 32) | 1
const firstSeed = randomOdd()
const secondSeed = randomOdd()

function hash(first: number, second: number): number {
  const mixed = Math.imul(first, firstSeed) ^ Math.imul(second, secondSeed)
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
}
