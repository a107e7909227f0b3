import { constants, createGunzip, gunzipSync, type Gunzip } from 'node:zlib'
import { FormatError } from './format-error.ts'

export function isGzip(bytes: Uint8Array): boolean {
  return bytes.length >= 2 && bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Inflates a gzip file of at most `maxBytes`; throws FormatError when it is damaged, cut off or larger. */
export function gunzip(bytes: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes, chunkSize: expectedSize(bytes, maxBytes) })
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes, error)
    throw damaged(error)
  }
}

/** The beginning of what a gzip file holds, told from its first bytes; throws FormatError when these are damaged. */
export function gunzipStart(bytes: Uint8Array): Uint8Array {
  try {
    const start = gunzipSync(bytes.subarray(0, 2 ** 16), { finishFlush: constants.Z_SYNC_FLUSH })
    return start.subarray(0, pieceBytes)
  } catch (error) {
    throw damaged(error)
  }
}

const pieceBytes = 2 ** 18

/**
 * As `gunzip`, piece by piece, of a file that comes in pieces itself; inflated by a thread of the pool, which is at most a
 * few pieces ahead.
 */
export async function* gunzipInPieces(
  gzipped: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const stream = createGunzip({ chunkSize: pieceBytes })
  const feeding = feed(stream, gzipped)
  const pieces: AsyncIterable<Uint8Array> = stream
  let size = 0
  try {
    for await (const piece of pieces) {
      size += piece.length
      if (size > maxBytes) throw tooLarge(maxBytes)
      yield piece
    }
  } catch (error) {
    throw String(errorCode(error)).startsWith('Z_') ? damaged(error) : error
  } finally {
    stream.destroy()
    await feeding
  }
}

/** Gives each piece when the one before is inflated, and ends when the stream does. An error becomes that of the stream. */
async function feed(stream: Gunzip, gzipped: AsyncIterable<Uint8Array>): Promise<void> {
  // Nobody hears of a piece that is damaged, or whose rest is not wanted, that it was written.
  const closed = new Promise<void>((resolve) => {
    stream.once('close', resolve)
  })
  try {
    for await (const piece of gzipped) {
      if (stream.destroyed) return
      const written = new Promise<void>((resolve) => {
        stream.write(piece, () => resolve())
      })
      await Promise.race([written, closed])
    }
    stream.end()
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}

function tooLarge(maxBytes: number, cause?: unknown): FormatError {
  return new FormatError(`the file is larger than ${maxBytes} bytes when decompressed`, { cause })
}

function damaged(cause: unknown): FormatError {
  const what = errorCode(cause) === 'Z_BUF_ERROR' ? 'the gzip file is cut off' : 'the gzip file is damaged'
  return new FormatError(what, { cause })
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
