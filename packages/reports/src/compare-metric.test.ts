import * as fc from 'fast-check'
import { mergeHistograms, percentileOf, totalOf, type RequestBucket } from '@flamegate/series'
import { describe, expect, test } from 'vitest'
import { deviationOf, statisticOf, type ComparedMetric } from './block-statistic.ts'
import { blocksOf } from './blocks.ts'
import { compareMetric } from './compare-metric.ts'
import { ksDistance } from './ks-distance.ts'
import { histogramOf, inBlocks, randomOf, requestsOf, unevenRun } from './testing/simulated-run.ts'
import { trendChanges } from './trend.ts'

const options = { apdexTargetMs: 50 }
const blocks = (seed: number, rest: Parameters<typeof unevenRun>[1] = {}) =>
  blocksOf(inBlocks(unevenRun(seed, rest), 2))
const compare = (metric: ComparedMetric, a: ReturnType<typeof blocks>, b: ReturnType<typeof blocks>) =>
  compareMetric(metric, a, b, options)

const times = (count: number) => Array.from({ length: count }, () => 10)
const eachSecond = (bucketAt: (second: number) => RequestBucket) =>
  blocksOf(Array.from({ length: 20 }, (_, second) => bucketAt(second)))

const failingRun = (errors: number) =>
  eachSecond((second) =>
    requestsOf(second, times(50), { error_timeout: errors === 0 ? 0 : errors + (second % 3) }),
  )

/** Pairs of runs, of which the second takes a fifth longer. */
const simulated = Array.from(
  { length: 200 },
  (_, seed) =>
    [blocks(2 * seed + 1, { perSecond: 20 }), blocks(2 * seed + 2, { perSecond: 20, middleMs: 24 })] as const,
)

describe('compareMetric()', () => {
  test.each(['mean', 'p50', 'p95', 'p99'] as const)(
    'covers the true change of %s about as often as it says, although seconds are not independent',
    (metric) => {
      const pairs = simulated.map(([before, after]) => compare(metric, before, after))
      const covered = pairs.filter((change) => (change?.low ?? 1) <= 0.2 && (change?.high ?? 0) >= 0.2)
      // Of two minutes in which neighbouring seconds correlate by 0.7, a little less than 95 %.
      expect(covered.length / pairs.length).toBeGreaterThan(0.88)
      expect(covered.length / pairs.length).toBeLessThan(0.99)
      // A fifth is large beside what varies, but for the rarest of all.
      const worse = pairs.filter((change) => change?.verdict === 'worse')
      expect(worse.length / pairs.length).toBeGreaterThan(metric === 'p99' ? 0.8 : 0.95)
    },
  )

  test('finds no change where there is none, but for one in twenty at most', () => {
    const wrong = Array.from({ length: 200 }, (_, seed) =>
      compare('p95', blocks(2 * seed + 1, { perSecond: 20 }), blocks(2 * seed + 2, { perSecond: 20 })),
    ).filter((change) => change?.verdict === 'worse' || change?.verdict === 'better')
    expect(wrong.length / 200).toBeLessThan(0.08)
  })

  test('is as certain as a bootstrap over blocks finds it to be', () => {
    for (const [metric, percent] of [
      ['p50', 50],
      ['p95', 95],
    ] as const) {
      const run = inBlocks(unevenRun(7, { seconds: 300 }), 10)
      const random = randomOf(11)
      const drawn = Array.from({ length: 400 }, () => {
        const again = run.map(() => run[Math.floor(random() * run.length)] ?? requestsOf(0, []))
        return (
          (percentileOf(mergeHistograms(again.map(({ responseTime }) => responseTime)), percent) ?? 0) / 1000
        )
      })
      const mean = drawn.reduce((sum, each) => sum + each, 0) / drawn.length
      const bootstrapped = Math.sqrt(drawn.reduce((sum, each) => sum + (each - mean) ** 2, 0) / drawn.length)
      const told = deviationOf(statisticOf(metric, { parts: run, total: totalOf(run) }, 50)?.influences ?? [])
      expect(told / bootstrapped).toBeGreaterThan(0.75)
      expect(told / bootstrapped).toBeLessThan(1.35)
    }
  })

  test('what a ramp does to both runs makes nothing uncertain', () => {
    const ramp = { factorAt: (second: number) => 1 + second / 20 }
    const [a, b] = [blocks(1, ramp), blocks(2, { ...ramp, middleMs: 24 })]
    const paired = compare('p50', a, b)
    const shifted = { ...b, parts: b.parts.map((block) => ({ ...block, second: block.second + 1000 })) }
    const alone = compare('p50', a, shifted)
    const width = (change: typeof paired) => (change?.high ?? 0) - (change?.low ?? 0)
    expect(paired?.verdict).toBe('worse')
    expect(width(paired)).toBeLessThan(width(alone) / 3)
  })

  test('turned round it says the opposite', () => {
    const opposite = { better: 'worse', worse: 'better', same: 'same', unknown: 'unknown' }
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.constantFrom('rate' as const, 'mean' as const, 'p95' as const, 'apdex' as const),
        fc.double({ min: 0.5, max: 2, noNaN: true }),
        (seed, metric, factor) => {
          const [a, b] = [
            blocks(seed, { perSecond: 10 }),
            blocks(seed + 1, { perSecond: 10, middleMs: 20 * factor }),
          ]
          const [there, back] = [compare(metric, a, b), compare(metric, b, a)]
          if (there?.share === null || back?.share === null) return
          expect((1 + (there?.share ?? 0)) * (1 + (back?.share ?? 0))).toBeCloseTo(1, 6)
          expect((1 + (there?.low ?? 0)) * (1 + (back?.high ?? 0))).toBeCloseTo(1, 6)
          // A little less and a little more are not as far from the smallest change that counts.
          const isNearSmallest = Math.abs(Math.abs(there?.share ?? 0) - 0.02) < 0.005
          expect(isNearSmallest || back?.verdict === opposite[there?.verdict ?? 'unknown']).toBe(true)
        },
      ),
      { numRuns: 60, seed: 4 },
    )
  })

  test('more requests per second are better, fewer errors too, and of bytes there is no better', () => {
    const failing = (count: number) =>
      eachSecond((second) =>
        requestsOf(second, times(50), { error_status_5xx: count + (second % 3), received_bytes: 1000 }),
      )
    const busy = eachSecond((second) => requestsOf(second, times(60 + (second % 3))))
    expect(compare('error_share', failing(5), failing(1))?.verdict).toBe('better')
    expect(compare('error_share', failing(1), failing(1))?.verdict).toBe('same')
    expect(compare('rate', failing(0), busy)).toMatchObject({
      verdict: 'better',
      share: expect.closeTo(0.22, 2),
    })
    expect(compare('received_bytes', failing(0), failing(0))).toMatchObject({ verdict: 'unknown', low: null })
  })

  test('from no errors to some there is no share, and yet it is worse', () => {
    expect(compare('error_share', failingRun(0), failingRun(5))).toMatchObject({
      share: null,
      low: null,
      verdict: 'worse',
    })
    expect(compare('error_share', failingRun(0), failingRun(0))).toMatchObject({ share: 0, verdict: 'same' })
    expect(compare('error_share', failingRun(5), failingRun(0))).toMatchObject({
      share: -1,
      verdict: 'better',
    })
  })

  test('of a few seconds it says that it is too little', () => {
    const short = blocks(1, { seconds: 10 })
    expect(compare('p95', short, short)).toMatchObject({ share: 0, low: null, verdict: 'unknown' })
    expect(compare('p95', blocksOf([]), short)).toBeNull()
  })
})

