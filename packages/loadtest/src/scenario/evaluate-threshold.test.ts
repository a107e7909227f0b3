import { describe, expect, test } from 'vitest'
import { evaluateThreshold, type Measured } from './evaluate-threshold.ts'
import { threshold } from './threshold.ts'

const measured: Measured = {
  elapsedMs: 20_000,
  count: 400,
  errorCount: 4,
  receivedBytes: 5000,
  sentBytes: 100,
  distributions: {
    duration: { mean: 120, min: 3, max: 900, percentile: (percent) => percent * 4 },
  },
  apdex: (targetMs) => (targetMs === 500 ? 0.93 : undefined),
}
const verdict = (text: string, of: Partial<Measured> = {}) =>
  evaluateThreshold(threshold.parse(text), { ...measured, ...of })

describe('evaluateThreshold()', () => {
  test.each([
    ['p95 duration < 400 ms', 'passed', 380],
    ['p95 duration < 380 ms', 'breached', 380],
    ['p95 duration <= 380 ms', 'passed', 380],
    ['p99.9 duration < 1 s', 'passed', 399.6],
    ['mean duration > 120 ms', 'breached', 120],
    ['min duration >= 3 ms', 'passed', 3],
    ['max duration < 1 s', 'passed', 900],
    ['count >= 400', 'passed', 400],
    ['rate >= 20/s', 'passed', 20],
    ['error count < 4', 'breached', 4],
    ['error share <= 1%', 'passed', 1],
    ['apdex(500 ms) > 0.9', 'passed', 0.93],
    ['received bytes < 6 kB', 'passed', 5000],
    ['sent bytes > 1 kB', 'breached', 100],
  ])('%s: %s', (text, state, value) => {
    expect(verdict(text)).toEqual({ state, value, isAborting: false })
  })

  test.each(['p95 lcp < 2500 ms', 'apdex(100 ms) > 0.9'])('says where nothing was measured: %s', (text) => {
    expect(verdict(text)).toEqual({ state: 'no_data', value: null, isAborting: false })
  })

  test('has no share of nothing, and no rate in no time', () => {
    expect(verdict('error share < 1%', { count: 0, errorCount: 0 }).state).toBe('no_data')
    expect(verdict('rate > 1/s', { elapsedMs: 0 }).state).toBe('no_data')
  })

  test('ends a run only for a breach, only when it is asked to, and only after the grace', () => {
    expect(verdict('error share < 1%, abort after 20 s').isAborting).toBe(true)
    expect(verdict('error share < 1%, abort after 21 s').isAborting).toBe(false)
    expect(verdict('error share < 2%, abort').isAborting).toBe(false)
    expect(verdict('error share < 1%').isAborting).toBe(false)
  })
})
