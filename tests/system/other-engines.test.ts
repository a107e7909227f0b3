import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { operations, type OutputOf } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jtlRows, k6Points, standIns } from '../../apps/cli/src/testing/fake-engines.ts'
import { collected } from '../../packages/loadtest/src/testing/results.ts'
import { foreignPlan, hasJmeter, shopPlan } from './jmeter-plans.ts'
import { agentToken, platform, signUp, type Person } from './person.ts'
import { programEnv } from './program-env.ts'
import { waitForTask } from './world.ts'

/** Scripts of k6 and JMeter on agents: with programs that stand in for them, and with k6 and JMeter themselves where they are installed. */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
const k6 = 'k6'
const hasK6 = spawnSync(k6, ['version']).status === 0
if (!hasK6)
  console.warn(
    '\n*** k6 was not found: scripts of it are run by a stand-in only. Install k6 to test it. ***\n',
  )
const jmeterRuns = hasJmeter()
if (!jmeterRuns)
  console.warn(
    '\n*** No jmeter was found that runs a plan: plans of it are run by a stand-in only. Install JMeter to test it. ***\n',
  )

let owner: Person
let projectId: string
let target: Server
let targetUrl: string
let folder: string
const agents: ChildProcess[] = []
/** What the server was asked, by path. */
const answered = new Map<string, number>()
/** As what those came to the server that asked for a rate. */
const agentNames = new Set<string>()
/** Processes that said at the server which they are. */
const pids = new Set<number>()

beforeAll(async () => {
  target = createServer((request, response) => {
    const path = request.url ?? ''
    const pid = Number(request.headers['x-pid'])
    if (pid > 0) pids.add(pid)
    answered.set(path, (answered.get(path) ?? 0) + 1)
    if (path.startsWith('/rate')) agentNames.add(request.headers['user-agent'] ?? '')
    setTimeout(() => response.writeHead(path === '/pay' ? 500 : 200).end('{}'), 5)
  }).listen(0, '127.0.0.1')
  await once(target, 'listening')
  const address = target.address()
  targetUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  folder = await mkdtemp(join(tmpdir(), 'flamegate-stand-ins-'))
  for (const [name, script] of Object.entries(standIns)) {
    // oxlint-disable no-await-in-loop -- two
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, name), 0o755)
    // oxlint-enable no-await-in-loop
  }
  owner = await signUp('Engineer')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Scripted',
  })
  projectId = project.id
})
afterAll(async () => {
  for (const agent of agents) agent.kill('SIGKILL')
  target?.close().closeAllConnections()
  if (folder !== undefined) await rm(folder, { recursive: true })
})

async function startAgent(
  group: string,
  path: string,
  allowed?: string,
  name = group,
): Promise<ChildProcess> {
  const allowing = allowed === undefined ? [] : ['--allow-engine', allowed]
  const agent = spawn(
    process.execPath,
    [cli, 'agent', '--group', group, '--workspace', owner.workspaceId, '--name', name, ...allowing],
    {
      env: {
        ...programEnv,
        PATH: path,
        FLAMEGATE_URL: platform().url,
        FLAMEGATE_TOKEN: await agentToken(owner),
      },
      stdio: 'ignore',
    },
  )
  agents.push(agent)
  await expect.poll(() => generator(name)).toMatchObject({ is_online: true })
  return agent
}

async function generator(name: string) {
  const { load_generators: all } = await owner.client.call(operations.listLoadGenerators, {
    workspace_id: owner.workspaceId,
  })
  return all.find((each) => each.name === name)
}

async function upload(path: string, content: string): Promise<void> {
  const { task_id: id } = await owner.client.call(operations.uploadProjectFile, {
    project_id: projectId,
    path,
    content,
  })
  await waitForTask(owner, id)
}

async function createScenario(profiles: object[], rest: object = {}): Promise<string> {
  const { scenario } = await owner.client.call(operations.createScenario, {
    project_id: projectId,
    name: `Scripts ${Date.now()}`,
    document: { profiles, ...rest },
  })
  return scenario.id
}

const load = (users: number, ms: number) => ({ type: 'ramp_up', users, plateau_ms: ms })

type Result = OutputOf<typeof operations.getBenchResult>
const result = (id: string): Promise<Result> =>
  owner.client.call(operations.getBenchResult, { bench_result_id: id })

