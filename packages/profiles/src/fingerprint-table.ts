import { letGo } from './columns.ts'

/**
 * A number for each fingerprint of 64 bits, in two halves. Open addressing with linear probing over one typed array: a
 * look is one miss of the cache. Fingerprints are random already, so they are their own hash.
 */
export class FingerprintTable {
  count = 0
  /** What `touch` saw, which is of no use; but what nobody keeps would not be read. */
  touched = 0
  /** Three numbers per slot: both halves of the fingerprint, and the number plus one, or 0 for none. */
  private slots = new Int32Array(3 * 1024)

  /** The number of a fingerprint; -1 when it has none. */
  find(low: number, high: number): number {
    return this.slots[this.slotOf(low, high) + 2]! - 1
  }

  /**
   * Brings the slots of the first `count` fingerprints into the cache, for those who look for them next: what is found
   * there decides nothing here, so the processor waits for many at once.
   */
  touch(lows: Int32Array, count: number): void {
    const { slots } = this
    const mask = slots.length / 3 - 1
    let sum = 0
    for (let index = 0; index < count; index++) sum ^= slots[3 * (lows[index]! & mask) + 2]!
    this.touched = sum
  }

  /** Adds a fingerprint that is not there yet, with a number that is not negative. */
  add(low: number, high: number, value: number): void {
    // Two thirds full at most.
    if (++this.count > (this.slots.length / 3) * (2 / 3)) this.grow()
    this.put(low, high, value + 1)
  }

  /** It is of no use afterwards. */
  letGo(): void {
    letGo(this.slots)
  }

  private put(low: number, high: number, value: number): void {
    const slot = this.slotOf(low, high)
    this.slots[slot] = low
    this.slots[slot + 1] = high
    this.slots[slot + 2] = value
  }

  /** Where the fingerprint is, or where it may be put. */
  private slotOf(low: number, high: number): number {
    const { slots } = this
    let slot = 3 * (low & (slots.length / 3 - 1))
    while (slots[slot + 2] !== 0 && (slots[slot] !== low || slots[slot + 1] !== high)) {
      slot += 3
      if (slot === slots.length) slot = 0
    }
    return slot
  }

  private grow(): void {
    const before = this.slots
    this.slots = new Int32Array(before.length * 2)
    for (let slot = 0; slot < before.length; slot += 3) {
      if (before[slot + 2] !== 0) this.put(before[slot]!, before[slot + 1]!, before[slot + 2]!)
    }
    letGo(before)
  }
}
