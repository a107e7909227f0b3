import { expect, test } from 'vitest'
import { type Band, bandOf, draftOf } from './band-draft.ts'

const band: Band = {
  text: '',
  severity: 'warning',
  metric: 'duration',
  statistic: 'p99',
  apdex_target_ms: null,
  from: 400,
  is_from_included: false,
  to: null,
  is_to_included: false,
  condition: { type: 'duration', duration_ms: 2500 },
}
const { text: _text, ...document } = band

test('a band that is written as it was is the same', () => {
  expect(bandOf(draftOf(band))).toEqual(document)
  const often = { ...document, condition: { type: 'occurrences' as const, times: 3 } }
  expect(bandOf(draftOf({ ...often, text: '' }))).toEqual(often)
})

test('a metric without statistics has none, whatever was chosen before', () => {
  expect(bandOf({ ...draftOf(band), metric: 'error_share' })).toMatchObject({
    statistic: null,
    apdex_target_ms: null,
  })
  expect(bandOf({ ...draftOf(band), metric: 'apdex', apdexTarget: '300' })).toMatchObject({
    statistic: null,
    apdex_target_ms: 300,
  })
})

test('an open end is no number', () => {
  expect(bandOf({ ...draftOf(band), from: ' ', to: '12.5' })).toMatchObject({ from: null, to: 12.5 })
})
