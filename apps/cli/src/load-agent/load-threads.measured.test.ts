import { createServer, type Server } from 'node:http'
import { actionCounters, profileCounters, type Tick } from '@flamegate/series'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ShardPlan } from './load-plan.ts'
import { LoadThreads } from './load-threads.ts'

let server: Server
let seen: string[] = []
beforeEach(async () => {
  seen = []
  server = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const open: LoadThreads[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((threads) => threads.end()))
})

const steadyUsers = (users: number, durationMs: number) => ({
  type: 'custom',
  points: [
    { at_ms: 0, users },
    { at_ms: durationMs, users },
  ],
})
const whole = { index: 0, agents: 1 }
const silent = { onSample: () => {}, onPageLoad: () => {}, onPageTrace: () => {}, onRequests: () => {} }

function planOf(load: Record<string, unknown>, path: string, more: Partial<ShardPlan> = {}): ShardPlan {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const action = { type: 'http_request', id: 'a', method: 'GET', server_id: 'srv_1', path }
  return {
    project_id: 'prj_1',
    bench_result_id: 'bnr_1',
    agent_group: 'default',
    slot: 0,
    seed: 7,
    scenario: { name: 'Shop', profiles: [{ id: 'p', name: 'p', virtual_user_id: 'vu_1', load }] },
    virtual_users: [{ id: 'vu_1', document: { name: 'Buyer', actions: [action] } }],
    servers: [{ id: 'srv_1', document: { name: 'shop', base_url: `http://127.0.0.1:${port}` } }],
    variables: [{ type: 'counter', name: 'n' }],
    secrets: {},
    actions: [{ profile: 0, action_id: 'a', type: 'http_request', name: '', path: [] }],
    files: [],
    hosts: [],
    allowed_targets: ['127.0.0.1'],
    ...more,
  }
}

async function runToItsEnd(plan: ShardPlan, count: number): Promise<Tick[]> {
  const threads = new LoadThreads(
    plan,
    whole,
    { threadsMax: count, browserUsersMax: 2, files: new Map() },
    silent,
  )
  open.push(threads)
  await threads.ready
  threads.begin(Date.now(), whole)
  await threads.done
  return threads.takeTicks()
}

const sum = (ticks: readonly Tick[], counter: (typeof actionCounters)[number]) =>
  ticks
    .flatMap(({ actions }) => actions)
    .reduce((total, { counters }) => total + (counters[actionCounters.indexOf(counter)] ?? 0), 0)

test('the threads make the load once, count what the server counts, and take turns in the values of a variable', async () => {
  const load = { ...steadyUsers(6, 60_000), iterations_per_user: 20 }
  const ticks = await runToItsEnd(planOf(load, '/${n}'), 3)
  expect(sum(ticks, 'count')).toBe(120)
  expect(sum(ticks, 'status_2xx')).toBe(120)
  expect(seen.toSorted()).toEqual(Array.from({ length: 120 }, (_, place) => `/${place + 1}`).toSorted())
  const times = ticks.flatMap(({ actions }) => actions.flatMap(({ serviceTime }) => [...serviceTime.counts]))
  expect(times.reduce((total, count) => total + count, 0)).toBe(120)
  expect(ticks.map(({ second }) => second)).toEqual(ticks.map((_, index) => index))
})

test('each arrival of an open load is begun by one of them', async () => {
  // Then nothing is due for so long that also a machine that is late gets to the end.
  const load = {
    type: 'ramping_rate',
    points: [200, 200, 0, 0].map((rate_per_second, place) => ({
      at_ms: [0, 1000, 1000, 600_000][place],
      rate_per_second,
    })),
    users_max: 20,
  }
  const ticks = await runToItsEnd(planOf(load, '/'), 2)
  const due = profileCounters.indexOf('arrivals_due')
  expect(ticks.reduce((total, { profiles }) => total + (profiles[0]?.[due] ?? 0), 0)).toBe(200)
  expect([sum(ticks, 'count'), seen.length]).toEqual([200, 200])
})

test('they are over when the rows of a file are, and say so once for all of them', async () => {
  const threads = new LoadThreads(
    planOf(steadyUsers(6, 600_000), '/${row}', {
      variables: [{ type: 'csv', name: 'rows', path: 'rows.csv', order: 'unique' }],
    }),
    whole,
    { threadsMax: 3, browserUsersMax: 0, files: new Map([['rows.csv', Buffer.from('row\na\nb\nc\nd\n')]]) },
    silent,
  )
  open.push(threads)
  await threads.ready
  threads.begin(Date.now(), whole)
  const { words } = await threads.done
  expect(words[0]).toBe('All users of p ran out of rows of rows.')
  expect(words.filter((each) => each.startsWith('All users'))).toHaveLength(1)
  expect(seen.toSorted()).toEqual(['/a', '/b', '/c', '/d'])
})

test('they stop when they are told to, before they begin, too', async () => {
  const threads = new LoadThreads(
    planOf(steadyUsers(4, 600_000), '/'),
    whole,
    { threadsMax: 2, browserUsersMax: 0, files: new Map() },
    silent,
  )
  open.push(threads)
  await threads.ready
  threads.begin(Date.now() + 600_000, whole)
  threads.stop()
  expect(await threads.done).toEqual({ words: [] })
  expect(seen).toEqual([])
})

test('what cannot be loaded is told before the run begins', async () => {
  const threads = new LoadThreads(
    planOf(steadyUsers(4, 1000), '/', { virtual_users: [] }),
    whole,
    { threadsMax: 2, browserUsersMax: 0, files: new Map() },
    silent,
  )
  open.push(threads)
  await expect(threads.ready).rejects.toThrow('The virtual user of the profile p did not come.')
})
