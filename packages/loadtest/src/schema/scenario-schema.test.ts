import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { scenario } from '../scenario/scenario.ts'
import { designSchemas } from './design-schemas.ts'

const schema = designSchemas().find(({ name }) => name === 'scenario')?.schema ?? {}
const takes = new Ajv2020({ strict: true, allErrors: false }).compile(schema)

const profile = {
  id: 'buyers',
  name: 'Buyers',
  virtual_user_id: 'vu_1',
  load: { type: 'ramp_up', users: 5, plateau_ms: 1000 },
}
const document = (change: object = {}) => ({ name: 'Shop', profiles: [profile], ...change })
const loaded = (load: object) => document({ profiles: [{ ...profile, load }] })

describe('scenario.json takes what is read', () => {
  test.each<[string, object]>([
    ['the least', document()],
    ['no profiles yet', document({ profiles: [] })],
    ['thresholds as text', document({ thresholds: ['error share < 1 %'] })],
    ['thresholds as objects', document({ thresholds: [{ metric: 'count', operator: '>', value: 5 }] })],
    ['every default', scenario.parse(document({ thresholds: ['p95 lcp < 2 s', 'apdex(1 s) > 0.9'] }))],
    ['stairs', loaded({ type: 'stairs', users: 5, steps: 5, step_ms: 1000 })],
    [
      'arrivals',
      loaded({ type: 'constant_rate', rate_per_second: 2.5, duration_ms: 10, arrivals: 'poisson' }),
    ],
    [
      'points',
      loaded({ type: 'ramping_rate', points: [0, 5].map((at_ms) => ({ at_ms, rate_per_second: 1 })) }),
    ],
  ])('%s', (_what, value) => {
    expect(scenario.safeParse(value).success).toBe(true)
    expect(takes(value)).toBe(true)
  })
})

describe('scenario.json refuses what is refused', () => {
  test.each<[string, object]>([
    ['no name', { profiles: [] }],
    ['a field that there is not', document({ duration: 5 })],
    ['an unknown load', loaded({ type: 'wave' })],
    ['a field of another load', loaded({ type: 'ramp_up', users: 1, plateau_ms: 1, steps: 2 })],
    ['half a user', loaded({ type: 'ramp_up', users: 0.5, plateau_ms: 1 })],
    ['an unknown metric', document({ thresholds: [{ metric: 'speed', operator: '<', value: 1 }] })],
    ['a threshold that is a number', document({ thresholds: [5] })],
    ['an unknown policy', document({ on_agent_lost: 'panic' })],
  ])('%s', (_what, value) => {
    expect(scenario.safeParse(value).success).toBe(false)
    expect(takes(value)).toBe(false)
  })
})
