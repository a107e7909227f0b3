import { expect, test } from 'vitest'
import { curvesOf, totalOf } from './curves-of.ts'

const profile = (id: string, load: object, rest: object = {}) => ({
  id,
  name: id.toUpperCase(),
  load,
  ...rest,
})

test('curvesOf() keeps users and rates apart, and leaves out what is off or not written yet', () => {
  const curves = curvesOf({
    profiles: [
      profile('a', { type: 'ramp_up', users: 5, plateau_ms: 1000 }, { start_delay_ms: 500 }),
      profile('b', { type: 'constant_rate', rate_per_second: 2, duration_ms: 4000 }),
      profile('c', { type: 'ramp_up', users: 9, plateau_ms: 9000 }, { enabled: false }),
      profile('d', { type: 'ramp_up', users: 'many', plateau_ms: 9000 }),
      profile('e', { type: 'ramp_up', users: 1, plateau_ms: 1 }, { start_delay_ms: 'soon' }),
    ],
  })
  expect(curves.users.map(({ id }) => id)).toEqual(['a'])
  expect(curves.rates.map(({ id }) => id)).toEqual(['b'])
  expect(curves.durationMs).toBe(4000)
  expect(curves.unreadable).toEqual(['D', 'E'])
  expect(totalOf(curves.users)).toEqual([
    { atMs: 0, value: 0 },
    { atMs: 500, value: 0 },
    { atMs: 500, value: 5 },
    { atMs: 1500, value: 5 },
  ])
})

test('of a document without profiles there is none', () => {
  expect(curvesOf({})).toEqual({ users: [], rates: [], durationMs: 0, unreadable: [] })
})
