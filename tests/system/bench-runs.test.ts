import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations, type OutputOf } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platform, signUp, type Person } from './person.ts'
import { programEnv } from './program-env.ts'

/** Load that agents, each a process of its own, make on a real server, and what the platform tells of it. */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')

let owner: Person
let projectId: string
let virtualUserId: string
let target: Server
let agentToken: string
const agents: ChildProcess[] = []
/** What the server answered, by path. */
const answered = new Map<string, number>()

beforeAll(async () => {
  target = createServer((request, response) => {
    const path = request.url ?? ''
    const count = (answered.get(path) ?? 0) + 1
    answered.set(path, count)
    const isFailing = path === '/orders' && count % 10 === 0
    setTimeout(
      () => {
        response.writeHead(isFailing ? 500 : 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ id: count }))
      },
      path === '/slow' ? 40 : 5,
    )
  })
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  owner = await signUp('Loader')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Loaded',
  })
  projectId = project.id
  const { http_server: server } = await owner.client.call(operations.createHttpServer, {
    project_id: projectId,
    name: 'shop',
    base_url: `http://127.0.0.1:${portOf(target)}`,
  })
  const request = (id: string, method: string, path: string, rest: object = {}) => ({
    type: 'http_request',
    id,
    name: `${method} ${path}`,
    method,
    server_id: server.id,
    path,
    ...rest,
  })
  const { virtual_user: user } = await owner.client.call(operations.createVirtualUser, {
    project_id: projectId,
    name: 'Buyer',
    document: {
      actions: [
        {
          type: 'container',
          id: 'act_checkout',
          name: 'checkout',
          actions: [
            request('act_slow', 'GET', '/slow', {
              extractors: [{ id: 'e1', type: 'json_path', variable: 'order_id', path: '$.id' }],
            }),
            request('act_orders', 'POST', '/orders', {
              body: { type: 'json', text: '{"id":"${order_id}"}' },
            }),
          ],
        },
        { type: 'delay', id: 'act_think', duration: { distribution: 'constant', ms: 100 } },
      ],
    },
  })
  virtualUserId = user.id
  const installed = await owner.client.call(operations.getAgentInstallCommand, {
    workspace_id: owner.workspaceId,
  })
  agentToken = installed.token
})
afterAll(async () => {
  await Promise.all(agents.map((agent) => end(agent, 'SIGKILL')))
  target?.close()
})

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function startAgent(name: string, group = 'default'): ChildProcess {
  const agent = spawn(
    process.execPath,
    [cli, 'agent', '--group', group, '--workspace', owner.workspaceId, '--name', name],
    {
      env: {
        ...programEnv,
        FLAMEGATE_URL: platform().url,
        FLAMEGATE_TOKEN: agentToken,
      },
      stdio: 'ignore',
    },
  )
  agents.push(agent)
  return agent
}

async function end(agent: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (agent.exitCode !== null || agent.signalCode !== null) return
  const exit = once(agent, 'exit')
  agent.kill(signal)
  await exit
}

async function online(group: string, count: number): Promise<void> {
  await expect
    .poll(async () => {
      const listed = await owner.client.call(operations.listLoadGenerators, {
        workspace_id: owner.workspaceId,
      })
      return listed.load_generators.filter((each) => each.agent_group === group && each.is_online).length
    })
    .toBe(count)
}

async function createScenario(name: string, load: object, rest: object = {}, group = 'default') {
  const { scenario } = await owner.client.call(operations.createScenario, {
    project_id: projectId,
    name,
    document: {
      profiles: [{ id: 'p1', name: 'buyers', virtual_user_id: virtualUserId, load, agent_group: group }],
      ...rest,
    },
  })
  return scenario.id
}

type Result = OutputOf<typeof operations.getBenchResult>

const result = (id: string): Promise<Result> =>
  owner.client.call(operations.getBenchResult, { bench_result_id: id })

async function ended(id: string): Promise<Result> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const now = await result(id)
    if (now.next_poll_seconds === null) return now
    // oxlint-disable-next-line no-await-in-loop -- see above
    await sleep(500)
  }
}

const total = () => [...answered.values()].reduce((sum, count) => sum + count, 0)

