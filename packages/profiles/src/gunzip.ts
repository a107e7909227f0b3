import { gunzipSync } from 'node:zlib'
import { FormatError } from './format-error.ts'

export function isGzip(bytes: Uint8Array): boolean {
  return bytes.length >= 2 && bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Inflates a gzip file of at most `maxBytes`; throws FormatError when it is damaged, cut off or larger. */
export function gunzip(bytes: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes, chunkSize: expectedSize(bytes, maxBytes) })
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') {
      throw new FormatError(`the file is larger than ${maxBytes} bytes when decompressed`, { cause: error })
    }
    const what = errorCode(error) === 'Z_BUF_ERROR' ? 'the gzip file is cut off' : 'the gzip file is damaged'
    throw new FormatError(what, { cause: error })
  }
}

/**
 * One output buffer of the right size saves the copy that joins many small ones. The size is in the last four
 * bytes (RFC 1952, ISIZE); deflate cannot shrink more than 1032 times, so a lie costs nothing.
 */
function expectedSize(bytes: Uint8Array, maxBytes: number): number {
  const tail = new DataView(bytes.buffer, bytes.byteOffset + Math.max(0, bytes.length - 4))
  const size = tail.byteLength === 4 ? tail.getUint32(0, true) : 0
  return Math.max(64 * 1024, Math.min(size, bytes.length * 1032, maxBytes) + 1)
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
