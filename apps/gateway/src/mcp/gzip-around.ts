import { constants, crc32, deflateRawSync } from 'node:zlib'

/** A long text that was compressed once, to be sent with a different short text before and after it each time. */
export interface CompressedMiddle {
  /** Of the text itself. */
  sizeBytes: number
  /** DEFLATE blocks (RFC 1951) that end on a byte, refer to nothing before them, and are not the last. */
  blocks: Buffer
  /** The CRC-32 of whatever comes before (which has the CRC-32 `before`) and this text. */
  crc32After(before: number): number
}

export function compressMiddle(plain: Buffer): CompressedMiddle {
  // CRC-32 is affine over GF(2): how a bit of the start value changes the end value is the same for every value of
  // the others. So 32 columns, made once, spare reading the text again for each answer.
  const ofNothing = crc32(plain, 0)
  const columns = Uint32Array.from({ length: 32 }, (_, bit) => crc32(plain, (1 << bit) >>> 0) ^ ofNothing)
  return {
    sizeBytes: plain.length,
    blocks: deflateRawSync(plain, { level: 9, finishFlush: constants.Z_FULL_FLUSH }),
    crc32After(before) {
      let value = ofNothing
      for (let bit = 0; bit < 32; bit += 1) if ((before >>> bit) & 1) value ^= columns[bit] ?? 0
      return value >>> 0
    },
  }
}

/**
 * One gzip member (RFC 1952) of `head`, the middle and `tail`, or undefined when `head` is longer than a stored block.
 *
 *     header | head, stored | the middle's blocks | tail, stored and last | CRC-32 and length of it all
 *
 * Several members one after the other would need no CRC over the middle, but many clients read only the first.
 */
export function gzipAround(
  head: string,
  middle: CompressedMiddle,
  tail: string,
): [before: Buffer, blocks: Buffer, after: Buffer] | undefined {
  const first = Buffer.from(head)
  const last = Buffer.from(tail)
  if (first.length > storedBytesMax || last.length > storedBytesMax) return undefined
  const checksum = crc32(last, middle.crc32After(crc32(first)))
  const after = Buffer.alloc(storedHeaderBytes + last.length + trailerBytes)
  writeStored(after, 0, last, { isLast: true })
  after.writeUInt32LE(checksum, after.length - 8)
  after.writeUInt32LE((first.length + middle.sizeBytes + last.length) >>> 0, after.length - 4)
  const before = Buffer.alloc(gzipHeader.length + storedHeaderBytes + first.length)
  gzipHeader.copy(before)
  writeStored(before, gzipHeader.length, first, { isLast: false })
  return [before, middle.blocks, after]
}

const storedBytesMax = 65_535
const storedHeaderBytes = 5
const trailerBytes = 8
/** Magic, DEFLATE, no flags, no time, best compression, unknown system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255])

/** A stored block (RFC 1951, 3.2.4): its bits fill one byte, then the length and its complement. */
function writeStored(target: Buffer, at: number, bytes: Buffer, { isLast }: { isLast: boolean }): void {
  target[at] = isLast ? 1 : 0
  target.writeUInt16LE(bytes.length, at + 1)
  target.writeUInt16LE(~bytes.length & 0xffff, at + 3)
  bytes.copy(target, at + storedHeaderBytes)
}

/** Whether an Accept-Encoding header (RFC 9110, 12.5.3) names gzip and does not refuse it. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  return (
    typeof header === 'string' &&
    /(?:^|,)\s*(?:x-)?gzip\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:$|,)))/i.test(header)
  )
}