async function start(scenarioId: string): Promise<string> {
  const { bench_result: run } = await owner.client.call(operations.runScenario, { scenario_id: scenarioId })
  return run.id
}

async function ended(id: string): Promise<Result> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const now = await result(id)
    if (now.next_poll_seconds === null) return now
    // oxlint-disable-next-line no-await-in-loop -- see above
    await sleep(500)
  }
}

/** Rows of the JTL of a run, as our import reads them. */
async function requestRows(id: string) {
  const jtl = async () => {
    const { files } = await owner.client.call(operations.listFiles, { owner: id })
    return files.find(({ name }) => name === 'requests.jtl.gz')
  }
  await expect.poll(async () => (await jtl())?.status).toBe('READY')
  const { download } = await owner.client.call(operations.downloadFile, { file_id: (await jtl())?.id ?? '' })
  const answer = await fetch(download.url)
  return (await collected(gunzipSync(await answer.arrayBuffer()).toString())).samples
}

function countsBy<T>(of: readonly T[], keyOf: (each: T) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(of, keyOf)].map(([key, same]) => [key, same.length]))
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Asks the server, and tells of it as k6 does; with its own number in a header. */
const asks = `${k6Points}
const get = async (path, group = '') => {
  const before = performance.now()
  const { status } = await fetch(process.env.BASE_URL + path, { headers: { 'x-pid': String(process.pid) } })
  request(process.env.BASE_URL + path, performance.now() - before, { status, group })
}`

test('an agent says which engines it found, and the pre-flight why it cannot run them', async () => {
  await startAgent('shut', `${folder}:${process.env['PATH']}`)
  expect((await generator('shut'))?.engines).toEqual([
    { type: 'k6', version: null, is_allowed: false },
    { type: 'jmeter', version: null, is_allowed: false },
  ])
  await upload('scripts/a.js', asks)
  const scenarioId = await createScenario([
    {
      id: 'p1',
      name: 'script',
      engine: { type: 'k6', path: 'scripts/a.js' },
      load: load(1, 1000),
      agent_group: 'shut',
    },
  ])
  const { checks, grade } = await owner.client.call(operations.preflightScenario, { scenario_id: scenarioId })
  expect(grade).toBe('error')
  expect(checks.find(({ code }) => code === 'no_engine')).toMatchObject({
    grade: 'error',
    message: 'shut has k6, and its owner has not allowed scripts of it.',
    advice: expect.stringContaining('--allow-engine k6'),
  })
})

const profile = (id: string, rest: object) => ({
  id,
  name: id,
  agent_group: 'open',
  load: load(2, 5000),
  ...rest,
})

