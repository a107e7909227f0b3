import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { ActionFailure } from '../action-failure.ts'

/** Encodings one around the other, at most. */
const layersMax = 3

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>
const inflate: Decompress = promisify(zlib.inflate)
const inflateRaw: Decompress = promisify(zlib.inflateRaw)
const decompressors: Record<string, Decompress> = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  br: promisify(zlib.brotliDecompress),
  zstd: promisify(zlib.zstdDecompress),
  // With the header of zlib, as it has to be, or without, as some servers send it.
  deflate: (bytes, options) =>
    ((bytes[0] ?? 0) & 0x0f) === 8 ? inflate(bytes, options) : inflateRaw(bytes, options),
}

/**
 * Undoes the content-encoding of a body (RFC 9110, 8.4), as far as it is known: servers write `utf-8` or `none`, and browsers take the
 * bytes as they are then.
 * @throws ActionFailure where it is not what the header says, or larger than it may be
 */
export async function decodeBody(bytes: Buffer, encodings: string, bytesMax: number): Promise<Buffer> {
  const layers = encodings
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity')
  if (layers.length > layersMax) throw new ActionFailure(`The answer is encoded ${layers.length} times.`)
  let decoded = bytes
  for (const layer of layers.toReversed()) {
    if (decoded.length === 0) return decoded
    const decompress = decompressors[layer]
    if (decompress === undefined) return decoded
    try {
      decoded = await decompress(decoded, { maxOutputLength: bytesMax })
    } catch (error) {
      const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
      throw new ActionFailure(
        isTooLarge
          ? `The answer is larger than ${bytesMax / 1e6} MB when it is decompressed, the most that is read.`
          : `The answer says that it is ${layer}, and cannot be decompressed as that.`,
        { cause: error },
      )
    }
  }
  return decoded
}
