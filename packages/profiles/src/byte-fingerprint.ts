import { word0, word1, word2, word3 } from './fingerprint-key.ts'

/**
 * A fingerprint of 64 bits, in two halves, which stands for a sequence of bytes where it would take too much memory to
 * keep them, or too much time to compare them. That any two of a million sequences have the same one happens once in
 * thirty million files. The key is drawn by every process anew; whoever should find a file that has such nevertheless
 * gets its own stacks confused and nobody else's.
 *
 * The rounds are those of HalfSipHash, with two words for each instead of one, because this is read for every stack of a
 * file: https://github.com/veorq/SipHash
 */
export class ByteFingerprint {
  low = 0
  high = 0
  private bytes: Uint8Array = new Uint8Array(0)
  private view: DataView = new DataView(new ArrayBuffer(0))

  /** Becomes that of the bytes from `start` to before `end`. */
  read(bytes: Uint8Array, start: number, end: number): void {
    if (end - start < 8) this.readWords(fewBytes(bytes, start, end), 0, 8, end - start)
    else {
      if (bytes !== this.bytes) {
        this.bytes = bytes
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      }
      this.readWords(this.view, start, end, end - start)
    }
  }

  /** Pairs of words, and the last pair twice. It ends where the bytes end and may have some again: none is read alone. */
  private readWords(view: DataView, start: number, end: number, length: number): void {
    let v0 = word0
    let v1 = word1 ^ length
    let v2 = word2
    let v3 = word3
    const last = end - 8
    for (let position = start; position < end + 8; position += 8) {
      const at = position < last ? position : last
      const one = view.getInt32(at, true)
      const other = view.getInt32(at + 4, true)
      v3 ^= one
      v1 ^= other
      v0 = (v0 + v1) | 0
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
      v0 = (v0 << 16) | (v0 >>> 16)
      v2 = (v2 + v3) | 0
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
      v0 = (v0 + v3) | 0
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
      v2 = (v2 + v1) | 0
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
      v2 = (v2 << 16) | (v2 >>> 16)
      v0 ^= one
      v2 ^= other
    }
    this.low = v1 ^ v3
    this.high = v0 ^ v2
  }
}

/** Filled up with zeros. */
function fewBytes(bytes: Uint8Array, start: number, end: number): DataView {
  const view = new DataView(new ArrayBuffer(8))
  for (let position = start; position < end; position++) view.setUint8(position - start, bytes[position]!)
  return view
}