test('scripts of k6 and JMeter run beside our own users, and everything is counted once', async () => {
  await startAgent('open', `${folder}:${process.env['PATH']}`, 'k6,jmeter')
  expect((await generator('open'))?.engines).toEqual([
    { type: 'k6', version: '1.2.3', is_allowed: true },
    { type: 'jmeter', version: '5.6.3', is_allowed: true },
  ])
  await upload(
    'scripts/shop.js',
    `${asks}
    const main = async () => {
      point('vus', 2)
      for (let i = 0; i < 150; i++) {
        await get('/home')
        const before = performance.now()
        if (i % 10 === 0) {
          await get('/pay', '::checkout')
          point('group_duration', performance.now() - before, { group: '::checkout' })
        }
        point('iterations', 1)
        await pause(20)
      }
    }
    console.error('level=info msg="all set" token=abc123')
    main()`,
  )
  await upload(
    'plans/shop.jmx',
    `${jtlRows}
    const main = async () => {
      for (let i = 0; i < 40; i++) {
        const before = performance.now()
        await fetch('${targetUrl}/jmeter')
        row('Look around', Math.round(performance.now() - before), { users: 3 })
        await pause(50)
      }
    }
    main()`,
  )
  const { http_server: server } = await owner.client.call(operations.createHttpServer, {
    project_id: projectId,
    name: 'shop',
    base_url: targetUrl,
  })
  const { virtual_user: user } = await owner.client.call(operations.createVirtualUser, {
    project_id: projectId,
    name: 'Ours',
    document: {
      actions: [
        {
          type: 'http_request',
          id: 'act_own',
          name: 'own',
          method: 'GET',
          server_id: server.id,
          path: '/own',
        },
        { type: 'delay', id: 'act_think', duration: { distribution: 'constant', ms: 100 } },
      ],
    },
  })
  const scenarioId = await createScenario(
    [
      profile('k6', {
        engine: { type: 'k6', path: 'scripts/shop.js' },
        variables: { BASE_URL: targetUrl },
      }),
      profile('jmeter', { engine: { type: 'jmeter', path: 'plans/shop.jmx' } }),
      profile('own', { virtual_user_id: user.id }),
    ],
    {
      thresholds: ['p95 duration of container "checkout" < 5000 ms', 'error share of profile "k6" < 1 %'],
      result_files: ['jtl'],
    },
  )
  const { checks } = await owner.client.call(operations.preflightScenario, { scenario_id: scenarioId })
  expect(checks.filter(({ grade }) => grade === 'error')).toEqual([])
  answered.clear()
  const id = await start(scenarioId)
  const done = await ended(id)
  expect(done.bench_result).toMatchObject({ state: 'FINISHED', is_degraded: false })
  const count = (path: string) => answered.get(path) ?? 0
  expect([count('/home'), count('/pay'), count('/jmeter')]).toEqual([150, 15, 40])
  expect(count('/own')).toBeGreaterThan(20)
  const all = [...answered.values()].reduce((sum, each) => sum + each, 0)
  expect(done.numbers).toMatchObject({ count: all, failed: 15 })
  expect(done.thresholds).toMatchObject([{ state: 'passed' }, { state: 'breached' }])
  const table = await owner.client.call(operations.getBenchTable, { bench_result_id: id })
  expect(table.rows.map((row) => [row.profile, row.type, row.path.join('/'), row.name, row.count])).toEqual(
    expect.arrayContaining([
      ['k6', 'http_request', '', `GET ${targetUrl}/home`, 150],
      ['k6', 'http_request', 'checkout', `GET ${targetUrl}/pay`, 15],
      ['k6', 'container', '', 'checkout', 15],
      ['jmeter', 'http_request', '', 'Look around', 40],
      ['own', 'http_request', '', 'own', count('/own')],
    ]),
  )
  expect(table.samples).toEqual(
    expect.arrayContaining([expect.objectContaining({ error_class: 'status_5xx', message: '500' })]),
  )
  const requests = await requestRows(id)
  expect(countsBy(requests, ({ name }) => name)).toEqual({
    [`GET ${targetUrl}/home`]: 150,
    [`checkout / GET ${targetUrl}/pay`]: 15,
    'Look around': 40,
    own: count('/own'),
  })
  expect(countsBy(requests, ({ failure }) => failure?.class ?? '')).toEqual({ '': all - 15, status_5xx: 15 })
  const { logs } = await owner.client.call(operations.getAgentLogs, { bench_result_id: id })
  const lines = logs.flatMap((log) => log.lines).join('\n')
  expect(lines).toContain('k6: level=info msg="all set"')
  expect(lines).not.toContain('abc123')
})

const endless = `${asks}
process.on('SIGTERM', () => {})
const main = async () => {
  for (;;) {
    await get('/endless').catch(() => {})
    await pause(20)
  }
}
main()`

const endlessProfile = (group: string) => ({
  id: 'p1',
  name: 'endless',
  engine: { type: 'k6', path: 'scripts/endless.js' },
  load: load(1, 600_000),
  agent_group: group,
  variables: { BASE_URL: targetUrl },
})

test('a script that goes on is ended with its run, and with its agent', async () => {
  await upload('scripts/endless.js', endless)
  pids.clear()
  const stopped = await start(await createScenario([endlessProfile('open')]))
  await expect.poll(async () => (await result(stopped)).numbers?.count ?? 0).toBeGreaterThan(5)
  await owner.client.call(operations.stopBenchResult, { bench_result_id: stopped })
  const done = await ended(stopped)
  expect(done.bench_result.state).toBe('ABORTED')
  expect(done.shards).toMatchObject([{ state: 'DONE' }])
  expect(done.numbers?.count).toBeGreaterThan(5)
  expect(pids.size).toBe(1)
  await expect.poll(() => [...pids].filter(isThere)).toEqual([])

  pids.clear()
  const doomed = await startAgent('doomed', `${folder}:${process.env['PATH']}`, 'k6')
  const lost = await start(await createScenario([endlessProfile('doomed')]))
  await expect.poll(() => pids.size).toBe(1)
  doomed.kill('SIGKILL')
  await expect.poll(() => [...pids].filter(isThere)).toEqual([])
  expect((await ended(lost)).bench_result.state).toBe('ERROR')
})

