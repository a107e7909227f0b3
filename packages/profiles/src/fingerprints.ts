/**
 * Remembers a number for each sequence of bytes, by a fingerprint of 64 bits instead of the bytes: that two of a million
 * sequences have the same one happens once in ten million files. It is seeded per process, so that no file can be made
 * for it.
 */
export class Fingerprints {
  private count = 0
  /** Three numbers per slot: both halves of the fingerprint, and the number plus one, or 0 for none. */
  private slots = new Int32Array(3 * 1024)
  private bytes: Uint8Array = new Uint8Array(0)
  private view: DataView = new DataView(new ArrayBuffer(0))
  private readonly maxCount: number
  /** Of the sequence that was looked for last. */
  private low = 0
  private high = 0

  constructor(maxCount: number) {
    this.maxCount = maxCount
  }

  /** What was remembered for the bytes from `start` to before `end`; -1 for nothing. */
  find(bytes: Uint8Array, start: number, end: number): number {
    if (bytes !== this.bytes) {
      this.bytes = bytes
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    }
    const { view } = this
    let low = lowSeed ^ (end - start)
    let high = highSeed
    let position = start
    for (; position + 8 <= end; position += 8) {
      low = Math.imul(low ^ view.getInt32(position, true), lowFactor) ^ (high >>> 15)
      high = Math.imul(high ^ view.getInt32(position + 4, true), highFactor) ^ (low >>> 13)
    }
    for (; position < end; position++) {
      low = Math.imul(low ^ bytes[position]!, lowFactor) ^ (high >>> 15)
      high = Math.imul(high ^ low, highFactor) ^ (low >>> 13)
    }
    this.low = low
    this.high = high
    return this.slots[this.slotOf(low, high) + 2]! - 1
  }

  get isFull(): boolean {
    return this.count >= this.maxCount
  }

  /** Remembers a number for the bytes that were looked for last, which were not found; does nothing when full. */
  remember(value: number): void {
    if (this.isFull) return
    if (++this.count * 3 > this.slots.length / 2) this.grow()
    this.put(this.low, this.high, value + 1)
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
    const mask = slots.length / 3 - 1
    let at = (low ^ (low >>> 16)) & mask
    while (slots[3 * at + 2] !== 0 && (slots[3 * at] !== low || slots[3 * at + 1] !== high))
      at = (at + 1) & mask
    return 3 * at
  }

  private grow(): void {
    const before = this.slots
    this.slots = new Int32Array(before.length * 2)
    for (let slot = 0; slot < before.length; slot += 3) {
      if (before[slot + 2] !== 0) this.put(before[slot]!, before[slot + 1]!, before[slot + 2]!)
    }
  }
}

const random = () => Math.floor(Math.random() * 2 ** 32) | 0
const lowSeed = random()
const highSeed = random()
const lowFactor = random() | 1
const highFactor = random() | 1
