import { gunzipSync } from 'node:zlib'
import { parseTar } from 'nanotar'
import type { ParsedTarFileItem } from 'nanotar'
import { FormatError } from './format-error.ts'
import type { ResultFiles } from './result-input.ts'
import { decompressZstd, isZstd } from './zstd.ts'

const unpackedBytesMax = 256 * 1024 * 1024
const filesMax = 20_000

/** There is no file in the archive. */
export class EmptyArchive extends FormatError {}

/** What was uploaded, without what it was packed in: one file, or the files of a tar archive. */
export function unpack(bytes: Uint8Array): Uint8Array | ResultFiles {
  const content = decompress(bytes)
  return isTar(content) ? readTar(content) : content
}

/** gzip (RFC 1952) and zstd (RFC 8878) are told by their first bytes; anything else is as it is. */
function decompress(bytes: Uint8Array): Uint8Array {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!isGzip && !isZstd(bytes)) return bytes
  try {
    if (isGzip) return gunzipSync(bytes, { maxOutputLength: unpackedBytesMax })
    const { content, isWhole } = decompressZstd(bytes, unpackedBytesMax)
    // A reader may know what to do with the beginning of one that is cut.
    return isWhole ? content : bytes
  } catch (error) {
    if (error instanceof RangeError) {
      throw new FormatError(`The file has more than ${unpackedBytesMax} bytes when decompressed`)
    }
    if (error instanceof FormatError) throw error
    throw new FormatError('The gzip file is damaged or cut off')
  }
}

/** The magic of POSIX and GNU archives, at the end of the first header's name fields; or the end of an empty one. */
function isTar(bytes: Uint8Array): boolean {
  if (bytes.length < 512) return false
  const isEmpty = bytes.length % 512 === 0 && bytes.every((byte) => byte === 0)
  return isEmpty || Buffer.from(bytes.buffer, bytes.byteOffset + 257, 5).toString() === 'ustar'
}

function readTar(bytes: Uint8Array): ResultFiles {
  const files = new Map<string, Uint8Array>()
  for (const { name, type, data } of parseArchive(bytes)) {
    if (type !== 'file' || data === undefined) continue
    if (files.size >= filesMax) throw new FormatError(`The archive has more than ${filesMax} files`)
    files.set(name.replace(/^(\.?\/)+/, ''), data)
  }
  if (files.size === 0) throw new EmptyArchive('The archive has no files')
  return files
}

function parseArchive(bytes: Uint8Array): ParsedTarFileItem[] {
  try {
    // A copy, because the parser reads from the start of what bytes are a part of.
    return parseTar(new Uint8Array(bytes))
  } catch {
    throw new FormatError('The tar archive is damaged or cut off')
  }
}
