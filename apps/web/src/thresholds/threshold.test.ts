import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { draftOf, limitWords, newDraft, readPercent, type Threshold, thresholdInput } from './threshold.ts'

const set: Threshold = {
  id: 'thr_1',
  branch: 'main',
  benchmark_id: null,
  metric: null,
  test: 'percentage',
  lower_bound: null,
  upper_bound: 0.28,
  window_runs: 30,
  sample_min: 3,
  is_default: false,
  updated_at: null,
}

test('percent are typed, and fractions are sent', () => {
  const input = thresholdInput('prj_1', { ...newDraft, test: 'percentage', upper: '10', lower: '2,5' })
  expect(input).toMatchObject({ upper_bound: 0.1, lower_bound: 0.025 })
  expect(operations.setThreshold.input.safeParse(input).success).toBe(true)
  expect(thresholdInput('prj_1', { ...newDraft, test: 'static', upper: '1200' }).upper_bound).toBe(1200)
})

test('draftOf() shows what thresholdInput() sends again', () => {
  expect(draftOf(set)).toMatchObject({ branch: 'main', benchmarkId: '', upper: '28', lower: '' })
  expect(thresholdInput('prj_1', draftOf(set))).toMatchObject({
    branch: 'main',
    benchmark_id: undefined,
    upper_bound: 0.28,
    lower_bound: null,
    window_runs: 30,
    sample_min: 3,
  })
})

test('a change of level has no limits, whatever was typed before', () => {
  expect(thresholdInput('prj_1', { ...newDraft, upper: '10' }).upper_bound).toBeNull()
})

test('limitWords() says limits in the unit in which they are typed', () => {
  expect(limitWords(set)).toBe('above 28 % of the mean')
  expect(limitWords({ ...set, test: 'static', lower_bound: 5, upper_bound: 9 })).toBe('below 5, above 9')
  expect(limitWords({ ...set, test: 'change_point' })).toBe('–')
  expect(limitWords({ ...set, upper_bound: null })).toBe('no limits')
})

test('what is no number is sent as typed, and takes no limit away', () => {
  const input = thresholdInput('prj_1', { ...newDraft, test: 'static', upper: '10 %', windowRuns: 'ten' })
  expect(input).toMatchObject({ lower_bound: null, upper_bound: '10 %', window_runs: 'ten' })
  const ten = { ...newDraft, test: 'percentage', lower: 'ten', upper: '10 %' } as const
  expect(thresholdInput('prj_1', ten)).toMatchObject({ lower_bound: 'ten', upper_bound: 0.1 })
})

test.each([
  [' 1,5 ', 1.5],
  ['10 %', 10],
  ['', null],
  ['ten', 'ten'],
])('%j percent are %j', (text, number) => {
  expect(readPercent(text)).toBe(number)
})
