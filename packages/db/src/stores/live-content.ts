import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/**
 * Items of a snapshot, or logs, on their way to and from a `bytea`: JSON, packed with zstd at its lowest level. Not handed to the
 * thread pool: a part of some thousand entries takes a fifth of a millisecond.
 */

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export function packLive(value: unknown): Buffer {
  return zstdCompressSync(JSON.stringify(value), options)
}

/** What `packLive` was given; whoever reads says what that was. */
export function unpackLive(content: Uint8Array): unknown {
  return JSON.parse(zstdDecompressSync(content).toString())
}
