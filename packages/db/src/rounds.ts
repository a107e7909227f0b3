import { deflateRawSync, inflateRawSync } from 'node:zlib'

/**
 * Raw rounds on their way to and from a `bytea`: float64, little-endian, in order, deflated (RFC 1951). Not handed
 * to the thread pool: there are many and they are small, and the way there costs more than the work (30 µs).
 */

const bytesPerRound = 8

export function encodeRounds(roundValues: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(roundValues.length * bytesPerRound)
  for (const [index, round] of roundValues.entries()) bytes.writeDoubleLE(round, index * bytesPerRound)
  return deflateRawSync(bytes, { level: 1 })
}

export function decodeRounds(deflated: Uint8Array): number[] {
  const bytes = inflateRawSync(deflated)
  return Array.from({ length: bytes.length / bytesPerRound }, (_, index) =>
    bytes.readDoubleLE(index * bytesPerRound),
  )
}