test('what a script did on one of two agents is missing when that is killed, and the report says how much that is', async () => {
  const path = `${folder}:${process.env['PATH']}`
  const [doomed] = await Promise.all(
    ['one-of-two', 'other-of-two'].map((name) => startAgent('pair', path, 'k6', name)),
  )
  await upload('scripts/endless.js', endless)
  pids.clear()
  const id = await start(await createScenario([{ ...endlessProfile('pair'), load: load(2, 25_000) }]))
  await expect.poll(() => pids.size).toBe(2)
  doomed?.kill('SIGKILL')
  const done = await ended(id)
  expect(done.bench_result).toMatchObject({ state: 'FINISHED', is_degraded: true })
  expect(done.shards.map(({ state }) => state).toSorted()).toEqual(['DONE', 'LOST'])
  expect(done.events.map(({ words }) => words).join('\n')).toContain(
    'The load of k6 of pair is less than was asked for from here on: 1 of 2 parts are gone (50 %).',
  )
  const bench_report_id = done.bench_result.bench_report_id ?? ''
  const report = await owner.client.call(operations.getBenchReport, { bench_report_id })
  expect(report.runs).toMatchObject([{ is_degraded: true }])
  const { insights } = await owner.client.call(operations.getReportInsights, { bench_report_id })
  expect(insights.find(({ kind }) => kind === 'load_lost')).toMatchObject({
    level: 'warning',
    title: expect.stringMatching(/^50 % of the load of k6 of pair is missing from second \d+ on\.$/),
    evidence: [{ value: 0.5 }],
  })
})

test('a script that cannot run is an error that says why', async () => {
  await upload('scripts/broken.js', "console.error('SyntaxError: no such thing'); process.exit(107)")
  const id = await start(
    await createScenario([{ ...endlessProfile('open'), engine: { type: 'k6', path: 'scripts/broken.js' } }]),
  )
  const done = await ended(id)
  expect(done.bench_result.state).toBe('ERROR')
  expect(done.bench_result.message).toContain('k6 ended with 107. SyntaxError: no such thing')
})

/** A script as people write it: groups, a think time, a check that fails, a threshold. */
const k6Script = `
import http from 'k6/http'
import { check, group, sleep } from 'k6'
import { pay } from './lib/pay.js'
export const options = { vus: 1, iterations: 1, thresholds: { http_req_failed: ['rate<0.01'] } }
export default function () {
  http.get(__ENV.BASE_URL + '/home', { tags: { name: 'home' } })
  group('checkout', () => check(pay(__ENV.BASE_URL), { paid: (answer) => answer.status === 200 }))
  sleep(0.1)
}
export function teardown() { http.get(__ENV.BASE_URL + '/teardown') }
`
const k6Library = `
import http from 'k6/http'
export const pay = (base) => http.post(base + '/pay', '{}')
`

test.runIf(hasK6)('k6 itself runs an unchanged script under the load of the profile', async () => {
  const path = process.env['PATH'] ?? ''
  await startAgent('real', path, 'k6')
  const [type] = (await generator('real'))?.engines ?? []
  expect(type).toMatchObject({ type: 'k6', version: expect.stringMatching(/^\d+\.\d+/), is_allowed: true })
  await upload('real/shop.js', k6Script)
  await upload('real/lib/pay.js', k6Library)
  const scenarioId = await createScenario([
    {
      id: 'p1',
      name: 'script',
      engine: { type: 'k6', path: 'real/shop.js', files: ['real/lib/pay.js'] },
      load: { type: 'ramp_up', users: 4, ramp_up_ms: 1000, plateau_ms: 4000 },
      agent_group: 'real',
      variables: { BASE_URL: targetUrl },
    },
  ])
  answered.clear()
  const id = await start(scenarioId)
  await expect.poll(async () => (await result(id)).numbers?.users ?? 0).toBe(4)
  const done = await ended(id)
  expect(done.bench_result.state).toBe('FINISHED')
  expect(done.shards[0]?.message).toContain('Thresholds in the options of real/shop.js were crossed.')
  const table = await owner.client.call(operations.getBenchTable, { bench_result_id: id })
  const count = (asked: string) => answered.get(asked) ?? 0
  expect(count('/home')).toBeGreaterThan(50)
  expect(count('/teardown')).toBe(1)
  const rows = table.rows.map((row) => [row.path.join('/'), row.name, row.count, row.failed])
  expect(rows).toEqual(
    expect.arrayContaining([
      ['', 'GET home', count('/home'), 0],
      ['checkout', `POST ${targetUrl}/pay`, count('/pay'), count('/pay')],
      ['teardown', `GET ${targetUrl}/teardown`, 1, 0],
    ]),
  )
  expect(table.rows.find(({ name }) => name === 'checkout')).toMatchObject({
    type: 'container',
    count: count('/pay'),
  })
})

