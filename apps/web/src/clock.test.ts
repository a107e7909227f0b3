import { afterEach, expect, test, vi } from 'vitest'
import { halfMinute } from './clock.ts'

afterEach(() => vi.useRealTimers())

test('the half minute is the one that it is, also when nobody asked for long', () => {
  vi.setSystemTime('2026-11-20T10:00:29.999Z')
  expect(halfMinute()).toBe(Date.parse('2026-11-20T10:00:00Z'))
  vi.setSystemTime('2026-11-20T10:18:31Z')
  expect(halfMinute()).toBe(Date.parse('2026-11-20T10:18:30Z'))
})
