import { describe, expect, test } from 'vitest'
import { getRequest, pause, scenarioOf, userOf } from '../testing/scenarios.ts'
import { estimateIteration, estimateRequests, iterationMs } from './estimate-requests.ts'

const loop = (count: string, ...actions: object[]) => ({ type: 'loop', count, actions })
const resource = (id: string, enabled = true) => ({ id, server_id: 'srv_1', path: '/a.css', enabled })
const estimated = (...actions: object[]) => {
  const { requests, firstRequests, isCertain } = estimateIteration(userOf(...actions))
  return [requests, firstRequests, isCertain]
}

describe('estimateIteration()', () => {
  test('counts what is sent, with loops, choices by their weights, and resources', () => {
    expect(estimated(getRequest, loop('3', getRequest, getRequest))).toEqual([7, 0, true])
    expect(
      estimated({
        type: 'random',
        choices: [
          { weight: 3, actions: [getRequest, getRequest] },
          { weight: 1, actions: [] },
        ],
      }),
    ).toEqual([1.5, 0, true])
    const listed = { mode: 'listed', list: [resource('a'), resource('b'), resource('c', false)] }
    expect(estimated({ ...getRequest, resources: listed })).toEqual([3, 0, true])
    expect(estimated({ ...getRequest, resources: { ...listed, mode: 'none' } })).toEqual([1, 0, true])
  })

  test('keeps apart what the first iteration does only', () => {
    expect(estimated({ type: 'once', actions: [getRequest, getRequest] }, getRequest)).toEqual([1, 2, true])
    expect(estimated(loop('3', { type: 'once', actions: [getRequest] }))).toEqual([0, 1, true])
  })

  test('leaves out what is disabled', () => {
    expect(estimated({ ...getRequest, enabled: false }, loop('0', getRequest))).toEqual([0, 0, true])
  })

  test('says where something else decides', () => {
    expect(estimated(loop('${pages}', getRequest))).toEqual([1, 0, false])
    const condition = { comparisons: [{ left: '${a}', operator: 'equals', right: '1' }] }
    expect(estimated({ type: 'while', condition, actions: [getRequest] })).toEqual([1, 0, false])
    expect(estimated({ ...getRequest, resources: { mode: 'parsed' } })).toEqual([1, 0, false])
  })
})

describe('iterationMs()', () => {
  const [plain] = scenarioOf([{ think_time_factor: 2 }]).profiles
  if (plain === undefined) throw new TypeError('no profile')

  test('is think times by both factors, and requests; at least its pacing', () => {
    const user = {
      ...userOf(getRequest, pause(1000), { ...pause(300), is_scaled: false }),
      think_time_factor: 1.5,
    }
    expect(iterationMs(estimateIteration(user), plain, 100)).toBe(100 + 3000 + 300)
    const pacing = { distribution: 'uniform' as const, min_ms: 4000, max_ms: 6000 }
    expect(iterationMs(estimateIteration(user), { ...plain, pacing }, 100)).toBe(5000)
  })
})

describe('estimateRequests()', () => {
  const iteration = estimateIteration(
    userOf(getRequest, getRequest, pause(800), { type: 'once', actions: [getRequest] }),
  )
  const of = (load: object) => {
    const [profile] = scenarioOf([{ load }]).profiles
    if (profile === undefined) throw new TypeError('no profile')
    const { iterations, requests } = estimateRequests(profile, iteration, 100)
    return [iterations, requests]
  }

  test('a closed load goes round as often as there is time', () => {
    // 10 users for 60 s, and half of them for 10 s; one second for each iteration.
    expect(of({ type: 'ramp_up', users: 10, ramp_up_ms: 10_000, plateau_ms: 60_000 })).toEqual([650, 1310])
  })

  test('its users end after their iterations', () => {
    const load = {
      type: 'ramp_up',
      users: 10,
      ramp_up_ms: 10_000,
      plateau_ms: 60_000,
      iterations_per_user: 3,
    }
    expect(of(load)).toEqual([30, 70])
  })

  test('an open load has its arrivals, however long they take', () => {
    expect(of({ type: 'constant_rate', rate_per_second: 20, duration_ms: 60_000, users_max: 50 })).toEqual([
      1200, 2450,
    ])
  })
})
