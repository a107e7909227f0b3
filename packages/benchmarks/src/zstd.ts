import { constants, zstdDecompressSync } from 'node:zlib'
import { FormatError } from './format-error.ts'

const FRAMES_MAX = 10_000

/** What Node.js answers with `info`, which its types do not tell: `bytesWritten` is how much of the input was used. */
interface Informed {
  buffer: Uint8Array
  engine: { bytesWritten: number }
}

/** What could be decompressed; `isWhole` is false when the last frame is cut or damaged, or none follows at all. */
export interface Decompressed {
  content: Uint8Array
  isWhole: boolean
}

/** By the magic number of a frame (RFC 8878). */
export function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd
}

/**
 * Decompresses all frames, one after the other, of which Node.js reads only the first.
 * @throws {RangeError} when they have more than `bytesMax` together.
 */
export function decompressZstd(bytes: Uint8Array, bytesMax: number): Decompressed {
  const contents: Uint8Array[] = []
  let at = 0
  let left = bytesMax
  while (at < bytes.length && isZstd(bytes.subarray(at))) {
    if (contents.length >= FRAMES_MAX)
      throw new FormatError(`The zstd file has more than ${FRAMES_MAX} frames`)
    const { content, compressedBytes } = decompressFrame(bytes.subarray(at), left)
    contents.push(content)
    at += compressedBytes
    left -= content.length
    if (compressedBytes === 0) break
  }
  return { content: Buffer.concat(contents), isWhole: at === bytes.length }
}

/** `compressedBytes` is 0 when the frame is not whole; what there is of it is decompressed. */
function decompressFrame(
  bytes: Uint8Array,
  bytesMax: number,
): { content: Uint8Array; compressedBytes: number } {
  const maxOutputLength = Math.max(bytesMax, 1)
  try {
    const whole: unknown = zstdDecompressSync(bytes, { maxOutputLength, info: true })
    if (!isInformed(whole)) throw new TypeError('Node.js should tell how much of the input it read')
    return { content: whole.buffer, compressedBytes: whole.engine.bytesWritten }
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) throw error
    return { content: beginningOf(bytes, maxOutputLength), compressedBytes: 0 }
  }
}

function isInformed(value: unknown): value is Informed {
  return typeof value === 'object' && value !== null && 'engine' in value && 'buffer' in value
}

/** Of a damaged frame nothing, of a cut one what its whole blocks have. */
function beginningOf(bytes: Uint8Array, maxOutputLength: number): Uint8Array {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength, finishFlush: constants.ZSTD_e_flush })
  } catch (error) {
    if (error instanceof RangeError) throw error
    return new Uint8Array()
  }
}
