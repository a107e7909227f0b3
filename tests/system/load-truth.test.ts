import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { operations, type OutputOf } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { agentToken, platform, signUp, type Person } from './person.ts'
import { TruthfulTarget, type Answered } from './truthful-target.ts'
import { programEnv } from './program-env.ts'

/**
 * What the platform tells of a load, held against what the server says that it did: through real agents, the store and the table. A
 * server cannot see how long its bytes are on the way, nor how late the two processes are that measure: that is what may be
 * missing (`allowanceMs`), and both say how much it was at most.
 */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
/** The same on any machine: loopback, and the server's timer, which counts whole milliseconds. */
const onTheWayMs = 5
/** Of the histograms. */
const precision = 0.001

let owner: Person
let projectId: string
const agents: ChildProcess[] = []
const targets: TruthfulTarget[] = []

beforeAll(async () => {
  owner = await signUp('Truth')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Truth',
  })
  projectId = project.id
  const token = await agentToken(owner)
  for (const name of ['one', 'two'])
    agents.push(
      spawn(
        process.execPath,
        [cli, 'agent', '--group', 'pair', '--workspace', owner.workspaceId, '--name', name],
        {
          env: { ...programEnv, FLAMEGATE_URL: platform().url, FLAMEGATE_TOKEN: token },
          stdio: 'ignore',
        },
      ),
    )
  await vi.waitUntil(async () => (await onlineAgents()) === 2, { timeout: 240_000, interval: 300 })
})
afterAll(async () => {
  await Promise.all(agents.map(kill))
  for (const target of targets) target.stop()
})

async function onlineAgents(): Promise<number> {
  const { load_generators: listed } = await owner.client.call(operations.listLoadGenerators, {
    workspace_id: owner.workspaceId,
  })
  return listed.filter((each) => each.is_online).length
}

async function kill(agent: ChildProcess): Promise<void> {
  if (agent.exitCode !== null || agent.signalCode !== null) return
  const exit = once(agent, 'exit')
  agent.kill('SIGKILL')
  await exit
}

/** Runs requests, one action each, under a load, on so many agents. Gives what is told of it at the end. */
async function run(
  name: string,
  target: TruthfulTarget,
  requests: Record<string, object>,
  load: object,
  agentsMax: number,
  whenStarted: (startedAt: number) => void = () => undefined,
) {
  targets.push(target)
  const { http_server: server } = await owner.client.call(operations.createHttpServer, {
    project_id: projectId,
    name,
    base_url: await target.start(),
  })
  const { virtual_user: user } = await owner.client.call(operations.createVirtualUser, {
    project_id: projectId,
    name,
    document: {
      actions: Object.entries(requests).map(([path, rest]) => ({
        type: 'http_request',
        id: idOf(path),
        method: 'GET',
        server_id: server.id,
        path,
        ...rest,
      })),
    },
  })
  const { scenario } = await owner.client.call(operations.createScenario, {
    project_id: projectId,
    name,
    document: {
      profiles: [{ id: 'p1', name: 'all', virtual_user_id: user.id, load, agent_group: 'pair' }],
    },
  })
  const { bench_result: started } = await owner.client.call(operations.runScenario, {
    scenario_id: scenario.id,
    agents_max: agentsMax,
    wait_seconds: 600,
  })
  const id = started.id
  const look = () => owner.client.call(operations.getBenchResult, { bench_result_id: id })
  await expect.poll(async () => (await look()).bench_result.started_at).not.toBeNull()
  const startedAt = Date.parse((await look()).bench_result.started_at ?? '')
  whenStarted(startedAt)
  await expect.poll(async () => (await look()).next_poll_seconds).toBeNull()
  const { bench_result: result, numbers } = await look()
  expect(result).toMatchObject({ state: 'FINISHED', is_degraded: false })
  const table = await owner.client.call(operations.getBenchTable, { bench_result_id: id })
  const health = await owner.client.call(operations.getBenchSeries, {
    bench_result_id: id,
    metrics: ['event_loop_delay_max', 'send_lag_max'],
    points_max: 1,
  })
  const agentLateMs = Math.max(...health.lines.flatMap(({ values }) => values.map(Number)))
  const allowanceMs = onTheWayMs + agentLateMs + target.lateMsMax
  return { id, numbers, table, agentLateMs, allowanceMs, row: rowIn(table) }
}

type Table = OutputOf<typeof operations.getBenchTable>
type Row = Table['rows'][number]

const idOf = (path: string) => `act_${path.slice(1)}`
const rowIn = (table: Table) => (path: string) => {
  const row = table.rows.find(({ action_id }) => action_id === idOf(path))
  if (row === undefined) throw new Error(`${path} is not in the table`)
  return row
}

