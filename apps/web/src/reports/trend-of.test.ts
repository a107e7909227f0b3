import { benchReport } from '@flamegate/loadtest/report'
import { expect, test } from 'vitest'
import { anything, trendOf } from './trend-of.ts'

function formOf(fields: Record<string, string>): FormData {
  const values = new FormData()
  for (const [name, value] of Object.entries(fields)) values.set(name, value)
  return values
}

test('an empty form chooses every run', () => {
  const empty = { scenario_id: anything, match: 'contains', text: ' ', tags: '', after: '', before: '' }
  expect(trendOf(formOf(empty))).toEqual({})
})

test('what is filled in is what a report understands', () => {
  const trend = trendOf(
    formOf({
      scenario_id: 'scn_1',
      match: 'starts_with',
      text: 'Sale',
      tags: 'nightly, release 7,',
      after: '2026-11-01',
      before: '2026-12-01',
    }),
  )
  expect(benchReport.parse({ name: 'R', trend }).trend).toEqual({
    scenario_id: 'scn_1',
    name: { match: 'starts_with', text: 'Sale' },
    tags: ['nightly', 'release 7'],
    // Days of whoever writes it.
    created_after: new Date(2026, 10, 1).toISOString(),
    created_before: new Date(2026, 11, 1).toISOString(),
    count_max: 25,
  })
})
