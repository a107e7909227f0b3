import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexesBySize, largestAt } from './by-size.ts'

/** So many that they are looked at 16 bits at a time, with many that are equal, and some of any size. */
const values = fc
  .tuple(
    fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 300 }),
    fc.constantFrom(1, 7, 5000, 9000),
    fc.nat(1000),
  )
  .map(([some, count, step]) =>
    Float64Array.from({ length: count }, (_, index) =>
      index % 3 === 0 ? some[index % some.length]! : ((index * step) % 977) - 400,
    ),
  )

test('the value at a place is the one that sorting puts there', () => {
  fc.assert(
    fc.property(values, fc.nat(), (signed, at) => {
      const sizes = signed.map(Math.abs)
      const place = 1 + (at % sizes.length)
      expect(largestAt(place, sizes)).toBe(sizes.toSorted()[sizes.length - place])
    }),
    { numRuns: 40 },
  )
  expect(largestAt(0, Float64Array.of(1))).toBe(Infinity)
})

test('indexes are in the order of sizes, and of equal ones as they were', () => {
  fc.assert(
    fc.property(values, (signed) => {
      const expected = [...signed.keys()]
        .filter((index) => signed[index] !== 0)
        .toSorted((a, b) => {
          const [first, second] = [Math.abs(signed[a]!), Math.abs(signed[b]!)]
          return first === second ? a - b : second - first
        })
      expect([...indexesBySize(signed)]).toEqual(expected)
    }),
    { numRuns: 40 },
  )
})
