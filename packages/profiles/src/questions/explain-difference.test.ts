import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { profileOf } from '../testing/stacks.ts'
import { explainDifference } from './explain-difference.ts'

const base = { profile: profileOf('main;parse 30\nmain;render 60\nmain 10'), value: 1000 }
const head = { profile: profileOf('main;parse 30\nmain;match 110\nmain;render 60'), value: 2000 }

test('every function has its part of the change, the largest first', () => {
  const { change, functions, othersDifference } = explainDifference(base, head, 10)
  expect(change).toBe(1000)
  expect(othersDifference).toBe(0)
  expect(
    functions.map(({ functionName, baseSelf, headSelf, difference, state }) => [
      functionName,
      baseSelf,
      headSelf,
      difference,
      state,
    ]),
  ).toEqual([
    ['match', 0, 1100, 1100, 'new'],
    ['main', 100, 0, -100, 'gone'],
    ['parse', 300, 300, 0, 'same'],
    ['render', 600, 600, 0, 'same'],
  ])
})

test('what is left out is told as one amount', () => {
  const { functions, othersDifference } = explainDifference(base, head, 1)
  expect(functions).toHaveLength(1)
  expect(othersDifference).toBeCloseTo(-100, 9)
})

test('waiting takes no share', () => {
  const waiting = { profile: profileOf('main;parse 30\nmain;render 60\nmain 10\n(idle) 900'), value: 1000 }
  expect(explainDifference(base, waiting, 10).functions.every(({ difference }) => difference === 0)).toBe(
    true,
  )
})

test('the amounts add up to the change, whatever the profiles', () => {
  const stacks = fc
    .array(fc.tuple(fc.constantFrom('a', 'a;b', 'a;b;c', 'd', 'd;a'), fc.integer({ min: 1, max: 1000 })), {
      minLength: 1,
    })
    .map((lines) => profileOf(lines.map(([stack, count]) => `${stack} ${count}`).join('\n')))
  const side = fc.record({ profile: stacks, value: fc.double({ min: 0.001, max: 1e9, noNaN: true }) })
  fc.assert(
    fc.property(side, side, fc.integer({ min: 0, max: 6 }), (one, other, limit) => {
      const { change, functions, othersDifference } = explainDifference(one, other, limit)
      const sum = functions.reduce((all, { difference }) => all + difference, othersDifference)
      expect(Math.abs(sum - change)).toBeLessThanOrEqual(1e-9 * Math.max(one.value, other.value))
    }),
  )
})
