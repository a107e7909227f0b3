import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { AddressMap } from './address-map.ts'

test('an address has what covers it', () => {
  const map = new AddressMap<string>()
  map.add(100, 10, 'parse')
  map.add(200, 1, 'read')
  expect([99, 100, 109, 110, 200, 201].map((address) => map.at(address))).toEqual([
    undefined,
    'parse',
    'parse',
    undefined,
    'read',
    undefined,
  ])
})

test('a new entry removes those that it covers, also in part', () => {
  const map = new AddressMap<string>()
  map.add(100, 10, 'left')
  map.add(120, 10, 'inside')
  map.add(140, 10, 'right')
  map.add(105, 40, 'new')
  expect([101, 105, 125, 144, 145].map((address) => map.at(address))).toEqual([
    undefined,
    'new',
    'new',
    'new',
    undefined,
  ])
})

test('any history of additions and removals gives what a plain list gives', () => {
  const step = fc.record({
    start: fc.nat(3000),
    size: fc.nat(12),
    isRemoval: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 2000, size: 'max' }), (steps) => {
      const map = new AddressMap<number>()
      let plain: { start: number; end: number; value: number }[] = []
      let isSame = true
      for (const [value, { start, size, isRemoval }] of steps.entries()) {
        const end = start + size
        if (isRemoval) {
          const removed = plain.find((entry) => entry.start === start)
          plain = plain.filter((entry) => entry !== removed)
          isSame &&= map.delete(start)?.value === removed?.value
        } else if (size > 0) {
          plain = [
            ...plain.filter((entry) => entry.end <= start || entry.start >= end),
            { start, end, value },
          ]
          map.add(start, size, value)
        }
      }
      for (let address = 0; address < 3020; address++) {
        const entry = plain.find(({ start, end }) => start <= address && address < end)
        isSame &&= map.at(address) === entry?.value
      }
      expect(isSame).toBe(true)
    }),
    { numRuns: 20 },
  )
})