test('two agents make the load of a scenario, and every request is counted once', async () => {
  startAgent('one')
  startAgent('two')
  await online('default', 2)
  answered.clear()
  const scenarioId = await createScenario(
    'Ramp',
    { type: 'ramp_up', users: 8, ramp_up_ms: 1000, plateau_ms: 4000 },
    {
      thresholds: [
        'p95 duration of container "checkout" < 5000 ms',
        'error share of action "act_orders" < 1 %',
      ],
    },
  )
  const started = await owner.client.call(operations.runScenario, {
    scenario_id: scenarioId,
    wait_seconds: 600,
  })
  const id = started.bench_result.id
  await expect.poll(async () => (await result(id)).bench_result.state).toBe('RUNNING')
  await expect.poll(async () => (await result(id)).numbers?.count ?? 0).toBeGreaterThan(20)
  const done = await ended(id)
  expect(done.bench_result).toMatchObject({ state: 'FINISHED', is_degraded: false, progress: 1 })
  expect(done.shards).toMatchObject([
    { slot: 0, state: 'DONE' },
    { slot: 1, state: 'DONE' },
  ])
  expect(done.bench_result.message).toBe('1 of 2 thresholds were breached.')
  expect(done.thresholds).toMatchObject([{ state: 'passed' }, { state: 'breached' }])
  expect(done.numbers?.count).toBe(total())
  expect(done.numbers?.failed).toBe(Math.floor((answered.get('/orders') ?? 0) / 10))
  const table = await owner.client.call(operations.getBenchTable, { bench_result_id: id })
  const rowOf = (action: string) => table.rows.find(({ action_id }) => action_id === action)
  expect(rowOf('act_slow')).toMatchObject({ count: answered.get('/slow'), failed: 0, path: ['checkout'] })
  expect(rowOf('act_orders')).toMatchObject({ count: answered.get('/orders'), failed: done.numbers?.failed })
  expect(rowOf('act_slow')?.min_ms).toBeGreaterThan(39)
  expect(table.errors).toMatchObject([{ error_class: 'status_5xx', count: done.numbers?.failed }])
  expect(table.samples[0]).toMatchObject({
    error_class: 'status_5xx',
    exchange: { request: { method: 'POST' } },
  })
  const series = await owner.client.call(operations.getBenchSeries, {
    bench_result_id: id,
    metrics: ['rate', 'users'],
  })
  const [rate, users] = series.lines
  const requests = (rate?.values ?? []).reduce((sum: number, value) => sum + (value ?? 0), 0)
  expect(Math.round(requests * series.bucket_seconds)).toBe(total())
  expect(Math.max(...(users?.values ?? []).map(Number))).toBe(8)
  // Half of them take 40 ms at least, half 5: no mean of the two.
  expect(done.numbers?.p50_ms).toBeGreaterThan(4)
  expect(done.numbers?.p95_ms).toBeGreaterThan(39)
  const { task } = await owner.client.call(operations.getTaskResult, { task_id: started.task_id })
  expect(task).toMatchObject({ status: 'SUCCESS', result: { bench_result_id: id, state: 'FINISHED' } })
})

test('a run that is stopped drains, and says so', async () => {
  answered.clear()
  const scenarioId = await createScenario('Long', { type: 'ramp_up', users: 4, plateau_ms: 600_000 })
  const { bench_result: run } = await owner.client.call(operations.runScenario, {
    scenario_id: scenarioId,
    wait_seconds: 600,
  })
  await expect.poll(async () => (await result(run.id)).numbers?.count ?? 0).toBeGreaterThan(5)
  await owner.client.call(operations.stopBenchResult, { bench_result_id: run.id })
  const done = await ended(run.id)
  expect(done.bench_result).toMatchObject({ state: 'ABORTED', message: 'It was stopped by hand.' })
  expect(done.shards.map(({ state }) => state)).toEqual(['DONE', 'DONE'])
  expect(done.numbers?.count).toBe(total())
})

test('an agent that is killed is missed, and its users go to the other one', async () => {
  answered.clear()
  startAgent('steady', 'risky')
  const doomed = startAgent('doomed', 'risky')
  await online('risky', 2)
  const scenarioId = await createScenario(
    'Risky',
    { type: 'ramp_up', users: 6, plateau_ms: 18_000 },
    {},
    'risky',
  )
  const { bench_result: run } = await owner.client.call(operations.runScenario, {
    scenario_id: scenarioId,
    wait_seconds: 600,
  })
  await expect.poll(async () => (await result(run.id)).numbers?.users ?? 0).toBe(6)
  await end(doomed, 'SIGKILL')
  await expect
    .poll(async () => (await result(run.id)).shards.map(({ state }) => state).toSorted())
    .toEqual(['LOST', 'RUNNING'])
  // All six run again, on the one that is left.
  await expect.poll(async () => (await result(run.id)).numbers?.users ?? 0).toBe(6)
  const done = await ended(run.id)
  expect(done.bench_result).toMatchObject({ state: 'FINISHED', is_degraded: false })
  expect(done.events.map(({ words }) => words).join('\n')).toMatch(/was lost[^]*go to the 1 agents/)
  // Of the one that was killed, its last seconds are lost, and no more.
  const counted = done.numbers?.count ?? 0
  expect(counted).toBeLessThanOrEqual(total())
  expect(counted).toBeGreaterThan(total() - 300)
})

test('an agent that is stopped is away at once, for its page and for the pre-flight', async () => {
  const leaving = startAgent('leaving', 'leaving')
  await online('leaving', 1)
  const load = { type: 'ramp_up', users: 1, plateau_ms: 1000 }
  const scenario_id = await createScenario('Left', load, {}, 'leaving')
  const codes = async () => {
    const { checks } = await owner.client.call(operations.preflightScenario, { scenario_id })
    return checks.map(({ code }) => code)
  }
  expect(await codes()).not.toContain('no_generator')
  await end(leaving, 'SIGTERM')
  const { load_generators: all } = await owner.client.call(operations.listLoadGenerators, {
    workspace_id: owner.workspaceId,
  })
  expect(all.find(({ name }) => name === 'leaving')?.is_online).toBe(false)
  expect(await codes()).toContain('no_generator')
  startAgent('leaving', 'leaving')
  await online('leaving', 1)
})

test('a threshold that may end a run ends it', async () => {
  const scenarioId = await createScenario(
    'Strict',
    { type: 'ramp_up', users: 2, plateau_ms: 600_000 },
    { thresholds: ['p50 duration of container "checkout" < 1 ms, abort'] },
  )
  const { bench_result: run } = await owner.client.call(operations.runScenario, {
    scenario_id: scenarioId,
    wait_seconds: 600,
  })
  const done = await ended(run.id)
  expect(done.bench_result.state).toBe('ABORTED')
  expect(done.bench_result.message).toContain(
    'A threshold was breached: p50 duration of container "checkout" < 1 ms',
  )
})