test.runIf(hasK6)('k6 itself splits the load of a script among two agents', async () => {
  const path = process.env['PATH'] ?? ''
  await Promise.all(['one', 'two'].map((name) => startAgent('split', path, 'k6', name)))
  await upload(
    'real/own.js',
    `import http from 'k6/http'
    export const options = { scenarios: { s: { executor: 'constant-arrival-rate', rate: 30, duration: '4s', preAllocatedVUs: 10 } } }
    export default function () { http.get(__ENV.BASE_URL + '/arrival') }`,
  )
  const scenarioId = await createScenario([
    {
      id: 'p1',
      name: 'arrivals',
      engine: { type: 'k6', path: 'real/own.js', has_own_load: true },
      load: { type: 'constant_rate', rate_per_second: 30, duration_ms: 5000 },
      agent_group: 'split',
      variables: { BASE_URL: targetUrl },
    },
  ])
  answered.clear()
  const done = await ended(await start(scenarioId))
  expect(done.bench_result.state).toBe('FINISHED')
  // 30 a second for 4 s; the last one may be due at the very end.
  expect([120, 121]).toContain(answered.get('/arrival'))
  expect(done.shards).toHaveLength(2)
  expect(done.numbers?.count).toBe(answered.get('/arrival'))
})

test.runIf(hasK6)(
  'k6 itself makes the rate of a profile, and keeps the rest of the options of its script',
  async () => {
    const group = { agent_group: 'rate' }
    await Promise.all(
      ['rate-one', 'rate-two'].map((name) => startAgent('rate', process.env['PATH'] ?? '', 'k6', name)),
    )
    await upload('rate/names.csv', 'ada\ngrace\n')
    await upload(
      'rate/shop.js',
      `import http from 'k6/http'
    import { sleep } from 'k6'
    const [name] = open('./names.csv').split('\\n')
    export const options = { vus: 7, iterations: 1, userAgent: 'of-the-script', scenarios: { gone: { executor: 'shared-iterations', exec: 'gone' } } }
    export const setup = () => ({ path: '/rate?' + name })
    export default function ({ path }) { http.get(__ENV.BASE_URL + path + __ENV.REST); sleep(Number(__ENV.SLEEP)) }`,
    )
    const engine = { type: 'k6', path: 'rate/shop.js', files: ['rate/names.csv'] }
    const spikes = {
      type: 'spikes',
      base_rate_per_second: 2.5,
      spike_rate_per_second: 40,
      first_spike_ms: 2000,
      spike_ms: 1000,
      interval_ms: 10_000,
      duration_ms: 6000,
    }
    const few = { type: 'constant_rate', rate_per_second: 20, duration_ms: 4000, users_max: 4 }
    const scenarioId = await createScenario(
      [
        {
          ...group,
          id: 'p1',
          name: 'spikes',
          engine,
          load: spikes,
          variables: { BASE_URL: targetUrl, REST: '', SLEEP: '0' },
        },
        {
          ...group,
          id: 'p2',
          name: 'too few',
          engine,
          load: few,
          variables: { BASE_URL: targetUrl, REST: '&few', SLEEP: '2' },
        },
      ],
      { result_files: ['jtl'] },
    )
    answered.clear()
    const id = await start(scenarioId)
    const done = await ended(id)
    expect(done.bench_result.state).toBe('FINISHED')
    // 2.5 a second for 5 s, and 40 in one; what is due at a change of the rate may come on either side of it, on each agent.
    expect(Math.abs((answered.get('/rate?ada') ?? 0) - 52.5)).toBeLessThanOrEqual(3)
    // Four users that take two seconds each.
    const ofFew = answered.get('/rate?ada&few') ?? 0
    expect(ofFew).toBeGreaterThanOrEqual(8)
    expect(ofFew).toBeLessThanOrEqual(12)
    const words = done.shards.map(({ message }) => message).join(' ')
    expect(words).toMatch(/\d+ iterations did not begin: k6 leaves out/)
    const requests = await requestRows(id)
    expect(countsBy(requests, ({ name }) => name)).toEqual({
      [`GET ${targetUrl}/rate?ada`]: answered.get('/rate?ada'),
      [`GET ${targetUrl}/rate?ada&few`]: ofFew,
    })
    expect(agentNames).toEqual(new Set(['of-the-script']))
  },
  120_000,
)

