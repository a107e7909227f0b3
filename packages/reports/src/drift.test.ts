import { describe, expect, test } from 'vitest'
import { findDrift } from './drift.ts'
import { momentsOf, type Moment } from './measured-run.ts'
import { plateauOf } from './plateau.ts'
import { inBlocks, unevenRun, usersOf } from './testing/simulated-run.ts'
import { findWarmUp } from './warm-up.ts'

/** Ten users, all the time. */
function moments(seed: number, factorAt: (second: number) => number = () => 1, seconds = 240): Moment[] {
  const requests = inBlocks(unevenRun(seed, { seconds, factorAt }), 2)
  return momentsOf({ requests, users: requests.map(({ second }) => usersOf(second, 10, {}, 2)) })
}

const seeds = Array.from({ length: 100 }, (_, seed) => seed + 1)

describe('findDrift()', () => {
  test('finds a rise of a half, and how large it is', () => {
    for (const seed of seeds.slice(0, 20)) {
      const found = findDrift(moments(seed, (second) => 1 + second / 480))
      expect(found.outcome).toBe('drifts')
      if (found.outcome !== 'drifts') continue
      expect(found.share).toBeGreaterThan(0.25)
      expect(found.share).toBeLessThan(0.75)
    }
  })

  test('finds a fall too', () => {
    expect(findDrift(moments(1, (second) => 1 - second / 480))).toMatchObject({ outcome: 'drifts' })
  })

  test('is quiet where there is none, although neighbouring seconds are alike', () => {
    const alarms = seeds.filter((seed) => findDrift(moments(seed)).outcome === 'drifts')
    expect(alarms.length).toBeLessThanOrEqual(3)
  })

  test('a single slow stretch is no drift', () => {
    const found = findDrift(moments(3, (second) => (second > 100 && second < 120 ? 5 : 1)))
    expect(found.outcome).toBe('steady')
  })

  test('cannot be told of half a minute', () => {
    expect(findDrift(moments(1, () => 1, 30)).outcome).toBe('unknown')
    expect(findDrift([]).outcome).toBe('unknown')
  })
})

describe('plateauOf()', () => {
  test('is the longest stretch of the highest load, without its ends', () => {
    const loads = [1, 5, 10, 10, 3, 10, 9.8, 10, 10, 9.7, 4]
    const all = moments(1, () => 1, 22).map((moment, index) => ({ ...moment, load: loads[index] ?? 0 }))
    expect(plateauOf(all).map(({ load }) => load)).toEqual([9.8, 10, 10])
    expect(plateauOf([])).toEqual([])
  })
})

describe('findWarmUp()', () => {
  test('finds how long the first answers took longer', () => {
    const found = findWarmUp(moments(1, (second) => (second < 30 ? 3 : 1)))
    expect(found.outcome).toBe('warmed_up')
    if (found.outcome !== 'warmed_up') return
    expect(Math.abs(found.seconds - 30)).toBeLessThanOrEqual(10)
    expect(found.beforeMs / found.afterMs).toBeGreaterThan(2)
  })

  test('is none of an even run, nor of one that gets slower, nor where the load was higher at first', () => {
    for (const seed of seeds.slice(0, 50)) expect(findWarmUp(moments(seed)).outcome).toBe('none')
    expect(findWarmUp(moments(1, (second) => 1 + second / 100)).outcome).toBe('none')
    const loaded = moments(1, (second) => (second < 30 ? 3 : 1)).map((moment) => ({
      ...moment,
      load: moment.second < 30 ? 30 : 10,
    }))
    expect(findWarmUp(loaded).outcome).toBe('none')
  })

  test('cannot be told of a few moments', () => {
    expect(findWarmUp(moments(1).slice(0, 10)).outcome).toBe('unknown')
  })
})
