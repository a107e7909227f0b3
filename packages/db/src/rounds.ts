import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import { chunks, inSequence } from './in-sequence.ts'

/** Raw rounds on their way to and from a `bytea`: float64, little-endian, in order, deflated (RFC 1951). */

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)
const bytesPerRound = 8

export function encodeRounds(roundsNs: readonly number[]): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(roundsNs.length * bytesPerRound)
  for (const [index, round] of roundsNs.entries()) bytes.writeDoubleLE(round, index * bytesPerRound)
  return deflate(bytes, { level: 1 })
}

export async function decodeRounds(deflated: Uint8Array): Promise<number[]> {
  const bytes = await inflate(deflated)
  return Array.from({ length: bytes.length / bytesPerRound }, (_, index) =>
    bytes.readDoubleLE(index * bytesPerRound),
  )
}

/** Does something for each, few at a time: a compressor takes a quarter of a megabyte while it works. */
export async function inTurns<In, Out>(
  items: readonly In[],
  work: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const done = await inSequence(chunks(items, 32), (part) => Promise.all(part.map(work)))
  return done.flat()
}