const percents = { p50_ms: 50, p90_ms: 90, p95_ms: 95, p99_ms: 99, p99_9_ms: 99.9, max_ms: 100 } as const

/** The smallest value that as large a share does not exceed. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length - 1e-9))
  return sorted[rank - 1] ?? NaN
}

/**
 * Times that were measured from outside are not shorter than those of the server, and longer by the allowance at most.
 * `unsureMs`: so much one request's time may be another's, where the server cannot tell them apart.
 */
function expectTimes(row: Row, truthMs: readonly number[], allowanceMs: number, unsureMs = 0): void {
  for (const [name, percent] of Object.entries(percents)) {
    const told = Object.entries(row).find(([field]) => field === name)?.[1]
    const truth = percentile(truthMs, percent)
    const what = `${row.name} ${name}, where the server says ${truth}, ${allowanceMs} may be missing and ${unsureMs} be another's`
    expect.soft(told, what).toBeGreaterThanOrEqual(truth * (1 - precision) - unsureMs)
    expect.soft(told, what).toBeLessThanOrEqual(truth * (1 + precision) + allowanceMs + unsureMs)
  }
}

const timesOf = (log: readonly Answered[]) =>
  log.flatMap(({ receivedAt, answeredAt }) => (Number.isNaN(answeredAt) ? [] : [answeredAt - receivedAt]))

test('latencies, counts, classes of errors and throughput are those that the server has', async () => {
  const target = new TruthfulTarget({
    '/fixed': { latencyMs: () => 60 },
    '/bimodal': { latencyMs: (nth) => (nth % 10 === 0 ? 300 : 20) },
    '/unwell': { latencyMs: () => 5, status: (nth) => (nth % 7 === 0 ? 503 : 200) },
    '/wrong': { latencyMs: () => 5, body: (nth) => (nth % 5 === 0 ? 'lost' : 'found') },
    '/cut': { latencyMs: () => 5, failing: (nth) => (nth % 9 === 0 ? 'cut' : undefined) },
    '/silent': { latencyMs: () => 5, failing: (nth) => (nth % 11 === 0 ? 'never' : undefined) },
  })
  const { numbers, table, row, allowanceMs, id } = await run(
    'Known',
    target,
    {
      '/fixed': {},
      '/bimodal': {},
      '/unwell': {},
      '/wrong': { assertions: [{ id: 'as1', type: 'body_contains', text: 'found' }] },
      '/cut': {},
      '/silent': { timeout_ms: 700 },
    },
    { type: 'ramp_up', users: 10, plateau_ms: 10_000 },
    2,
  )
  const countOf = (path: string) => target.of(path).length
  const every = (path: string, nth: number) => Math.floor(countOf(path) / nth)
  const paths = [...target.log.keys()]
  expect(paths.length).toBe(6)

  // Every request once, of two agents, and of each class as many as the server made.
  expect(Object.fromEntries(paths.map((path) => [path, row(path).count]))).toEqual(
    Object.fromEntries(paths.map((path) => [path, countOf(path)])),
  )
  const all = paths.reduce((sum, path) => sum + countOf(path), 0)
  expect([numbers?.count, table.total?.count]).toEqual([all, all])
  const classOf = ({ action, error_class: name, count }: Table['errors'][number]) => [
    `${table.rows.find((each) => each.action === action)?.action_id} ${name}`,
    count,
  ]
  expect(Object.fromEntries(table.errors.map(classOf))).toEqual({
    'act_unwell status_5xx': every('/unwell', 7),
    'act_wrong assertion': every('/wrong', 5),
    'act_cut reset': every('/cut', 9),
    'act_silent timeout': every('/silent', 11),
  })
  expect(numbers?.failed).toBe(
    every('/unwell', 7) + every('/wrong', 5) + every('/cut', 9) + every('/silent', 11),
  )

  // What has no answer has no time; all others have the server's.
  for (const path of paths) expectTimes(row(path), timesOf(target.of(path)), allowanceMs)
  // The two modes are apart. (Not by p90, the border of the two: where this machine is late now and then, that is of the upper one.)
  expect(row('/bimodal').p50_ms).toBeLessThan(percentile(timesOf(target.of('/bimodal')), 92))

  // A rate is that of the ten seconds of the load, and adds up to the count second by second.
  expect(row('/fixed').rate_per_second).toBeCloseTo(countOf('/fixed') / 10, 2)
  const rate = await owner.client.call(operations.getBenchSeries, { bench_result_id: id, metrics: ['rate'] })
  const counted = rate.lines
    .flatMap(({ values }) => values.map(Number))
    .reduce((sum, value) => sum + value, 0)
  expect(counted * rate.bucket_seconds).toBeCloseTo(all, 0)
})

