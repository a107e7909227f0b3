import { describe, expect, test } from 'vitest'
import { getRequest, pause, scenarioOf, userOf } from '../testing/scenarios.ts'
import { limitProblems, scenarioProblems, type ScenarioSurroundings } from './scenario-problems.ts'

const buyer = userOf(
  { type: 'container', name: 'checkout', actions: [{ ...getRequest, id: 'act_pay', name: 'pay' }] },
  pause(1000),
)
const known: ScenarioSurroundings = {
  virtualUsers: new Map([
    ['vu_1', buyer],
    ['vu_idle', userOf(pause(5))],
    ['vu_hasty', userOf(getRequest)],
    ['vu_browser', userOf({ type: 'page', steps: [] }, pause(1))],
  ]),
  files: new Set(['load.js']),
}
const found = (profiles: object[], rest: object = {}) =>
  scenarioProblems(scenarioOf(profiles, rest), known).map(
    ({ grade, code, pointer }) => `${grade} ${code} ${pointer}`,
  )

const k6 = { type: 'k6', path: 'load.js' }

describe('scenarioProblems()', () => {
  test('finds none in a good scenario', () => {
    const thresholds = [
      'error share < 1 %',
      'p95 duration of container checkout < 400 ms',
      'p95 duration of action act_pay < 400 ms',
      'rate of profile p1 > 1',
      'p75 lcp of profile p1 < 2.5 s',
    ]
    expect(found([{}, { virtual_user_id: 'vu_browser' }], { thresholds })).toEqual([])
    const slow = {
      pacing: { distribution: 'constant', ms: 5000 },
      network: { download_bits_per_second: 1_600_000, latency_ms: 150 },
      keep_alive: false,
      http_version: 'h2',
      proxy_url: 'http://ann:${password}@proxy.test:3128',
    }
    expect(found([slow])).toEqual([])
  })

  test.each<[string, object[], string]>([
    ['no profile', [], 'ERROR no_profiles /profiles'],
    ['all disabled', [{ enabled: false, virtual_user_id: 'vu_9' }], 'ERROR no_profiles /profiles'],
    [
      'another project’s virtual user',
      [{}, { virtual_user_id: 'vu_9' }],
      'ERROR missing_virtual_user /profiles/1/virtual_user_id',
    ],
    ['nobody', [{ load: { type: 'ramp_up', users: 0, plateau_ms: 9 } }], 'ERROR empty_load /profiles/0/load'],
    [
      'no time',
      [{ load: { type: 'ramp_up', users: 5, plateau_ms: 0 } }],
      'ERROR empty_load /profiles/0/load',
    ],
    [
      'a user that sends nothing',
      [{ virtual_user_id: 'vu_idle' }],
      'ERROR idle_virtual_user /profiles/0/virtual_user_id',
    ],
    ['users that never wait', [{ virtual_user_id: 'vu_hasty' }], 'INFO no_think_time /profiles/0/pacing'],
    [
      'a password of a proxy that everybody can read',
      [{ proxy_url: 'http://ann:hush@proxy.test:3128' }],
      'WARNING plain_secret /profiles/0/proxy_url',
    ],
    [
      'a script that is not there',
      [{ virtual_user_id: null, engine: { type: 'k6', path: 'gone.js' } }],
      'ERROR missing_file /profiles/0/engine/path',
    ],
    [
      'a file beside a script that is not there',
      [{ virtual_user_id: null, engine: { ...k6, files: ['gone.csv'] } }],
      'ERROR missing_file /profiles/0/engine/files/0',
    ],
    [
      'what a script decides by itself',
      [{ virtual_user_id: null, engine: k6, keep_alive: false }],
      'ERROR not_of_engine /profiles/0/keep_alive',
    ],
    [
      'a variable in what a script is given',
      [{ virtual_user_id: null, engine: k6, variables: { base: '${host}/a' } }],
      'ERROR not_of_engine /profiles/0/variables/base',
    ],
    [
      'arrivals at random for a script of k6',
      [
        {
          virtual_user_id: null,
          engine: k6,
          load: { type: 'constant_rate', rate_per_second: 10, duration_ms: 9000, arrivals: 'poisson' },
        },
      ],
      'ERROR not_of_engine /profiles/0/load/arrivals',
    ],
    [
      'iterations of each user for a script of k6',
      [
        {
          virtual_user_id: null,
          engine: k6,
          load: { type: 'ramp_up', users: 2, plateau_ms: 9000, iterations_per_user: 3 },
        },
      ],
      'ERROR not_of_engine /profiles/0/load/iterations_per_user',
    ],
    [
      'a curve that a JMX has to make itself',
      [
        {
          virtual_user_id: null,
          engine: { type: 'jmeter', path: 'load.js' },
          load: { type: 'stairs', users: 4, steps: 2, step_ms: 9000 },
        },
      ],
      'WARNING load_of_jmx /profiles/0/load',
    ],
    [
      'what a browser decides by itself',
      [{ virtual_user_id: 'vu_browser', keep_alive: false }],
      'ERROR not_of_browser /profiles/0/keep_alive',
    ],
    [
      'too few users for the rate',
      [{ load: { type: 'constant_rate', rate_per_second: 100, duration_ms: 9000, users_max: 100 } }],
      'WARNING too_few_users /profiles/0/load/users_max',
    ],
  ])('finds %s', (_what, profiles, problem) => {
    expect(found(profiles)).toEqual([problem])
  })

  test.each([
    ['p95 duration of container basket < 4', 'ERROR missing_action /thresholds/0'],
    ['p95 duration of action act_gone < 4', 'ERROR missing_action /thresholds/0'],
    ['rate of profile p2 > 4', 'ERROR missing_profile /thresholds/0'],
    ['p75 lcp < 2.5 s', 'WARNING no_browser_users /thresholds/0'],
  ])('finds a threshold about what is not there: %s', (text, problem) => {
    expect(found([{}, { enabled: false }], { thresholds: [text] })).toEqual([problem])
  })

  test('tells the id of what a threshold calls by its name', () => {
    const scenario = scenarioOf([{ name: 'Buyers' }], {
      thresholds: ['p95 duration of action pay < 4', 'rate of profile Buyers > 4'],
    })
    expect(scenarioProblems(scenario, known).map(({ advice }) => advice)).toEqual([
      'Actions are told by their ids: write action "act_pay".',
      'Profiles are told by their ids: write profile "p1".',
    ])
  })

  test('finds a threshold that comes twice', () => {
    expect(found([{}], { thresholds: ['count > 4', 'count > 4'] })).toEqual([
      'WARNING repeated_threshold /thresholds/1',
    ])
  })

  test('does not know what other engines do', () => {
    const profile = { virtual_user_id: null, engine: k6 }
    expect(found([profile], { thresholds: ['p95 duration of container anything < 4'] })).toEqual([])
    const rate = { type: 'constant_rate', rate_per_second: 10, duration_ms: 9000 }
    expect(found([{ ...profile, load: rate }])).toEqual([])
    const random = { ...rate, arrivals: 'poisson' }
    expect(found([{ ...profile, engine: { ...k6, has_own_load: true }, load: random }])).toEqual([])
  })
})

const hold = (users: number, plateau_ms = 1000) => ({ load: { type: 'ramp_up', users, plateau_ms } })

describe('limitProblems()', () => {
  const limits = { usersMax: 20, ratePerSecondMax: 50, durationMsMax: 70_000, browserUsersMax: 3 }
  const over = (profiles: object[]) =>
    limitProblems(scenarioOf(profiles), limits, known).map(({ code }) => code)

  test('allows what is just as large', () => {
    expect(over([{}, {}])).toEqual([])
  })

  test('refuses what is larger in any way', () => {
    expect(over([hold(21)])).toEqual(['too_many_users'])
    expect(over([hold(1, 70_001)])).toEqual(['too_long'])
    expect(over([{ ...hold(4), virtual_user_id: 'vu_browser' }])).toEqual(['too_many_browsers'])
    const rate = { type: 'constant_rate', rate_per_second: 51, duration_ms: 1000, users_max: 5 }
    expect(over([{ load: rate }])).toEqual(['rate_too_high'])
  })
})