const jmeterProfile = (rest: object) => ({
  id: 'p1',
  name: 'plan',
  agent_group: 'jmeter',
  engine: { type: 'jmeter', path: 'jmeter/shop.jmx', files: ['jmeter/names.csv'] },
  load: { type: 'ramp_up', users: 4, ramp_up_ms: 1000, plateau_ms: 5000 },
  variables: { port: new URL(targetUrl).port },
  ...rest,
})

test.runIf(jmeterRuns)(
  'JMeter itself runs an unchanged JMX with the users of the profile',
  async () => {
    await startAgent('jmeter', process.env['PATH'] ?? '', 'jmeter')
    expect((await generator('jmeter'))?.engines).toEqual(
      expect.arrayContaining([
        { type: 'jmeter', version: expect.stringMatching(/^\d+\.\d+/), is_allowed: true },
      ]),
    )
    await upload('jmeter/shop.jmx', shopPlan)
    await upload('jmeter/names.csv', 'ada\ngrace\n')
    answered.clear()
    const id = await start(await createScenario([jmeterProfile({})], { result_files: ['jtl'] }))
    await expect.poll(async () => (await result(id)).numbers?.users ?? 0).toBe(4)
    const done = await ended(id)
    expect(done.bench_result).toMatchObject({ state: 'FINISHED' })
    const count = (path: string) => answered.get(path) ?? 0
    const searches = ['ada', 'grace'].map((name) => count(`/search?name=${name}&token=abc123`))
    expect(Math.min(...searches)).toBeGreaterThan(5)
    const searched = searches.reduce((sum, each) => sum + each)
    const table = await owner.client.call(operations.getBenchTable, { bench_result_id: id })
    expect(table.rows.map((row) => [row.type, row.name, row.count, row.failed])).toEqual(
      expect.arrayContaining([
        ['http_request', 'Home', count('/home'), 0],
        ['http_request', 'Search', searched, searched],
        ['http_request', 'Pay', count('/pay'), count('/pay')],
      ]),
    )
    expect(table.rows.find(({ name }) => name === 'checkout')?.type).toBe('container')
    expect(new Set(table.samples.map((sample) => sample.error_class))).toEqual(
      new Set(['assertion', 'status_5xx']),
    )
    expect(done.numbers?.count).toBe(count('/home') + searched + count('/pay'))
    const requests = await requestRows(id)
    expect(countsBy(requests, ({ name }) => name)).toEqual({
      Home: count('/home'),
      Search: searched,
      Pay: count('/pay'),
    })
    expect(new Set(requests.map(({ user }) => user))).toEqual(
      new Set(['plan 1.2-1', 'plan 1.2-2', 'plan 1.2-3', 'plan 1.2-4']),
    )
    expect(JSON.stringify(requests)).not.toContain('abc123')
  },
  120_000,
)

test.runIf(jmeterRuns)(
  'JMeter is ended with its run, and says why a JMX cannot run',
  async () => {
    const long = { type: 'ramp_up', users: 2, plateau_ms: 600_000 }
    const id = await start(await createScenario([jmeterProfile({ load: long })]))
    await expect.poll(async () => (await result(id)).numbers?.count ?? 0).toBeGreaterThan(5)
    await owner.client.call(operations.stopBenchResult, { bench_result_id: id })
    const stopped = await ended(id)
    expect(stopped.bench_result.state).toBe('ABORTED')
    expect(stopped.shards).toMatchObject([{ state: 'DONE' }])

    await upload('jmeter/foreign.jmx', foreignPlan)
    const engine = { type: 'jmeter', path: 'jmeter/foreign.jmx' }
    const failed = await ended(await start(await createScenario([jmeterProfile({ engine })])))
    expect(failed.bench_result.state).toBe('ERROR')
    expect(failed.bench_result.message).toContain('OfSomePlugin')
  },
  120_000,
)
