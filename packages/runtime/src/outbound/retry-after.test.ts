import { expect, test } from 'vitest'
import { retryAfterSeconds } from './retry-after.ts'

const now = new Date('2026-11-21T10:00:00Z')

test.each([
  ['120', 120],
  ['Sat, 21 Nov 2026 10:01:30 GMT', 90],
  ['99999999', 86_400],
  ['Sat, 21 Nov 2026 09:00:00 GMT', undefined],
  ['0', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After: %s asks for %s seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, now)).toBe(seconds)
})
