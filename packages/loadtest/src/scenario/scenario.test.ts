import { describe, expect, test } from 'vitest'
import { DocumentError, parseDocument } from '../patch/parse-document.ts'
import { scenarioOf } from '../testing/scenarios.ts'
import { compareScenarios } from './compare-scenarios.ts'
import { thresholdText } from './threshold-text.ts'

const profile = {
  id: 'p1',
  name: 'Buyers',
  virtual_user_id: 'vu_1',
  load: { type: 'ramp_up', users: 5, plateau_ms: 1000 },
}

describe('a scenario', () => {
  test('has sensible defaults', () => {
    const read = parseDocument('scenario', {
      name: 'Shop',
      profiles: [profile],
      thresholds: ['error share < 1 %'],
    })
    expect(read).toMatchObject({ schema_version: 1, on_agent_lost: 'redistribute', tags: [] })
    expect(read.profiles[0]).toEqual({
      id: 'p1',
      name: 'Buyers',
      enabled: true,
      virtual_user_id: 'vu_1',
      engine: { type: 'flamegate' },
      agent_group: 'default',
      load: { type: 'ramp_up', users: 5, ramp_up_ms: 0, plateau_ms: 1000, iterations_per_user: null },
      start_delay_ms: 0,
      think_time_factor: 1,
      pacing: null,
      network: { download_bits_per_second: null, upload_bits_per_second: null, latency_ms: 0 },
      keep_alive: true,
      http_version: 'of_server',
      proxy_url: null,
      variables: {},
    })
    expect(read.thresholds.map(thresholdText)).toEqual(['error share < 1%'])
  })

  test('is the same when it is read again', () => {
    const once = parseDocument('scenario', {
      name: 'Shop',
      profiles: [profile],
      thresholds: ['p95 lcp < 2 s'],
    })
    expect(parseDocument('scenario', once)).toEqual(once)
  })

  test.each<[string, object, string, string]>([
    ['an unknown type of load', { load: { type: 'wave' } }, '/profiles/0/load/type', 'Invalid'],
    [
      'a field of another load',
      { load: { type: 'ramp_up', users: 1, plateau_ms: 1, steps: 2 } },
      '/profiles/0/load/steps',
      'no such field',
    ],
    [
      'points that go back',
      {
        load: {
          type: 'custom',
          points: [
            { at_ms: 0, users: 1 },
            { at_ms: 5, users: 1 },
            { at_ms: 4, users: 1 },
          ],
        },
      },
      '/profiles/0/load/points',
      'let times rise',
    ],
    [
      'points that begin late',
      {
        load: {
          type: 'ramping_rate',
          points: [
            { at_ms: 1, rate_per_second: 1 },
            { at_ms: 5, rate_per_second: 1 },
          ],
        },
      },
      '/profiles/0/load/points',
      'Begin at 0',
    ],
    ['no virtual user', { virtual_user_id: null }, '/profiles/0/virtual_user_id', 'which virtual user'],
    [
      'a virtual user for k6',
      { engine: { type: 'k6', path: 'a.js' } },
      '/profiles/0/virtual_user_id',
      'own script',
    ],
    [
      'a pacing for a rate',
      {
        load: { type: 'constant_rate', rate_per_second: 1, duration_ms: 1 },
        pacing: { distribution: 'constant', ms: 5 },
      },
      '/profiles/0/pacing',
      'leave it out',
    ],
    [
      'spikes that overlap',
      {
        load: {
          type: 'spikes',
          base_rate_per_second: 1,
          spike_rate_per_second: 2,
          first_spike_ms: 0,
          spike_ms: 9,
          interval_ms: 5,
          duration_ms: 50,
        },
      },
      '/profiles/0/load/spike_ms',
      'longer than the interval',
    ],
  ])('is refused with %s', (_what, change, pointer, message) => {
    const faults = faultsOf({ name: 'Shop', profiles: [{ ...profile, ...change }] })
    expect(faults).toEqual([{ pointer, message: expect.stringContaining(message) }])
  })

  test('names the id that comes twice, and the threshold that cannot be read', () => {
    expect(faultsOf({ name: 'Shop', profiles: [profile, profile] })).toEqual([
      { pointer: '/profiles/1/id', message: 'p1 is the id of /profiles/0 already.' },
    ])
    expect(faultsOf({ name: 'Shop', profiles: [], thresholds: ['count > 1', 'p95 latency < 4'] })).toEqual([
      { pointer: '/thresholds/1', message: expect.stringContaining('Name a metric here') },
    ])
  })
})

test('compareScenarios() tells profiles by their ids, and thresholds as text', () => {
  const before = scenarioOf([{ id: 'a' }, { id: 'b' }], { thresholds: ['count > 1'] })
  const after = scenarioOf([{ id: 'b', keep_alive: false }, { id: 'c' }], { thresholds: ['count > 2'] })
  const told = compareScenarios(before, after).map(({ change, profileId, fields }) =>
    [change, profileId, ...fields.map((field) => `${field.pointer} ${field.before} → ${field.after}`)].join(
      ' ',
    ),
  )
  expect(told).toEqual([
    'changed  /thresholds/0 "count > 1" → "count > 2"',
    'changed b /name "Profile 2" → "Profile 1" /keep_alive true → false',
    'added c',
    'removed a',
  ])
})

function faultsOf(document: object): unknown {
  try {
    parseDocument('scenario', document)
  } catch (error) {
    if (error instanceof DocumentError) return error.faults
    throw error
  }
  return []
}
