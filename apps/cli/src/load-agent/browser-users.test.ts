import { createServer, type Server } from 'node:http'
import { actionCounters, type Tick } from '@flamegate/series'
import type { MeasuredPageLoad } from '@flamegate/loadtest-engine'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { browserFault } from './browser-users.ts'
import { threadParts, type ShardPlan } from './load-plan.ts'
import { LoadThreads } from './load-threads.ts'

let server: Server
let requests: string[] = []
beforeEach(async () => {
  requests = []
  server = createServer((request, response) => {
    const agent = request.headers['user-agent'] ?? ''
    requests.push(`${agent.includes('Chrome') ? 'browser' : 'other'} ${request.url}`)
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
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

const whole = { index: 0, agents: 1 }
const steady = (users: number) => ({
  type: 'custom',
  points: [
    { at_ms: 0, users },
    { at_ms: 60_000, users },
  ],
  iterations_per_user: 3,
})

const profileOf = (name: string, load: object) => ({ id: name, name, virtual_user_id: name, load })

/** `buyers` send requests, `visitors` load a page. */
function planOf(buyers: number, visitors: number): ShardPlan {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const request = { type: 'http_request', id: 'get', method: 'GET', server_id: 'srv_1', path: '/api' }
  const step = { type: 'goto', id: 'step_1', server_id: 'srv_1', path: '/page' }
  const action = { type: 'any', name: '', path: [] }
  return {
    project_id: 'prj_1',
    bench_result_id: 'bnr_1',
    agent_group: 'default',
    slot: 0,
    seed: 7,
    scenario: {
      name: 'Shop',
      profiles: [profileOf('visitors', steady(visitors)), profileOf('buyers', steady(buyers))],
    },
    virtual_users: [
      { id: 'buyers', document: { name: 'Buyer', actions: [request] } },
      {
        id: 'visitors',
        document: { name: 'Visitor', actions: [{ type: 'page', id: 'see', steps: [step] }] },
      },
    ],
    servers: [{ id: 'srv_1', document: { name: 'shop', base_url: `http://127.0.0.1:${port}` } }],
    variables: [],
    secrets: {},
    actions: [
      { ...action, profile: 0, action_id: 'see' },
      { ...action, profile: 1, action_id: 'get' },
    ],
    files: [],
    hosts: [],
    allowed_targets: ['127.0.0.1'],
  }
}

function start(plan: ShardPlan, browserUsersMax: number) {
  const loads: MeasuredPageLoad[] = []
  const listener = {
    onSample: () => {},
    onRequests: () => {},
    onPageLoad: (load: MeasuredPageLoad) => void loads.push(load),
    onPageTrace: () => {},
  }
  const limits = { threadsMax: 2, browserUsersMax, files: new Map() }
  const threads = new LoadThreads(plan, whole, limits, listener)
  open.push(threads)
  return { threads, loads }
}

function countOf(ticks: readonly Tick[], profile: number): number {
  return ticks
    .flatMap(({ actions }) => actions)
    .filter((action) => action.profile === profile && action.action === profile)
    .reduce((sum, { counters }) => sum + (counters[actionCounters.indexOf('count')] ?? 0), 0)
}

test('users with a browser run beside the others, and are counted with them', async () => {
  const { threads, loads } = start(planOf(4, 2), 2)
  await threads.ready
  threads.begin(Date.now(), whole)
  await threads.done
  const ticks = threads.takeTicks()
  expect([countOf(ticks, 0), countOf(ticks, 1)]).toEqual([6, 12])
  expect(requests.filter((each) => each === 'browser /page')).toHaveLength(6)
  expect(requests.filter((each) => each === 'other /api')).toHaveLength(12)
  expect(loads).toHaveLength(6)
  expect(loads[0]).toMatchObject({ profile: 0, action: 0, page: '/page' })
})

test('an agent that cannot give so many users a browser says so before the run begins', async () => {
  await expect(start(planOf(1, 3), 2).threads.ready).rejects.toThrow(
    'This agent gives a browser to 2 users at most, and is to run 3.',
  )
  await expect(start(planOf(1, 1), 0).threads.ready).rejects.toThrow('This agent has no browser')
  expect(browserFault(2, 2)).toBeUndefined()
})

test('a browser ends with the thread that has it, in the middle of its work, too', async () => {
  const { threads } = start(planOf(0, 1), 1)
  await threads.ready
  threads.begin(Date.now(), whole)
  await vi.waitUntil(() => requests.includes('browser /page'), { timeout: 30_000 })
  await threads.end()
  await vi.waitFor(async () => expect(await openConnections()).toBe(0), { timeout: 15_000 })
})

test('users with pages have a thread of their own', () => {
  const parts = threadParts(planOf(2, 1), 4, new Map())
  expect(parts.map(({ thread, users, threads }) => [thread, users, threads])).toEqual([
    [0, 'without_pages', 2],
    [1, 'without_pages', 2],
    [2, 'with_pages', 1],
  ])
})

function openConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}
