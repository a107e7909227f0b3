import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { needsStatistic, thresholdMetricNames, unitOf } from './threshold-metrics.ts'
import { parseThreshold, ThresholdTextError, thresholdText } from './threshold-text.ts'
import { threshold, thresholdOperators, type Threshold } from './threshold.ts'

const value = fc.double({ min: 0, max: 1e15, noNaN: true })
const name = fc.string({ minLength: 1, maxLength: 30 })
const scope = fc.oneof(
  fc.constant({ type: 'whole' }),
  fc.record({ type: fc.constant('profile'), profile_id: name }),
  fc.record({ type: fc.constant('container'), name }),
  fc.record({ type: fc.constant('action'), action_id: name }),
)
const percentile = fc.constantFrom(
  'p50',
  'p90',
  'p95',
  'p99',
  'p99.9',
  'p99.99',
  'p0.1',
  'p2.05',
  'mean',
  'min',
  'max',
)

const arbitraryThreshold: fc.Arbitrary<Threshold> = fc
  .record({
    metric: fc.constantFrom(...thresholdMetricNames),
    statistic: percentile,
    target: fc.double({ min: 0.001, max: 3_600_000, noNaN: true }),
    scope,
    operator: fc.constantFrom(...thresholdOperators),
    value,
    isAborting: fc.boolean(),
    grace: fc.integer({ min: 0, max: 604_800_000 }),
  })
  .map(({ metric, statistic, target, isAborting, grace, ...rest }) =>
    threshold.parse({
      ...rest,
      metric,
      value: metric === 'apdex' ? rest.value % 1 : unitOf(metric) === '%' ? rest.value % 100 : rest.value,
      statistic: needsStatistic(metric) ? statistic : null,
      apdex_target_ms: metric === 'apdex' ? target : null,
      abort_on_breach: isAborting,
      grace_ms: isAborting ? grace : 0,
    }),
  )

test('what thresholdText() writes parseThreshold() reads as the same', () => {
  fc.assert(
    fc.property(arbitraryThreshold, (each) => {
      expect(parseThreshold(thresholdText(each))).toEqual(each)
    }),
    { numRuns: 1000 },
  )
})

test.each([
  ['p95 duration of container "checkout" < 400 ms', 'p95 duration of container "checkout" < 400 ms'],
  ['  p99.9 duration<1.5s ', 'p99.9 duration < 1500 ms'],
  ['average service time of profile buyers <= 2 min', 'mean service time of profile "buyers" <= 120000 ms'],
  ['median lcp < 2500', 'p50 lcp < 2500 ms'],
  ['error_share < 1 %, abort after 30 s', 'error share < 1%, abort after 30000 ms'],
  ['error share of action act_01 < 0.5%, abort', 'error share of action "act_01" < 0.5%, abort'],
  ['rate >= 50 per second', 'rate >= 50/s'],
  ['rate > 120/min', 'rate > 2/s'],
  ['apdex(500 ms) of container "say \\"hi\\"" >= 0.9', 'apdex(500 ms) of container "say \\"hi\\"" >= 0.9'],
  ['received bytes < 1.1 MB', 'received bytes < 1100000 B'],
  ['error count <= 0', 'error count <= 0'],
])('%s is read', (text, printed) => {
  expect(thresholdText(threshold.parse(text))).toBe(printed)
})

describe('what is no threshold is refused, with the place', () => {
  test.each([
    ['', 'Name a metric here', 0],
    ['duration < 400 ms', 'Say which value of duration', 0],
    ['p95 latency < 4', 'Name a metric here', 4],
    ['p95 duration of page "x" < 4', 'Write profile, container or action', 16],
    ['p95 duration of container < 4', 'Name the container', 26],
    ['p95 duration of container "\\x" < 4', 'Quote the name', 26],
    ['p95 duration = 4', 'Write <', 13],
    ['p95 duration < fast', 'Write a number', 15],
    ['p95 duration < 4 %', 'Another unit is wanted here: ms', 17],
    ['count > 4 ms', 'No unit is wanted', 10],
    ['error share < 0.01', 'Write %', 18],
    ['p95 duration < 4 ms, stop', 'Only “abort”', 21],
    ['p95 duration < 4 ms abort', 'Nothing more', 20],
    ['apdex(500 ms >= 1', 'Close the bracket', 13],
  ])('%s', (text, reason, position) => {
    const thrown = thrownBy(() => parseThreshold(text))
    expect(thrown?.message).toContain(reason)
    expect(thrown?.position).toBe(position)
  })

  test.each([
    ['p95 rate > 5', 'leave it out'],
    ['apdex > 0.9', 'Apdex needs a target'],
    ['apdex(500 ms) > 9', 'Apdex is 1 at most'],
    ['p95 duration(500 ms) < 9', 'Only apdex'],
    ['error share < 101 %', '100 at most'],
    ['p100 duration < 9', 'Write mean'],
  ])('%s says nothing that can be', (text, reason) => {
    expect(
      threshold
        .safeParse(text)
        .error?.issues.map(({ message }) => message)
        .join(),
    ).toContain(reason)
  })
})

function thrownBy(run: () => unknown): ThresholdTextError | undefined {
  try {
    run()
  } catch (error) {
    if (error instanceof ThresholdTextError) return error
    throw error
  }
  return undefined
}
