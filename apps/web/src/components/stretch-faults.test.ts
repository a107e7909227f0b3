import { expect, test } from 'vitest'
import { stretchFaults } from './stretch-faults.ts'

test.each([
  [0, 5, {}],
  [5, Infinity, {}],
  [NaN, 5, { from: 'Write a time such as 90 s.' }],
  [-1, 5, { from: 'Write a time such as 90 s.' }],
  [0, NaN, { to: 'Write a time such as 90 s.' }],
  [5, 5, { to: 'Write a time after the first one.' }],
])('from %d to %d', (from, to, faults) => {
  expect(stretchFaults(from, to, '90 s')).toEqual(faults)
})
