import { expect, test } from 'vitest'
import { readTimeSpan } from './time-span.ts'

test('whole seconds in order are a part of a run', () => {
  expect(readTimeSpan('5', '20')).toEqual({ from_second: 5, to_second: 20 })
  expect(readTimeSpan('0', '1')).toEqual({ from_second: 0, to_second: 1 })
  expect(readTimeSpan('5', undefined)).toEqual({ from_second: 5 })
})

test.each([
  [undefined, undefined],
  [undefined, '5'],
  ['5', 'Infinity'],
  ['20', '5'],
  ['5', '5'],
  ['-1', '5'],
  ['1.5', '5'],
  ['a', 'b'],
])('from %s to %s is all of the run', (from, to) => {
  expect(readTimeSpan(from, to)).toEqual({})
})
