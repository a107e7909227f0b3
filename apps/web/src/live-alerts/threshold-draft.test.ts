import { expect, test } from 'vitest'
import { changedInput, draftOf, thresholdsInput } from './threshold-draft.ts'

const off = { high_cpu: null, high_memory: null, slow_response: null, high_error_rate: null }

test('thresholds are the same after the form; what is empty is off', () => {
  const thresholds = {
    high_cpu: { percent: 80, for_seconds: 60 },
    high_memory: { bytes: 512 * 2 ** 20, percent: 85, for_seconds: 30 },
    slow_response: { ms: 250, statistic: 'p99' as const, functions: ['pay', 'GET /cart'], for_seconds: 10 },
    high_error_rate: { percent: 5, for_seconds: 0 },
  }
  expect(thresholdsInput(draftOf(thresholds))).toEqual(thresholds)
  expect(thresholdsInput(draftOf(off))).toEqual(off)
})

const functions = (words: string) =>
  thresholdsInput({ ...draftOf(off), slowMs: '1', slowFunctions: words }).slow_response?.functions

test('functions are any, all, or names', () => {
  expect(['', 'any', 'all', 'pay', ' pay , all,'].map(functions)).toEqual([
    'any',
    'any',
    'all',
    ['pay'],
    ['pay', 'all'],
  ])
})

test('only what was changed is sent of an app', () => {
  const before = draftOf({ ...off, high_cpu: { percent: 80, for_seconds: 60 } })
  expect(changedInput(before, before)).toEqual({})
  expect(changedInput(before, { ...before, cpuPercent: '' })).toEqual({ high_cpu: null })
  expect(changedInput(before, { ...before, errorPercent: '5' })).toEqual({
    high_error_rate: { percent: 5, for_seconds: 60 },
  })
})

test('what is no number is sent as none, so that the server says so', () => {
  expect(JSON.stringify(thresholdsInput({ ...draftOf(off), cpuPercent: 'much' }).high_cpu)).toBe(
    '{"percent":null,"for_seconds":60}',
  )
})
