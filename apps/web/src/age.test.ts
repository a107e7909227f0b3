import { expect, test } from 'vitest'
import { describeAge } from './age.ts'

test.each([
  [0, 'just now'],
  [-59_000, 'just now'],
  [-60_000, '1 min. ago'],
  [-3 * 3_600_000, '3 hr. ago'],
  [-86_400_000, 'yesterday'],
  [-45 * 86_400_000, 'last mo.'],
  [-800 * 86_400_000, '2 yr. ago'],
  [5 * 86_400_000, 'in 5 days'],
  [7 * 86_400_000 - 1000, 'in 7 days'],
])('describeAge() of a time %d ms from now is "%s"', (distanceMs, age) => {
  const now = Date.parse('2026-11-20T10:00:00Z')
  expect(describeAge(now + distanceMs, now)).toBe(age)
})
