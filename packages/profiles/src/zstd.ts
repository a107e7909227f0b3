import { constants, zstdDecompressSync } from 'node:zlib'
import { FormatError } from './format-error.ts'

const framesMax = 10_000
const blockBytesMax = 128 * 1024

/** By the magic number of a frame (RFC 8878). */
export function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd
}

/**
 * Decompresses frames that follow each other, of which Node.js reads only the first. Where the last one is cut, there is what
 * its whole blocks hold, and `isWhole` is false. Throws FormatError when there is more than `maxBytes`.
 */
export function unzstd(bytes: Uint8Array, maxBytes: number): { content: Uint8Array; isWhole: boolean } {
  const contents: Uint8Array[] = []
  let at = 0
  let left = maxBytes
  while (at < bytes.length && isZstd(bytes.subarray(at, at + 4))) {
    if (contents.length === framesMax) throw new FormatError(`more than ${framesMax} zstd frames`)
    const frame = unzstdFrame(bytes.subarray(at), left)
    if (frame.content.length > left) throw tooLarge(maxBytes)
    contents.push(frame.content)
    left -= frame.content.length
    if (frame.compressedBytes === 0) break
    at += frame.compressedBytes
  }
  return { content: Buffer.concat(contents), isWhole: at === bytes.length }
}

/**
 * What the first block of the first frame holds, 128 KiB at most: to tell what a file is, where all of it may be a bomb. Empty
 * when the block is cut or damaged.
 */
export function unzstdStart(bytes: Uint8Array): Uint8Array {
  const blockAt = frameHeaderLength(bytes)
  const header = (bytes[blockAt] ?? 0) | ((bytes[blockAt + 1] ?? 0) << 8) | ((bytes[blockAt + 2] ?? 0) << 16)
  const isRunOfOneByte = ((header >> 1) & 3) === 1
  const blockLength = isRunOfOneByte ? 1 : header >> 3
  return unzstd(bytes.subarray(0, blockAt + 3 + blockLength), blockBytesMax).content
}

/** RFC 8878, 3.1.1.1 */
function frameHeaderLength(bytes: Uint8Array): number {
  const descriptor = bytes[4] ?? 0
  const isSingleSegment = (descriptor & 0x20) !== 0
  const windowBytes = isSingleSegment ? 0 : 1
  const dictionaryIdBytes = [0, 1, 2, 4][descriptor & 3] ?? 0
  const contentSizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  return 5 + windowBytes + dictionaryIdBytes + contentSizeBytes
}

/** `compressedBytes`: how long the frame is; 0 when it is cut or damaged. */
function unzstdFrame(bytes: Uint8Array, maxBytes: number): { content: Uint8Array; compressedBytes: number } {
  // One byte more tells a content of the largest size from one that is larger; 0 would be no limit.
  const maxOutputLength = maxBytes + 1
  try {
    const whole: unknown = zstdDecompressSync(bytes, { maxOutputLength, info: true })
    if (isInformed(whole)) return { content: whole.buffer, compressedBytes: whole.engine.bytesWritten }
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(maxBytes, error)
  }
  try {
    const finishFlush = constants.ZSTD_e_flush
    return { content: zstdDecompressSync(bytes, { maxOutputLength, finishFlush }), compressedBytes: 0 }
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(maxBytes, error)
    return { content: new Uint8Array(), compressedBytes: 0 }
  }
}

/** What `info` asks for, which the types of Node.js do not tell: `bytesWritten` is how much of the input was used. */
function isInformed(value: unknown): value is { buffer: Uint8Array; engine: { bytesWritten: number } } {
  return typeof value === 'object' && value !== null && 'engine' in value && 'buffer' in value
}

function tooLarge(maxBytes: number, cause?: unknown): FormatError {
  return new FormatError(`the file is larger than ${maxBytes} bytes when decompressed`, { cause })
}
