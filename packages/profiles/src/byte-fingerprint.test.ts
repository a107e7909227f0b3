import { expect, test } from 'vitest'
import { ByteFingerprint } from './byte-fingerprint.ts'

/** Of different sequences: pairs that would be in one of a million slots, and fingerprints. */
function spreadOf(sequences: readonly number[][]): { sharing: number; distinct: number } {
  const fingerprint = new ByteFingerprint()
  const slots = new Map<number, number>()
  const distinct = new Set<string>()
  for (const sequence of sequences) {
    fingerprint.read(Uint8Array.from(sequence), 0, sequence.length)
    const slot = fingerprint.low & (2 ** 20 - 1)
    slots.set(slot, (slots.get(slot) ?? 0) + 1)
    distinct.add(`${fingerprint.low} ${fingerprint.high}`)
  }
  const sharing = [...slots.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0)
  return { sharing, distinct: distinct.size }
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte)
const pairs = bytes.flatMap((one) => bytes.map((other) => [one, other] as const))

test.each([
  ['at the end', pairs.map(([one, other]) => [1, 2, 3, 4, 5, 6, 7, 8, 9, one, other])],
  ['at the beginning', pairs.map(([one, other]) => [one, other, 3, 4, 5, 6, 7, 8])],
  ['of few bytes', pairs.map((pair) => [...pair])],
  [
    'of one byte again and again',
    pairs.map(([one, other]) => [...bytes.slice(0, one).fill(other % 16), other]),
  ],
])('sequences that differ %s are spread like random ones', (_, sequences) => {
  const { sharing, distinct } = spreadOf(sequences)
  expect(distinct).toBe(sequences.length)
  // 65,536 * 65,535 / 2 pairs over 2^20 slots are 2,048, and the standard deviation of that is 45.
  expect(Math.abs(sharing - 2048)).toBeLessThan(8 * 45)
})

test('where bytes are in memory does not matter', () => {
  const one = new ByteFingerprint()
  const other = new ByteFingerprint()
  one.read(Uint8Array.from(bytes), 0, 200)
  other.read(Uint8Array.from([0, 0, 0, ...bytes]).subarray(1), 2, 202)
  expect([one.low, one.high]).toEqual([other.low, other.high])
})
