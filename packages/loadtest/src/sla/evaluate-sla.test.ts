import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Measured } from '../scenario/evaluate-threshold.ts'
import { bandText, evaluateSla, isInBand } from './evaluate-sla.ts'
import { slaBand, type SlaBand } from './sla-profile.ts'
import { suggestedBands } from './suggested-bands.ts'

/** A second in which as many requests took this long, or none at all. */
const second = (ms: number | undefined, count = 10, errorCount = 0): Measured => ({
  elapsedMs: 1000,
  count: ms === undefined ? 0 : count,
  errorCount: ms === undefined ? 0 : errorCount,
  receivedBytes: 0,
  sentBytes: 0,
  distributions: ms === undefined ? {} : { duration: { mean: ms, min: ms, max: ms, percentile: () => ms } },
  apdex: () => undefined,
})

const band = (given: object): SlaBand =>
  slaBand.parse({ severity: 'critical', metric: 'duration', statistic: 'p95', ...given })

/** Holds the p95 of seconds against bands. */
function judged(bands: SlaBand[], times: (number | undefined)[], total = second(100)) {
  const steps = times.map((ms, index) => ({ second: index, measured: second(ms) }))
  return evaluateSla({ bands }, { steps, stepSeconds: 1, total })
}
const severity = (given: object, times: (number | undefined)[]) => judged([band(given)], times)[0]?.severity

describe('evaluateSla()', () => {
  test('a band counts once the metric was in it often enough, in all', () => {
    const given = { from: 400, condition: { type: 'occurrences', times: 3 } }
    expect(severity(given, [500, 100, 400, 100])).toBe('passed')
    expect(severity(given, [500, 100, 400, 100, 900])).toBe('critical')
  })

  test('or long enough, without a break', () => {
    const given = { from: 400, condition: { type: 'duration', duration_ms: 3000 } }
    expect(severity(given, [500, 500, 100, 500, 500])).toBe('passed')
    expect(severity(given, [100, 500, 500, 500, 100])).toBe('critical')
  })

  test('seconds in which nothing was measured neither count nor break', () => {
    const given = { from: 400, condition: { type: 'duration', duration_ms: 2000 } }
    expect(severity(given, [500, undefined, undefined, 100])).toBe('passed')
    expect(severity(given, [500, undefined, 500, 100])).toBe('critical')
  })

  test('but no request at all is a rate of 0', () => {
    const [verdict] = judged([band({ metric: 'rate', statistic: null, to: 5 })], [100, undefined])
    expect(verdict).toMatchObject({
      severity: 'critical',
      words: 'rate was < 5/s for 1 s, first in second 1.',
    })
  })

  test('the worst band that was reached is what the measure is told as, with the value of the whole run', () => {
    const bands = [
      band({ severity: 'passed', to: 200 }),
      band({ severity: 'warning', from: 200, to: 400 }),
      band({ from: 400, condition: { type: 'occurrences', times: 2 } }),
    ]
    expect(judged(bands, [100, 300, 500], second(250))).toMatchObject([
      {
        severity: 'warning',
        value: 250,
        words: 'p95 duration was >= 200 ms and < 400 ms for 1 s, first in second 1.',
      },
    ])
    expect(judged(bands, [500, 300, 500])).toMatchObject([{ severity: 'critical' }])
    expect(judged(bands, [undefined], second(undefined))).toMatchObject([
      { severity: 'passed', value: null, words: 'p95 duration: nothing was measured.' },
    ])
  })

  test('each measure is told by itself', () => {
    const bands = [band({ from: 400 }), band({ metric: 'error_share', statistic: null, from: 1 })]
    expect(judged(bands, [500]).map(({ measure, severity: of }) => [measure.metric, of])).toEqual([
      ['duration', 'critical'],
      ['error_share', 'passed'],
    ])
  })

  test('where a step is longer than a second, it counts as its seconds', () => {
    const steps = [{ second: 0, measured: second(500) }]
    const run = { steps, stepSeconds: 10, total: second(500) }
    const verdict = (times: number) =>
      evaluateSla({ bands: [band({ from: 400, condition: { type: 'occurrences', times } })] }, run)[0]
        ?.severity
    expect([verdict(10), verdict(11)]).toEqual(['critical', 'passed'])
  })
})

test('of bands that share an end, exactly one has each value', () => {
  const below = band({ to: 400 })
  const above = band({ from: 400 })
  fc.assert(
    fc.property(fc.oneof(fc.constant(400), fc.double({ min: 0, max: 1e6, noNaN: true })), (value) => {
      expect(isInBand(value, below)).toBe(!isInBand(value, above))
    }),
  )
  expect(isInBand(400, band({ from: 400, is_from_included: false }))).toBe(false)
  expect(isInBand(400, band({ from: 400, to: 400, is_to_included: true }))).toBe(true)
})

describe('what is no band is refused', () => {
  test.each([
    [{}, 'Give from, to, or both.'],
    [{ from: 5, to: 5 }, 'Nothing is in this range'],
    [{ from: 5, to: 4 }, 'Nothing is in this range'],
    [{ statistic: null, from: 5 }, 'Say which value of duration'],
    [{ metric: 'error_share', statistic: null, from: 101 }, '100 at most'],
    [{ metric: 'apdex', statistic: null, from: 0.5 }, 'Apdex needs a target'],
  ])('%j', (given, reason) => {
    const parsed = slaBand.safeParse({ severity: 'critical', metric: 'duration', statistic: 'p95', ...given })
    expect(parsed.error?.issues.map(({ message }) => message).join()).toContain(reason)
  })
})

test('what is suggested can be read, and is told in words', () => {
  expect(suggestedBands().map(bandText).slice(0, 3)).toEqual([
    'warning: p95 duration >= 1000 ms and < 10000 ms, for 10 s',
    'critical: p95 duration >= 10000 ms, for 10 s',
    'warning: error share >= 1% and < 5%, for 10 s',
  ])
})
