import { expect, test } from 'vitest'
import { isoTime, localTime } from './local-time.ts'

test('a time is the same after it was in a field', () => {
  const iso = '2026-11-22T10:00:07.000Z'
  expect(isoTime(localTime(iso))).toBe(iso)
})

test('what is no time is none', () => {
  expect(localTime(undefined)).toBe('')
  expect(localTime('soon')).toBe('')
  expect(isoTime('')).toBeUndefined()
})
