import { expect, test } from 'vitest'
import { dealtShares } from './dealt-shares.ts'
import { groupsOfVariables, loadShard, threadParts, type Share, type ShardPlan } from './load-plan.ts'

const server = { id: 'srv_1', document: { name: 'shop', base_url: 'http://shop.invalid' } }
const request = (id: string) => ({ type: 'http_request', id, method: 'GET', server_id: 'srv_1', path: '/' })
const action = (profile: number, id: string) => ({
  profile,
  action_id: id,
  type: 'http_request',
  name: '',
  path: [],
})

function planOf(
  loads: readonly Record<string, unknown>[],
  rest: (index: number) => object = () => ({}),
): ShardPlan {
  return {
    project_id: 'prj_1',
    bench_result_id: 'bnr_1',
    agent_group: 'default',
    slot: 0,
    seed: 7,
    scenario: {
      name: 'Shop',
      profiles: loads.map((load, index) => ({
        id: `p${index}`,
        name: `p${index}`,
        virtual_user_id: 'vu_1',
        load,
        ...rest(index),
      })),
    },
    virtual_users: [{ id: 'vu_1', document: { name: 'Buyer', actions: [request('a'), request('b')] } }],
    servers: [server],
    variables: [{ type: 'constant', name: 'user', value: 'ada' }],
    secrets: {},
    actions: loads.flatMap((_load, profile) => [action(profile, 'a'), action(profile, 'b')]),
    files: [],
    hosts: ['shop.invalid'],
    allowed_targets: [],
  }
}

const stairs = {
  type: 'custom',
  points: [
    { at_ms: 0, users: 7 },
    { at_ms: 1000, users: 7 },
  ],
}
const rate = { type: 'constant_rate', rate_per_second: 10, duration_ms: 2000, arrivals: 'poisson' }

/** When its arrivals are due, up to the end. */
function arrivalsOf(shard: ReturnType<typeof loadShard>, profile = 0): number[] {
  const model = shard.plan.profiles[profile]?.model
  if (model?.type !== 'open') throw new TypeError('The load is not open')
  const all: number[] = []
  for (let at = model.nextArrivalMs(); at !== Infinity; at = model.nextArrivalMs()) all.push(at)
  return all
}

test('all shares together are the users of the scenario, also with other shares', () => {
  const shard = loadShard(planOf([stairs, stairs]), { index: 0, agents: 3 })
  const sum = (profile: number, agents: number) =>
    Array.from({ length: agents }, (_, index) => shard.wantedUsers(profile, { index, agents })(500)).reduce(
      (total, users) => total + users,
    )
  expect([sum(0, 3), sum(1, 3), sum(0, 2), sum(1, 1)]).toEqual([7, 7, 7, 7])
})

test('agents go through the same arrivals, of which each takes its own', () => {
  const whole = arrivalsOf(loadShard(planOf([rate]), { index: 0, agents: 1 }))
  const parts = [0, 1, 2].map((index) => arrivalsOf(loadShard(planOf([rate]), { index, agents: 3 })))
  expect(whole.length).toBeGreaterThan(5)
  expect(parts.flat().toSorted((a, b) => a - b)).toEqual(whole)
})

test('with another share, what was due before is somebody else’s', () => {
  const whole = arrivalsOf(loadShard(planOf([rate]), { index: 0, agents: 1 }))
  const shard = loadShard(planOf([rate]), { index: 1, agents: 2 })
  shard.setShare({ index: 0, agents: 1 }, 1000)
  expect(arrivalsOf(shard)).toEqual(whole.filter((at) => at >= 1000))
})

test('the threads of an agent share its users and its arrivals, also with another share', () => {
  const plan = planOf([stairs, { ...rate, users_max: 5 }])
  const share: Share = { index: 1, agents: 2 }
  const parts = threadParts(plan, 3, new Map())
  const threads = parts.map((part) => loadShard(plan, { index: 0, agents: 9 }, part))
  const sum = (profile: number) =>
    threads.reduce((total, thread) => total + thread.wantedUsers(profile, share)(500), 0)
  expect(sum(0)).toBe(loadShard(plan, share).wantedUsers(0, share)(500))
  for (const thread of threads) thread.setShare(share, 0)
  const whole = arrivalsOf(loadShard(plan, share), 1)
  const each = threads.map((thread) => arrivalsOf(thread, 1))
  expect(each.flat().toSorted((a, b) => a - b)).toEqual(whole)
  expect(each.every((own) => Math.abs(own.length - whole.length / 3) < 1)).toBe(true)
})

test.each([
  ['redistribute', 2, true],
  ['redistribute', 1, false],
  ['degrade', 2, false],
  ['stop', 2, false],
])('with %s, one of %d agents may get users of others: %s', (policy, agents, may) => {
  const plan = planOf([stairs])
  const shard = loadShard(
    { ...plan, scenario: { ...plan.scenario, on_agent_lost: policy } },
    { index: agents - 1, agents },
  )
  expect(shard.plan.profiles[0]?.model).toMatchObject({ mayTakeOver: may })
})

