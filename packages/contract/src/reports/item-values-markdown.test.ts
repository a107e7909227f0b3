import { expect, test } from 'vitest'
import { itemValuesMarkdown } from './item-values-markdown.ts'
import type { ItemValuesShape } from './report-shapes.ts'

const run = { id: 'bnr_1', name: 'Nightly', state: 'FINISHED', is_degraded: false, started_at: null } as const

test('percentiles have their own names, however near to 100 they are', () => {
  const percentiles = [99.99, 99.999, 99.9999].map((percentile) => ({ percentile, ms: 5 }))
  const values: ItemValuesShape = {
    type: 'distribution',
    form: 'both',
    runs: [{ run, count: 9, percentiles, bars: [] }],
    runs_left_out: 1,
  }
  expect(itemValuesMarkdown(values)).toBe(
    'Nightly, 9 times: p99.99 5 ms, p99.999 5 ms, p99.9999 5 ms\n\n_A run that was deleted is left out._',
  )
})

test.each([
  [0.01, 4, 'worse by 400 %'],
  [0, null, 'worse from 0 % to 5 %'],
])('a level of %d before, with the share %s: %s', (before, share, words) => {
  const line = {
    metric: 'error_share',
    unit: 'share',
    points: [{ run, value: 0.05 }],
    changes: [{ index: 0, before, after: 0.05, share, verdict: 'worse' as const }],
  }
  expect(itemValuesMarkdown({ type: 'trend', lines: [line] })).toBe(
    `error_share: 5 %\n- ${words}, since Nightly (bnr_1)`,
  )
})
