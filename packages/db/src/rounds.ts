import { deflateRawSync, inflateRawSync } from 'node:zlib'

/**
 * Raw rounds on their way to and from a `bytea`: float64, little-endian, in order. Few of them are stored as they are,
 * after a byte that no deflated data begins with; many are deflated (RFC 1951), which takes more time than they take
 * room. Not handed to the thread pool: there are many and they are small, and the way there costs more than the work.
 */

const bytesPerRound = 8
const plainRoundsMax = 64
// The lowest three bits of deflated data are the last-block flag and the type of the block, and there is no type 3.
const plainMark = 0b111

export function encodeRounds(roundValues: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(1 + roundValues.length * bytesPerRound)
  bytes[0] = plainMark
  for (const [index, round] of roundValues.entries()) bytes.writeDoubleLE(round, 1 + index * bytesPerRound)
  return roundValues.length <= plainRoundsMax ? bytes : deflateRawSync(bytes.subarray(1), { level: 1 })
}

export function decodeRounds(stored: Buffer): number[] {
  const bytes = stored[0] === plainMark ? stored.subarray(1) : inflateRawSync(stored)
  // An array of doubles wants them at a multiple of eight.
  const rounds = new Float64Array(bytes.length / bytesPerRound)
  new Uint8Array(rounds.buffer).set(bytes)
  return Array.from(rounds)
}