const ratePerSecond = 50
const durationMs = 12_000
const stallMs = 2_000
const arrivalsCount = (ratePerSecond * durationMs) / 1000
const baseMs = 10
/** Enough for the rate, and far too few for the 100 who come in the stall. */
const starvedUsers = 20

/** An open load on a server that answers nothing for two seconds in its middle. */
async function stalled(name: string, usersMax: number) {
  const target = new TruthfulTarget({ '/steady': { latencyMs: () => baseMs } })
  const ran = await run(
    name,
    target,
    { '/steady': {} },
    { type: 'constant_rate', rate_per_second: ratePerSecond, duration_ms: durationMs, users_max: usersMax },
    1,
    (startedAt) => target.stall(startedAt + durationMs / 3, startedAt + durationMs / 3 + stallMs),
  )
  const steady = ran.row('/steady')
  expect(steady).toMatchObject({ count: arrivalsCount, failed: 0 })
  expect(target.of('/steady').length).toBe(arrivalsCount)
  return { ...ran, steady, log: target.of('/steady') }
}

const dueMs = (nth: number) => (nth * 1000) / ratePerSecond

/**
 * As wrk2 counts (https://github.com/giltene/wrk2): the nth request is due n times the interval after the start, and its time runs from
 * there, whenever it was sent. The server's log, in the order in which they came, says when each was answered, and when the load began:
 * nothing comes before it is due, so that the request which came the least late is the start by the server's own clock. (What the
 * platform says differs from it by what the agent has the platform's clock wrong: half of a round trip, which on a busy machine is many
 * milliseconds.)
 */
function timesFromDue(log: readonly Answered[]): number[] {
  const startedAt = Math.min(...log.map(({ receivedAt }, nth) => receivedAt - dueMs(nth)))
  return log.map(({ answeredAt }, nth) => answeredAt - (startedAt + dueMs(nth)))
}

/**
 * What an agent sends late it sends together, and it need not come in that order: by so much one of these was answered before another.
 */
function unsureOf(log: readonly Answered[], agentLateMs: number): number {
  return Math.max(
    ...log.map(({ receivedAt }, nth) => {
      const together = log.slice(nth).filter((later) => later.receivedAt - receivedAt < agentLateMs)
      const answered = together.map(({ answeredAt }) => answeredAt)
      return Math.max(...answered) - Math.min(...answered)
    }),
  )
}

test('a stall is in the times of all who came in it, when there are users for them', async () => {
  const { steady, log, allowanceMs, agentLateMs } = await stalled('Stalled', 500)
  expectTimes(steady, timesFromDue(log), allowanceMs, unsureOf(log, agentLateMs))
  // Without any log: those due in the two seconds wait for what is left of them, all others take the base. 100 of 600 come in it,
  // evenly, so that beyond the 83rd percentile times rise in a straight line up to the whole stall.
  const inStall = (stallMs / 1000) * ratePerSecond
  for (const [told, percent] of [
    [steady.p90_ms, 90],
    [steady.p95_ms, 95],
    [steady.p99_ms, 99],
  ] as const) {
    const slower = (1 - percent / 100) * arrivalsCount
    const worked = stallMs * (1 - slower / inStall) + baseMs
    expect.soft(told, `p${percent}`).toBeGreaterThan(worked - 2 * (1000 / ratePerSecond))
    expect.soft(told, `p${percent}`).toBeLessThan(worked + 2 * (1000 / ratePerSecond) + allowanceMs)
  }
})

test('and when there are none: what waits for a user is counted from when it was due, and nothing is left out', async () => {
  const { steady, log, allowanceMs, agentLateMs, id } = await stalled('Starved', starvedUsers)
  const truth = timesFromDue(log)
  expectTimes(steady, truth, allowanceMs, unsureOf(log, agentLateMs))
  // The server itself saw few slow requests, for there were no more users: a tool that counts from the sending tells of those.
  const slow = timesOf(log).filter((ms) => ms > stallMs / 4)
  expect(slow.length).toBeLessThanOrEqual(starvedUsers)
  expect(truth.filter((ms) => ms > stallMs / 4).length).toBeGreaterThan(60)
  const p95 = async (time: 'service' | 'response') => {
    const series = await owner.client.call(operations.getBenchSeries, {
      bench_result_id: id,
      metrics: ['p95'],
      points_max: 1,
      time,
    })
    return Number(series.lines[0]?.values[0])
  }
  expect(await p95('service')).toBeLessThan(percentile(timesOf(log), 95) + allowanceMs)
  expect(await p95('response')).toBeGreaterThan(stallMs / 2)
})
