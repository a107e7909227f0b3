import { describe, expect, test } from 'vitest'
import { scenarioOf } from '../testing/scenarios.ts'
import { delayed, loadWords, scenarioExtent, sumOfCurves } from './scenario-extent.ts'

const hold = (users: number, plateau_ms: number) => ({ load: { type: 'ramp_up', users, plateau_ms } })

describe('scenarioExtent()', () => {
  test('has the most users at once, not the sum of the most of each', () => {
    const after = { ...hold(30, 1000), start_delay_ms: 2000 }
    expect(
      scenarioExtent(scenarioOf([hold(20, 1500), after, { ...hold(99, 9000), enabled: false }])),
    ).toEqual({
      durationMs: 3000,
      usersMax: 30,
      ratePerSecondMax: 0,
    })
    expect(scenarioExtent(scenarioOf([hold(20, 2001), after])).usersMax).toBe(50)
  })

  test('counts the users that open loads may take, and adds their rates', () => {
    const open = { load: { type: 'constant_rate', rate_per_second: 40, duration_ms: 5000, users_max: 7 } }
    expect(scenarioExtent(scenarioOf([hold(20, 1000), open, open]))).toEqual({
      durationMs: 5000,
      usersMax: 34,
      ratePerSecondMax: 80,
    })
  })

  test('of none is nothing', () => {
    expect(scenarioExtent({ profiles: [] })).toEqual({ durationMs: 0, usersMax: 0, ratePerSecondMax: 0 })
  })
})

test('sumOfCurves() has a corner where one of them has one, and both sides of jumps', () => {
  const { profiles } = scenarioOf([
    { load: { type: 'ramp_up', users: 10, ramp_up_ms: 1000, plateau_ms: 1000 } },
    { ...hold(5, 1000), start_delay_ms: 500 },
  ])
  const sum = sumOfCurves(profiles.map(delayed))
  expect(sum.map(({ atMs, value }) => `${atMs}:${value}`).join(' ')).toBe(
    '0:0 500:5 500:10 1000:15 1500:15 1500:10 2000:10',
  )
})

const words = (load: object) =>
  scenarioOf([{ load }])
    .profiles.map((profile) => loadWords(profile.load))
    .join()

test('loadWords() tells a load in a line', () => {
  expect(words({ type: 'ramp_up', users: 50, ramp_up_ms: 30_000, plateau_ms: 90_000 })).toBe(
    'ramp up, 50 users, 2 min',
  )
  expect(words({ type: 'constant_rate', rate_per_second: 5, duration_ms: 1000, arrivals: 'poisson' })).toBe(
    'constant rate, 5 iterations/s, Poisson, at most 1000 users, 1 s',
  )
})
