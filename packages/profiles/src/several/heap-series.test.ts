import { expect, test } from 'vitest'
import { heapProfile } from '../testing/heap-profile.ts'
import { heapSeries } from './heap-series.ts'

const hour = 3_600_000
/** A profile per entry, an hour apart. Sites have what is in use; they allocate that, and `churn` more every hour. */
function series(sites: Record<string, { inUse: number[]; churn?: number }>) {
  const count = Object.values(sites)[0]!.inUse.length
  const profiles = Array.from({ length: count }, (_, index) =>
    heapProfile(
      Object.fromEntries(
        Object.entries(sites).map(([stack, { inUse, churn = 0 }]) => {
          const kept = Math.max(...inUse.slice(0, index + 1))
          return [stack, { inUse: inUse[index]!, allocated: kept + churn * (index + 1) + 1 }]
        }),
      ),
    ),
  )
  const times = profiles.map((_, index) => index * hour)
  return heapSeries(profiles, times, { limit: 5, confidence: 0.95 })
}

const sites = {
  'main;leak': { inUse: [1e6, 2e6, 3.1e6, 4e6, 5e6, 6.2e6] },
  'main;cache': { inUse: [1e6, 3e6, 5e6, 5e6, 5e6, 5e6] },
  'main;burst': { inUse: [1e4, 1e4, 1e4, 1e4, 1e4, 1e4], churn: 9e6 },
  'main;spike': { inUse: [1e5, 1e5, 4e6, 1e5, 1e5, 1e5] },
  'main;drain': { inUse: [6e6, 5e6, 4e6, 3e6, 2e6, 1e6] },
  'main;table': { inUse: [2e6, 2e6, 2e6, 2e6, 2e6, 2e6] },
}

test('a leak grows all the time; a cache that is full, a burst and a spike are told from it', () => {
  const { growing, levelledOff, bursts, shrinking, counts } = series(sites)
  const names = [growing, levelledOff, bursts, shrinking].map((rows) => rows.map((row) => row.functionName))
  expect(names).toEqual([['leak'], ['cache'], ['burst', 'spike'], ['drain']])
  expect(counts).toEqual({ growing: 1, levelled_off: 1, burst: 2, shrinking: 1, steady: 2 })
})

test('a trend has a slope per hour, its interval, and what it comes to after as much time again', () => {
  const { growing, whole } = series(sites)
  expect(growing[0]).toMatchObject({ growth: 5.2e6, risingShare: 1, certainty: 'sure' })
  const { slopePerHour, slopeLowPerHour, slopeHighPerHour, projected } = growing[0]!
  expect(slopePerHour).toBeCloseTo(1e6, -5)
  expect(slopeLowPerHour).toBeGreaterThan(0.9e6)
  expect(slopeHighPerHour).toBeLessThan(1.2e6)
  expect(projected.inUse).toBeCloseTo(11e6, -6)
  expect(projected.low).toBeLessThan(projected.inUse)
  expect(projected.high).toBeGreaterThan(projected.inUse)
  expect(whole.inUse).toHaveLength(6)
})

test('three or four profiles give no interval, however steep they rise', () => {
  const { growing } = series({
    'main;leak': { inUse: [1e6, 2e6, 3e6, 4e6] },
    'main;small': { inUse: [9, 9, 9, 9] },
  })
  expect(growing).toMatchObject([{ functionName: 'leak', certainty: 'likely', projected: { inUse: 7e6 } }])
  expect(growing[0]).not.toHaveProperty('slopeLowPerHour')
  expect(growing[0]!.projected).not.toHaveProperty('low')
})

test('what goes up and down is no trend', () => {
  const { growing, shrinking } = series({ 'main;saw': { inUse: [1e6, 3e6, 1e6, 3e6, 1e6, 3e6, 1e6, 3e6] } })
  expect([growing, shrinking]).toEqual([[], []])
})

test('a series has three profiles or more, in the order of their times', () => {
  const one = heapProfile({ main: { inUse: 1 } })
  expect(() => heapSeries([one, one], [0, 1], { limit: 1, confidence: 0.95 })).toThrow('at least three')
  expect(() => heapSeries([one, one, one], [0, 2, 2], { limit: 1, confidence: 0.95 })).toThrow('rise')
})
