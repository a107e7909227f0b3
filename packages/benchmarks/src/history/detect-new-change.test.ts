import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noisySeries } from '../testing/noisy-series.ts'
import { detectNewChange } from './detect-new-change.ts'

const seeds = fc.integer({ min: 1, max: 1e6 })

/** How many runs after the change it is found; undefined if not within ten. */
function runsUntilFound(before: number, level: number, seed: number): number | undefined {
  const values = noisySeries(
    [
      [before, 1000],
      [10, level],
    ],
    { seed },
  )
  for (let runs = 1; runs <= 10; runs += 1) {
    const found = detectNewChange(values.slice(0, before + runs))
    if (found && found.index > before - 5) return runs
  }
  return undefined
}

describe('detectNewChange()', () => {
  test('names the first run after the change, and says what changed', () => {
    const values = [...noisySeries([[60, 1000]]), 1200, 1190, 1210, 1205]
    expect(detectNewChange(values)).toMatchObject({ index: 60, direction: 'up' })
    expect(detectNewChange(values)?.sentence).toMatch(/^From run 60 on the level is up by \+\d/)
  })

  test('finds 5 % at 2 % noise within five runs, nearly always', () => {
    const delays = Array.from({ length: 200 }, (_, seed) =>
      runsUntilFound(150, seed % 2 ? 1050 : 1000 / 1.05, seed),
    )
    expect(delays.filter((runs) => runs !== undefined && runs <= 5).length).toBeGreaterThan(175)
  })

  test('is quiet where nothing changes: less than one alarm in 300 looks', () => {
    let alarms = 0
    for (let seed = 0; seed < 10; seed += 1) {
      const values = noisySeries([[200, 1000]], { seed })
      for (let runs = 60; runs <= 200; runs += 1) if (detectNewChange(values.slice(0, runs))) alarms += 1
    }
    expect(alarms).toBeLessThan(5)
  })

  test('one outlier or two are no change, whatever their size', () => {
    fc.assert(
      fc.property(
        seeds,
        fc.nat(13),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (seed, back, factor) => {
          const values = noisySeries([[80, 1000]], { seed: 7 + (seed % 50) })
          const calm = detectNewChange(values)
          const at = values.length - 1 - back
          const spoilt = values.map((value, run) => (run === at ? value * factor : value))
          expect(detectNewChange(spoilt)?.index).toBe(calm?.index)
        },
      ),
      { numRuns: 100, seed: 1 },
    )
  })

  test('the unit does not matter, and turned over it goes the other way', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: -20, max: 20 }), (seed, exponent) => {
        const values = noisySeries(
          [
            [60, 1000],
            [5, 1300],
          ],
          { seed },
        )
        const found = detectNewChange(values)
        expect(found?.direction).toBe('up')
        expect(detectNewChange(values.map((value) => value * 2 ** exponent))?.index).toBe(found?.index)
        expect(detectNewChange(values.map((value) => 1 / value))?.direction).toBe('down')
      }),
      { numRuns: 40, seed: 2 },
    )
  })

  test('a change that is known is not found again, the next one is', () => {
    const values = noisySeries([
      [60, 1000],
      [8, 1100],
    ])
    expect(detectNewChange(values)?.direction).toBe('up')
    expect(detectNewChange(values, { knownChanges: [60] })).toBeUndefined()
    const after = [
      ...values,
      ...noisySeries(
        [
          [12, 1100],
          [6, 1300],
        ],
        { seed: 9 },
      ),
    ]
    const next = detectNewChange(after, { knownChanges: [60] })
    expect(next?.direction).toBe('up')
    expect(Math.abs((next?.index ?? 0) - 80)).toBeLessThanOrEqual(1)
    expect(next?.sentence).toContain(`From run ${next?.index} on`)
  })

  test('two runs are nearly always enough beyond where the history goes, and one hardly ever', () => {
    const found = Array.from({ length: 40 }, (_, seed) => {
      const values = noisySeries([[200, 1000]], { seed })
      const next = noisySeries([[2, 1150]], { seed: seed + 100 })
      return [next.slice(0, 1), next].map((runs) => detectNewChange([...values, ...runs])?.index)
    })
    expect(found.filter(([, two]) => two === 200).length).toBeGreaterThanOrEqual(36)
    expect(found.filter(([one]) => one !== undefined).length).toBeLessThanOrEqual(3)
  })

  test('a step beyond both of two modes is found, in whichever of them it happens', () => {
    const modes = Array.from({ length: 20 }, (_, at) => [10, at % 2 ? 1000 : 1200] as const)
    const values = noisySeries(modes)
    for (const level of [1320, 1450]) {
      const found = detectNewChange([...values, ...noisySeries([[3, level]], { seed: 3 })])
      expect(found).toMatchObject({ index: 200, direction: 'up' })
    }
  })

  test('to come back to a mode that was there before is no change', () => {
    const modes = [1, 2, 3, 4, 5, 6, 7].map((at) => [12, at % 2 ? 1000 : 1200] as const)
    const values = noisySeries(modes)
    expect(detectNewChange([...values, ...noisySeries([[5, 1200]], { seed: 3 })])).toBeUndefined()
    expect(detectNewChange([...values, ...noisySeries([[5, 1500]], { seed: 3 })])?.direction).toBe('up')
  })

  test('nor is going back and forth, when it was alerted once there and back', () => {
    const stays = [20, 1000, 20, 1200, 20, 1000, 5, 1200]
    const values = noisySeries([0, 2, 4, 6].map((at) => [stays[at] ?? 0, stays[at + 1] ?? 0] as const))
    expect(detectNewChange(values, { knownChanges: [20, 40] })).toBeUndefined()
    expect(detectNewChange(values, { knownChanges: [40] })?.direction).toBe('up')
  })

  test('a regression that comes back after a long time is a change again', () => {
    const values = noisySeries([
      [60, 1000],
      [60, 1100],
      [60, 1000],
      [5, 1100],
    ])
    expect(detectNewChange(values, { knownChanges: [60, 120] })).toMatchObject({ direction: 'up' })
  })

  test('a slow drift is none', () => {
    for (let seed = 0; seed < 5; seed += 1) {
      const values = noisySeries([[200, 1000]], { seed, noisePercent: 1 }).map(
        (value, run) => value * 1.0002 ** run,
      )
      expect(detectNewChange(values)).toBeUndefined()
    }
  })

  test('constant and zero series that change, and those that do not', () => {
    const constant = Array.from({ length: 30 }, () => 500)
    expect(detectNewChange(constant)).toBeUndefined()
    expect(detectNewChange([...constant, 520, 520, 520])).toMatchObject({
      index: 30,
      before: 500,
      after: 520,
    })
    const zeros = Array.from({ length: 30 }, () => 0)
    expect(detectNewChange(zeros)).toBeUndefined()
    expect(detectNewChange([...zeros, 4, 4, 4])).toMatchObject({ index: 30, direction: 'up' })
  })

  test('says nothing with too little history', () => {
    expect(detectNewChange([])).toBeUndefined()
    expect(detectNewChange([1, 1, 1, 1, 1, 1, 1, 1, 1, 9, 9, 9])).toBeUndefined()
  })
})