test('an agent that takes over arrivals of others may have as many users as they', () => {
  const shard = loadShard(planOf([{ ...rate, users_max: 100 }]), { index: 1, agents: 2 })
  expect(shard.plan.profiles[0]?.model).toMatchObject({ usersMax: 50 })
  expect(shard.usersMax(0, { index: 0, agents: 1 })).toBe(100)
})

test('there are no more threads than users, and one at least', () => {
  const alone = { ...rate, users_max: 2 }
  expect(threadParts(planOf([alone]), 8, new Map())).toHaveLength(2)
  expect(threadParts(planOf([stairs, alone]), 8, new Map())).toHaveLength(8)
  expect(threadParts(planOf([]), 8, new Map())).toHaveLength(1)
})

test('a profile begins after its delay', () => {
  const late = loadShard(
    planOf([rate], () => ({ start_delay_ms: 5000 })),
    { index: 0, agents: 1 },
  )
  expect(Math.min(...arrivalsOf(late))).toBeGreaterThanOrEqual(5000)
  expect(late.plan.durationMs).toBe(7000)
  const users = loadShard(
    planOf([stairs], () => ({ start_delay_ms: 5000 })),
    { index: 0, agents: 1 },
  )
  const share: Share = { index: 0, agents: 1 }
  expect([users.wantedUsers(0, share)(4999), users.wantedUsers(0, share)(5000)]).toEqual([0, 7])
})

test('an agent makes the profiles of its own group, and counts them as the scenario does', () => {
  const plan = planOf([stairs, stairs], (index) => (index === 0 ? { agent_group: 'elsewhere' } : {}))
  const shard = loadShard(plan, { index: 0, agents: 1 })
  expect(shard.places).toEqual([1])
  expect(shard.plan.profiles.map(({ firstAction }) => firstAction)).toEqual([2])
})

test('values of variables are dealt out to agents, to all profiles from one hand', () => {
  const plan = planOf([stairs, stairs], (index) => (index === 0 ? { variables: { user: 'bob' } } : {}))
  const [part] = threadParts(plan, 1, new Map())
  const dealt = [{ index: 1, agents: 3 }]
  const { profiles } = loadShard(plan, { index: 0, agents: 1 }, part, dealt).plan
  for (const { places } of profiles) expect(places?.shares).toEqual(dealt)
  expect(profiles[0]?.places?.given).toBe(profiles[1]?.places?.given)
  expect(profiles.map(({ variables }) => variables.map(({ name }) => name))).toEqual([['user'], ['user']])
})

const ofUsers = (id: string, path: string) => ({
  id,
  document: { name: id, actions: [{ ...request('a'), path }] },
})

test('agents of all groups of which users ask for a variable take turns in it, by how many began in each', async () => {
  const groups = ['north', 'south', 'west', 'south']
  const plan: ShardPlan = {
    ...planOf([stairs, stairs, stairs, stairs], (index) => ({
      agent_group: groups[index],
      virtual_user_id: ['vu_both', 'vu_file', 'vu_none', 'vu_both'][index],
      // South has no turns of its own in it.
      variables: index === 3 ? { turn: '7' } : {},
    })),
    agent_group: 'south',
    virtual_users: [
      ofUsers('vu_both', '/${login}/${turn}'),
      ofUsers('vu_file', '/${login}'),
      ofUsers('vu_none', '/'),
    ],
    variables: [
      { type: 'counter', name: 'turn' },
      // Only its first line tells that it is the one.
      { type: 'csv', name: 'users', path: 'users.csv', order: 'unique' },
      { type: 'csv', name: 'cities', path: 'cities.csv' },
      { type: 'list', name: 'own', values: ['a'], sharing: 'per_user' },
    ],
  }
  const files = new Map([
    ['users.csv', Buffer.from('login\nada\nbob\n')],
    ['cities.csv', Buffer.from('city\nOslo\n')],
  ])
  const groupsOf = await groupsOfVariables(plan, files)
  expect(Object.fromEntries(groupsOf)).toEqual({ turn: ['north'], users: ['north', 'south'] })
  const atStart = [
    { agent_group: 'south', agents: 2 },
    { agent_group: 'west', agents: 5 },
    { agent_group: 'north', agents: 3 },
  ]
  const sharesOf = (group: string, index: number, agents: number) =>
    dealtShares({ ...plan, agent_group: group }, groupsOf, { index, agents }, atStart)
  expect(sharesOf('south', 1, 2)[1]).toEqual({ index: 4, agents: 5 })
  expect(sharesOf('north', 2, 3).slice(0, 2)).toEqual([
    { index: 2, agents: 3 },
    { index: 2, agents: 5 },
  ])
})

test('values of the profile take the place of variables', () => {
  const shard = loadShard(
    planOf([stairs], () => ({ variables: { user: 'bob' } })),
    { index: 0, agents: 1 },
  )
  expect(shard.plan.profiles[0]?.variables).toMatchObject([{ type: 'constant', name: 'user', value: 'bob' }])
})