const shareBelow = (list: number[], value: number) =>
  list.filter((each) => each <= value).length / list.length
// Below two milliseconds each microsecond has a slot for itself.
const exact = (list: number[]) => list.map((each) => each / 1000)

describe('ksDistance()', () => {
  const values = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 60 })

  test('is the largest difference of the shares below any value', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const wanted = Math.max(
          ...[...a, ...b].map((value) => Math.abs(shareBelow(a, value) - shareBelow(b, value))),
        )
        expect(ksDistance(histogramOf(exact(a)), histogramOf(exact(b)))).toBeCloseTo(wanted, 10)
      }),
      { seed: 5 },
    )
  })

  test('is 0 of the same, 1 of what does not meet, and unknown of nothing', () => {
    expect(ksDistance(histogramOf([1, 2]), histogramOf([2, 1, 1, 2]))).toBe(0)
    expect(ksDistance(histogramOf([1, 2]), histogramOf([3]))).toBe(1)
    expect(ksDistance(histogramOf([]), histogramOf([3]))).toBeNull()
  })
})

const level = (length: number, value: number) =>
  Array.from({ length }, (_, at) => value * (1 + 0.01 * ((at * 7) % 5)))

describe('trendChanges()', () => {
  test('finds the run from which on it is worse, and passes over runs without a value', () => {
    const values = [...level(12, 100), null, ...level(12, 150)]
    expect(trendChanges('p95', values)).toMatchObject([
      { index: 13, verdict: 'worse', share: expect.closeTo(0.5, 1) },
    ])
    expect(trendChanges('rate', values)).toMatchObject([{ index: 13, verdict: 'better' }])
    expect(trendChanges('sent_bytes', values)).toMatchObject([{ index: 13, verdict: 'changed' }])
  })

  test('a share is of the level before, also where some runs have 0', () => {
    const later = level(12, 0.05)
    expect(trendChanges('error_share', [0, ...level(12, 0.01), ...later])).toMatchObject([
      { index: 13, verdict: 'worse', share: expect.closeTo(4, 1) },
    ])
    expect(trendChanges('error_share', [...later, ...level(12, 0)])).toMatchObject([
      { index: 12, verdict: 'better', share: -1, after: 0 },
    ])
    expect(trendChanges('error_share', [...level(12, 0), ...later])).toMatchObject([
      { index: 12, verdict: 'worse', share: null, before: 0, after: expect.closeTo(0.05, 2) },
    ])
  })

  test('of what stays, or of a few runs, there is none', () => {
    expect(trendChanges('p95', level(30, 100))).toEqual([])
    expect(trendChanges('p95', [100, 200])).toEqual([])
    expect(trendChanges('p95', [])).toEqual([])
  })
})
