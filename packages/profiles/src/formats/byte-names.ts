import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import type { ProfileFormat } from '../profile.ts'

const firstHash = Math.floor(Math.random() * 2 ** 32)

/**
 * Gives each distinct name in the bytes of a file a small number, and decodes it only when its text is asked for: a format
 * that writes names in full writes the same ones on most of its lines. The number 0 is the empty name.
 *
 * The hash is seeded per process, so that no file can be made whose names all collide.
 */
export class ByteNames {
  private readonly bytes: Buffer
  private readonly format: ProfileFormat
  private count = 1
  private starts = new Int32Array(1024)
  private ends = new Int32Array(1024)
  private hashes = new Int32Array(1024)
  private slots = new Int32Array(4096)
  private readonly texts: (string | undefined)[] = ['']

  constructor(bytes: Uint8Array, format: ProfileFormat) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    this.format = format
  }

  /** The number of the name at a place of the file, new or known. */
  intern(start: number, end: number): number {
    if (end <= start) return 0
    const { bytes, slots, hashes } = this
    let hash = firstHash
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    const mask = slots.length - 1
    let slot = (hash ^ (hash >>> 13)) & mask
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if (hashes[entry] === hash && this.isAt(entry, start, end)) return entry
      slot = (slot + 1) & mask
    }
    if (this.count === limits.tableEntries) {
      throw new FormatError(`more than ${limits.tableEntries} names`, {
        format: this.format,
        where: `byte ${start}`,
      })
    }
    if (this.count === this.starts.length) {
      this.grow()
      return this.intern(start, end)
    }
    const entry = this.count++
    slots[slot] = entry
    this.starts[entry] = start
    this.ends[entry] = end
    hashes[entry] = hash
    return entry
  }

  /** The name of a number; what is not UTF-8 in it is replaced. */
  text(entry: number): string {
    this.texts[entry] ??= this.bytes.toString('utf8', this.starts[entry], this.ends[entry])
    return this.texts[entry]
  }

  private isAt(entry: number, start: number, end: number): boolean {
    const known = this.starts[entry]!
    if (this.ends[entry]! - known !== end - start) return false
    for (let offset = end - start - 1; offset >= 0; offset--) {
      if (this.bytes[known + offset] !== this.bytes[start + offset]) return false
    }
    return true
  }

  private grow(): void {
    this.starts = doubled(this.starts)
    this.ends = doubled(this.ends)
    this.hashes = doubled(this.hashes)
    this.slots = new Int32Array(this.slots.length * 2)
    const mask = this.slots.length - 1
    for (let entry = 1; entry < this.count; entry++) {
      const hash = this.hashes[entry]!
      let slot = (hash ^ (hash >>> 13)) & mask
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask
      this.slots[slot] = entry
    }
  }
}

function doubled(from: Int32Array): Int32Array<ArrayBuffer> {
  const to = new Int32Array(from.length * 2)
  to.set(from)
  return to
}
