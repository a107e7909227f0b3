import { ByteFingerprint } from './byte-fingerprint.ts'
import { FingerprintTable } from './fingerprint-table.ts'

/** Remembers a number for each sequence of bytes, by its fingerprint. */
export class Fingerprints {
  private readonly table = new FingerprintTable()
  /** Of the sequence that was looked for last. */
  private readonly last = new ByteFingerprint()
  private readonly maxCount: number

  constructor(maxCount: number) {
    this.maxCount = maxCount
  }

  get isFull(): boolean {
    return this.table.count >= this.maxCount
  }

  /** What was remembered for the bytes from `start` to before `end`; -1 for nothing. */
  find(bytes: Uint8Array, start: number, end: number): number {
    this.last.read(bytes, start, end)
    return this.table.find(this.last.low, this.last.high)
  }

  /** Remembers a number for the bytes that were looked for last, which were not found; does nothing when full. */
  remember(value: number): void {
    if (!this.isFull) this.table.add(this.last.low, this.last.high, value)
  }
}
