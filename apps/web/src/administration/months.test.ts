import { expect, test } from 'vitest'
import { lastMonths, monthInWords } from './months.ts'

test('the last thirteen months are those of UTC, over the turn of a year', () => {
  const months = lastMonths(Date.parse('2026-01-31T23:30:00Z'))
  expect(months.slice(0, 3)).toEqual(['2026-01', '2025-12', '2025-11'])
  expect(months.at(-1)).toBe('2025-01')
})

test('reads as people write it, and is left alone when it is none', () => {
  expect(monthInWords('2026-11')).toBe('November 2026')
  expect(monthInWords('soon')).toBe('soon')
})
