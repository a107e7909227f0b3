import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { operations, type OutputOf } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startLoadedProject, type LoadedProject } from './loaded-project.ts'
import { agentClient, agentToken, platform, signUp, type Person } from './person.ts'
import { programEnv } from './program-env.ts'

/** Monitors that an agent, a process of its own, collects while load tests go on. */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')

let owner: Person
let project: LoadedProject
let agent: ChildProcess
let exporter: Server
let exporterUrl: string
const said: string[] = []

beforeAll(async () => {
  owner = await signUp('Watcher')
  project = await startLoadedProject(platform().url, owner, 'Watched')
  // The clock of what is monitored, and a counter of ten a second.
  exporter = createServer((request, response) => {
    if (request.headers.authorization !== 'Bearer let me in') {
      response.writeHead(401).end()
      return
    }
    const seconds = Date.now() / 1000
    response.end(`# TYPE clock_seconds gauge
clock_seconds ${seconds}
# TYPE shop_orders_total counter
shop_orders_total{region="eu"} ${Math.round(seconds * 10)}
# TYPE shop_seconds histogram
shop_seconds_bucket{le="+Inf"} 3
`)
  }).listen(0, '127.0.0.1')
  await once(exporter, 'listening')
  const address = exporter.address()
  exporterUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/metrics`
  agent = spawn(
    process.execPath,
    [cli, 'monitor', '--group', 'near', '--workspace', owner.workspaceId, '--name', 'near-1'],
    {
      env: {
        ...programEnv,
        FLAMEGATE_URL: platform().url,
        FLAMEGATE_TOKEN: await agentToken(owner),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  agent.stdout?.setEncoding('utf8').on('data', (text: string) => said.push(text))
  await vi.waitUntil(isThere, { timeout: 240_000, interval: 200 })
})
afterAll(async () => {
  agent?.kill('SIGKILL')
  await project?.stop()
  exporter?.close()
})

const isThere = async () =>
  (await list()).agents.some(({ name, is_online: isOnline }) => isOnline && name === 'near-1')
const list = () => owner.client.call(operations.listMonitors, { project_id: project.id })
type Setting = Omit<Parameters<typeof owner.client.call<typeof operations.setMonitor>>[1], 'project_id'>
const set = (input: Setting) => owner.client.call(operations.setMonitor, { project_id: project.id, ...input })
const near = (document: object) => ({ agent_group: 'near', ...document })

test('a monitor is checked by the agent of its group, which tells what there is', async () => {
  const { monitor, check } = await set({
    name: 'shop',
    document: near({ type: 'prometheus', target_url: exporterUrl, interval_seconds: 1 }),
    secret: 'let me in',
    check: true,
  })
  expect(monitor).toMatchObject({
    type: 'prometheus',
    has_secret: true,
    version: 1,
    is_reachable: true,
    agent: 'near-1',
  })
  expect(check).toMatchObject({
    is_reachable: true,
    message: '3 counters, of which 2 are kept.',
    counter_count: 3,
  })
  expect(check?.counters.map(({ name, is_kept: isKept }) => [name, isKept])).toEqual([
    ['clock_seconds', true],
    ['shop_orders_total{region="eu"}', true],
    ['shop_seconds_bucket{le="+Inf"}', false],
  ])
  expect(check?.counters[1]?.value).toBeGreaterThan(8)
  expect(check?.counters[1]?.value).toBeLessThan(12)
  const { check: kept } = await owner.client.call(operations.getMonitor, { monitor_id: monitor.id })
  expect(kept).toEqual(check)
})

test('what is wrong is said: the address, the secret, the agent', async () => {
  const host = near({ type: 'prometheus', target_url: exporterUrl })
  const unknown = await set({ name: 'guess', document: host, secret: 'wrong', check: true })
  expect(unknown.check).toMatchObject({
    is_reachable: false,
    message: 'It answered 401: look at user and secret.',
  })
  const closed = await set({ name: 'closed', document: near({ type: 'redis', port: 9 }), check: true })
  expect(closed.check).toMatchObject({
    is_reachable: false,
    message: expect.stringContaining('ECONNREFUSED'),
  })
  const nobody = await set({ name: 'far', document: { type: 'linux', agent_group: 'far' }, check: true })
  expect(nobody.check).toMatchObject({
    is_reachable: null,
    message: expect.stringContaining('flamegate monitor --group far'),
  })
  for (const name of ['guess', 'closed', 'far']) {
    const found = (await list()).monitors.find((each) => each.name === name)
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await owner.client.call(operations.deleteMonitor, { monitor_id: found?.id ?? '' })
  }
})

test('a secret is not told again, and goes to no other address', async () => {
  const listed = await list()
  expect(JSON.stringify(listed)).not.toContain('let me in')
  await expect(
    set({ name: 'shop', document: { target_url: 'http://127.0.0.1:9/elsewhere' } }),
  ).rejects.toMatchObject({
    code: 'invalid_input',
    errors: [{ field: 'secret', message: expect.stringContaining('target_url') }],
  })
  // What is no address can change without it.
  const { monitor } = await set({
    name: 'shop',
    document: {
      thresholds: [
        { name: 'late', counters: ['clock_*'], above: 1e9, occurrences: 3, severity: 'critical' },
        { name: 'idle', counters: ['shop_orders_total*'], below: 1 },
      ],
    },
    if_version: 1,
  })
  expect(monitor).toMatchObject({ version: 2, has_secret: true, document: { interval_seconds: 1 } })
  await expect(set({ name: 'shop', document: { interval_seconds: 2 }, if_version: 1 })).rejects.toMatchObject(
    {
      code: 'version_mismatch',
    },
  )
  await expect(set({ name: 'shop', document: { thresholds: [{ name: 'x' }] } })).rejects.toMatchObject({
    code: 'invalid_input',
    errors: expect.arrayContaining([expect.objectContaining({ field: 'document.thresholds.0.counters' })]),
  })
})

/** What the report of a run has of its monitors. */
async function monitored(reportId: string | null) {
  const { values } = await owner.client.call(operations.getReportItemValues, {
    bench_report_id: reportId ?? '',
    item_id: 'monitors',
    points_max: 2000,
  })
  if (values.type !== 'monitors') throw new TypeError('These are no monitors')
  return values
}

test('while a run goes on counters are collected by its clock, and thresholds raise alarms', async () => {
  await set({
    name: 'host',
    document: near({ type: 'linux', interval_seconds: 2, counters: ['cpu.*', 'load.1m'] }),
  })
  const done = await project.run(await project.createScenario('Watched'))
  const { id, bench_report_id: reportId, started_at: startedAt } = done.bench_result
  // The agent tells every five seconds, and then hears that the run is over.
  await expect.poll(() => said.join('').split(`done with ${id}`).length).toBe(3)
  const { document } = await owner.client.call(operations.getBenchReport, { bench_report_id: reportId ?? '' })
  expect(JSON.stringify(document)).toContain('"type":"monitors"')
  const values = await monitored(reportId)
  const of = (counter: string) => values.counters.find((each) => each.counter === counter)?.values ?? []
  // Each value is told at the second of the run at which it was read.
  const begun = Date.parse(startedAt ?? '') / 1000
  const read = values.seconds.flatMap((second, index) => {
    const clock = of('clock_seconds')[index]
    return clock === null || clock === undefined ? [] : [{ second, clock: clock - begun }]
  })
  expect(read.length).toBeGreaterThanOrEqual(4)
  for (const { second, clock } of read) expect(Math.abs(clock - second)).toBeLessThan(1)
  const rates = of('shop_orders_total{region="eu"}').filter((value) => value !== null)
  expect(rates.length).toBeGreaterThanOrEqual(4)
  // Of the first second, too, for it was read before the run began; the mean is that of the counter.
  expect(rates.reduce((sum, rate) => sum + rate, 0) / rates.length).toBeGreaterThan(8)
  expect(rates.reduce((sum, rate) => sum + rate, 0) / rates.length).toBeLessThan(12)
  const cpu = of('cpu.used').filter((value) => value !== null)
  expect(cpu.length).toBeGreaterThanOrEqual(2)
  expect(
    values.counters.filter(({ monitor }) => monitor === 'host').map(({ counter }) => counter),
  ).not.toContain('memory.used')
  expect(values.alarms).toMatchObject([
    {
      monitor: 'shop',
      counter: 'clock_seconds',
      severity: 'critical',
      second: read[2]?.second,
      words: expect.stringContaining('late: clock_seconds was above 1000000000 from second'),
    },
  ])
})

test('what comes twice counts once, and an agent of another workspace is told nothing', async () => {
  const { monitor } = await set({ name: 'by hand', document: { type: 'linux', agent_group: 'by-hand' } })
  const byHand = await agentClient(owner)
  const running = project.run(await project.createScenario('By hand'))
  const waiting = { workspace_id: owner.workspaceId, agent: 'hand', agent_group: 'by-hand', version: '1' }
  let leases: OutputOf<typeof operations.awaitMonitoring>['leases'] = []
  while (leases.length === 0) {
    // oxlint-disable-next-line no-await-in-loop -- until it has begun
    leases = (await byHand.call(operations.awaitMonitoring, waiting)).leases
  }
  const run = leases[0]?.run
  if (!run) throw new Error('no run')
  const report = {
    monitor_id: monitor.id,
    agent: 'hand',
    is_reachable: true,
    run: {
      bench_result_id: run.bench_result_id,
      lease: run.lease,
      batches: [
        { sequence: 0, seconds: [0, 1], counters: [{ name: 'hands', unit: '', values: [1, 2] }] },
        // Of after the end of the run.
        { sequence: 1, seconds: [2, 30_000], counters: [{ name: 'hands', unit: '', values: [3, 4] }] },
      ],
    },
  }
  // The run has begun when its third second has passed; until then it is not believed.
  await expect.poll(async () => Date.now() > Date.parse(run.started_at)).toBe(true)
  expect(await byHand.call(operations.reportMonitor, report)).toMatchObject({ order: 'go_on' })
  const again = {
    ...report,
    run: { ...report.run, batches: [{ ...report.run.batches[0]!, seconds: [5, 6] }] },
  }
  await byHand.call(operations.reportMonitor, again)
  await expect(
    byHand.call(operations.reportMonitor, { ...report, run: { ...report.run, lease: 7 } }),
  ).resolves.toMatchObject({ order: 'gone' })
  await expect(
    byHand.call(operations.reportMonitor, {
      ...report,
      run: { ...report.run, batches: [{ sequence: 2, seconds: [3, 3], counters: [] }] },
    }),
  ).rejects.toMatchObject({ code: 'invalid_input' })
  const stranger = await agentClient(await signUp('Stranger'))
  await expect(stranger.call(operations.reportMonitor, report)).rejects.toMatchObject({
    code: 'monitor_not_found',
  })
  await expect(stranger.call(operations.awaitMonitoring, waiting)).rejects.toMatchObject({
    code: 'workspace_not_found',
  })
  const done = await running
  expect(await byHand.call(operations.reportMonitor, report)).toMatchObject({ order: 'gone' })
  const { seconds, counters } = await monitored(done.bench_result.bench_report_id)
  const hands = counters.find(({ counter }) => counter === 'hands')
  // Within five seconds, which is how far its own are apart, a value holds.
  expect(seconds.map((second, index) => [second, hands?.values[index]]).slice(0, 3)).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
  ])
  expect(hands?.values.filter((value) => value === 4)).toEqual([])
})

test('an agent that is interrupted ends, and never said a secret', async () => {
  agent.kill('SIGINT')
  const [exitCode] = await once(agent, 'exit')
  expect(exitCode).toBe(0)
  expect(said.join('')).toMatch(/connected as near-1, group near[^]*stopped/)
  expect(said.join('')).not.toContain('let me in')
})
