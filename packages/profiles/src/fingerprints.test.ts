import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fingerprints } from './fingerprints.ts'

/** Finds what was remembered, or remembers the next number; gives what each sequence has. */
function numbersOf(sequences: readonly Uint8Array[]): number[] {
  const fingerprints = new Fingerprints(100_000)
  let next = 0
  return sequences.map((bytes) => {
    const known = fingerprints.find(bytes, 0, bytes.length)
    if (known !== -1) return known
    fingerprints.remember(next)
    return next++
  })
}

test('the same bytes have the same number, and others another, wherever they are', () => {
  const few = fc.uint8Array({ max: 2, maxLength: 20 })
  fc.assert(
    fc.property(fc.array(few), (sequences) => {
      const names = sequences.map((bytes) => bytes.join(' '))
      const expected = names.map((name) => [...new Set(names)].indexOf(name))
      expect(numbersOf(sequences)).toEqual(expected)
      const moved = sequences.map((bytes) => Uint8Array.from([9, 9, 9, ...bytes]).subarray(3))
      expect(numbersOf(moved)).toEqual(expected)
    }),
  )
})

test('a hundred thousand sequences that differ by a bit are told apart', () => {
  const sequences = Array.from({ length: 100_000 }, (_, index) => {
    const bytes = new Uint8Array(21)
    new DataView(bytes.buffer).setUint32(index % 16, index)
    return bytes
  })
  const distinct = new Set(sequences.map((bytes) => bytes.join(' '))).size
  expect(new Set(numbersOf(sequences)).size).toBe(distinct)
})

test('what comes when it is full is not remembered', () => {
  const fingerprints = new Fingerprints(1)
  const bytes = Uint8Array.of(1, 2)
  expect(fingerprints.find(bytes, 0, 1)).toBe(-1)
  fingerprints.remember(7)
  expect(fingerprints.isFull).toBe(true)
  expect(fingerprints.find(bytes, 1, 2)).toBe(-1)
  fingerprints.remember(8)
  expect(fingerprints.find(bytes, 1, 2)).toBe(-1)
  expect(fingerprints.find(bytes, 0, 1)).toBe(7)
})
