import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortedRows } from './sorted-rows.ts'

const rows = fc.array(
  fc.tuple(
    // Nodes.
    fc.oneof(fc.nat(3), fc.nat(10_000)),
    fc.oneof(fc.nat(3), fc.nat(2 ** 31 - 1)),
    fc.integer({ min: -9, max: 9 }),
  ),
  { maxLength: 100, size: 'max' },
)

test('rows come in the order of both keys, and equal ones are added up', () => {
  fc.assert(
    fc.property(rows, (given) => {
      const { firsts, seconds, columns } = sortedRows({
        firsts: Int32Array.from(given, ([first]) => first),
        seconds: Int32Array.from(given, ([, second]) => second),
        values: Float64Array.from(given.flatMap(([, , value]) => [value, 2 * value])),
        width: 2,
      })
      const expected = Map.groupBy(given, ([first, second]) => `${first} ${second}`)
      const sums = [...expected.values()]
        .map((same) => [same[0]![0], same[0]![1], same.reduce((sum, [, , value]) => sum + value, 0)] as const)
        .toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
      expect([...firsts].map((first, row) => [first, seconds[row], columns[0]![row]])).toEqual(sums)
      expect(columns[1]).toEqual(columns[0]!.map((value) => 2 * value))
    }),
  )
})
