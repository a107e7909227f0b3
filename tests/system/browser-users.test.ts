import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { operations, type OutputOf, type RawInputOf } from '@flamegate/contract'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readZip } from '../../packages/loadtest/src/archive/read-zip.ts'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { type Person, platform, signUp } from './person.ts'
import { startSampleShop, type SampleShop } from './sample-shop/start-sample-shop.ts'
import { programEnv } from './program-env.ts'

/** A few users with a real browser beside many without one, on one agent, against the sample shop. */

const playwrightCli = fileURLToPath(new URL('cli.js', import.meta.resolve('playwright/package.json')))
const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
const agents: ChildProcess[] = []
const label = (value: string) => ({ by: 'label', value })
const button = (name: string) => ({ by: 'role', value: 'button', name })

let owner: Person
let shop: SampleShop
let browser: Browser
let projectId: string
let buyerId: string
let visitorId: string
let serverId: string
let finished: OutputOf<typeof operations.getBenchResult>

beforeAll(async () => {
  shop = await startSampleShop()
  owner = await signUp('Prober')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Probed shop',
  })
  projectId = project.id
  const { http_server: server } = await owner.client.call(operations.createHttpServer, {
    project_id: projectId,
    name: 'shop',
    base_url: shop.url,
  })
  serverId = server.id
  buyerId = await makeUser('Buyer', [
    { type: 'http_request', id: 'act_home', name: 'GET /', method: 'GET', server_id: server.id, path: '/' },
    { type: 'delay', id: 'act_think', duration: { distribution: 'constant', ms: 100 } },
  ])
  visitorId = await makeUser('Visitor', [
    {
      type: 'container',
      id: 'act_shop',
      name: 'shop',
      actions: [
        page('act_log_in', 'log in', [
          { type: 'goto', server_id: server.id, path: '/login' },
          { type: 'fill', locator: label('User'), value: 'ann' },
          { type: 'fill', locator: label('Password'), value: 'ann-password' },
          { type: 'click', locator: button('Log in') },
          { type: 'wait_for', locator: { by: 'css', value: '#products button', nth: 0 } },
        ]),
        page('act_order', 'order', [
          { type: 'click', locator: { by: 'css', value: '#products button', nth: 0 } },
          { type: 'wait_for', locator: { by: 'css', value: '#order a' } },
        ]),
      ],
    },
  ])
  await startAgent('default', [])
  await startAgent('bare', ['--browser-users', '0'])
})
afterAll(async () => {
  for (const agent of agents) {
    const exit = once(agent, 'exit')
    agent.kill('SIGKILL')
    // oxlint-disable-next-line no-await-in-loop -- two
    await exit
  }
  await browser?.close()
  await shop?.stop()
})

function page(id: string, name: string, steps: object[]): object {
  return {
    type: 'page',
    id,
    name,
    timeout_ms: 60_000,
    steps: steps.map((step, index) => ({ id: `${id}_${index}`, ...step })),
  }
}

async function makeUser(name: string, actions: object[]): Promise<string> {
  const { virtual_user: user } = await owner.client.call(operations.createVirtualUser, {
    project_id: projectId,
    name,
    document: { actions },
  })
  return user.id
}

async function startAgent(group: string, options: string[]): Promise<void> {
  const { token } = await owner.client.call(operations.getAgentInstallCommand, {
    workspace_id: owner.workspaceId,
  })
  const line = [cli, 'agent', '--group', group, '--workspace', owner.workspaceId, '--name', group, ...options]
  agents.push(
    spawn(process.execPath, line, {
      env: { ...programEnv, FLAMEGATE_URL: platform().url, FLAMEGATE_TOKEN: token },
      stdio: 'ignore',
    }),
  )
  await vi.waitUntil(async () => (await agentNamed(group))?.is_online, { timeout: 240_000, interval: 200 })
}

async function agentNamed(name: string) {
  const { load_generators: all } = await owner.client.call(operations.listLoadGenerators, {
    workspace_id: owner.workspaceId,
  })
  return all.find((each) => each.name === name)
}

const band = (metric: string, from: number) => ({ severity: 'critical', metric, statistic: 'p75', from })
const rampUp = (users: number, iterations: number) => ({
  type: 'ramp_up',
  users,
  ramp_up_ms: 1000,
  plateau_ms: 240_000,
  iterations_per_user: iterations,
})

async function makeScenario(name: string, group: string, visitors: number): Promise<string> {
  const { scenario } = await owner.client.call(operations.createScenario, {
    project_id: projectId,
    name,
    document: {
      profiles: [
        { id: 'buyers', name: 'Buyers', virtual_user_id: buyerId, agent_group: group, load: rampUp(20, 5) },
        {
          id: 'visitors',
          name: 'Visitors',
          virtual_user_id: visitorId,
          agent_group: group,
          load: rampUp(visitors, 2),
        },
      ],
      thresholds: [
        'p75 lcp < 60 s',
        'max ttfb of container "shop" < 60 s',
        'p75 lcp of profile buyers < 1 s',
      ],
    },
  })
  return scenario.id
}

async function codesOf(group: string, visitors: number): Promise<string[]> {
  const scenarioId = await makeScenario(`${group} ${visitors}`, group, visitors)
  const { checks } = await owner.client.call(operations.preflightScenario, { scenario_id: scenarioId })
  return checks.flatMap(({ code, grade, message }) => (grade === 'error' ? [`${code}: ${message}`] : []))
}

test('the pre-flight says where there is no browser, or none for so many', async () => {
  expect(await codesOf('bare', 1)).toEqual([
    'no_browser: bare in the group bare has no browser, and pages are to be loaded there.',
  ])
  const most = (await agentNamed('default'))?.browser_users_max ?? 0
  expect(most).toBeGreaterThan(0)
  expect(await codesOf('default', most)).toEqual([])
  expect(await codesOf('default', most + 1)).toEqual([
    `no_browser: default in the group default gives a browser to ${most} users at most, and would get ${most + 1}.`,
  ])
})

async function finishedRun(
  input: RawInputOf<typeof operations.runScenario>,
): Promise<OutputOf<typeof operations.getBenchResult>> {
  const { bench_result: run } = await owner.client.call(operations.runScenario, input)
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const now = await owner.client.call(operations.getBenchResult, { bench_result_id: run.id })
    if (now.next_poll_seconds === null) return now
    // oxlint-disable-next-line no-await-in-loop -- see above
    await sleep(500)
  }
}

test('users with a browser are counted beside the others, and the server saw as many', async () => {
  await owner.client.call(operations.setSlaProfile, {
    project_id: projectId,
    name: 'Pages',
    bands: [band('lcp', 0), band('ttfb', 60_000)],
    attachments: [{ virtual_user_id: visitorId, action_id: 'act_shop' }],
  })
  const scenarioId = await makeScenario('Hybrid', 'default', 2)
  const before = shop.requests.length
  finished = await finishedRun({ scenario_id: scenarioId })
  const run = finished.bench_result
  expect(finished.bench_result).toMatchObject({
    state: 'FINISHED',
    message: 'All 3 thresholds were kept. SLA: 1 critical of 2.',
  })
  const { rows } = await owner.client.call(operations.getBenchTable, { bench_result_id: run.id })
  const counts = Object.fromEntries(rows.map(({ name, count, failed }) => [name, [count, failed]]))
  expect(counts).toMatchObject({ 'GET /': [100, 0], 'log in': [4, 0], order: [4, 0] })
  const requests = shop.requests.slice(before).map(({ method, path }) => `${method} ${path}`)
  const sent = (request: string) => requests.filter((each) => each === request).length
  expect([sent('GET /'), sent('POST /login'), sent('POST /api/orders')]).toEqual([100, 4, 4])
  expect(finished.thresholds.map(({ state }) => state)).toEqual(['passed', 'passed', 'no_data'])
  expect(finished.sla.map(({ metric, severity }) => [metric, severity])).toEqual([
    ['p75 lcp', 'critical'],
    ['p75 ttfb', 'passed'],
  ])
})

test('the report of such a run has web vitals, as values and as words', async () => {
  const about = { bench_report_id: finished.bench_result.bench_report_id ?? '', item_id: 'web-vitals' }
  const { values } = await owner.client.call(operations.getReportItemValues, about)
  if (values.type !== 'web_vitals') throw new TypeError('It is another item')
  expect(values).toMatchObject({ page_loads: 8, is_cut: false })
  const pages = Object.fromEntries(values.pages.map((each) => [each.page, each.page_loads]))
  expect(pages).toEqual({ '/catalog': 4, '/login': 4 })
  const measured = new Map(values.vitals.map(({ vital, count }) => [vital, count]))
  for (const vital of ['ttfb', 'fcp', 'lcp', 'cls'] as const)
    expect([vital, measured.get(vital)]).toEqual([vital, 8])
  // Each order is a click; whoever logs in leaves the page by it.
  expect(measured.get('inp')).toBeGreaterThanOrEqual(4)
  for (const { good, needs_improvement: between, poor, count } of values.vitals)
    expect(good + between + poor).toBe(count)
  const answer = await fetch(
    `${platform().url}/v1/reports/${about.bench_report_id}/items/${about.item_id}/values`,
    { headers: { accept: 'text/markdown', cookie: owner.cookie } },
  )
  expect(await answer.text()).toContain('Largest Contentful Paint')
})

test('the page of the report shows them', async () => {
  browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const shown = await context.newPage()
  await shown.goto(`${platform().url}/log-in`)
  await fillLogIn(shown, owner.email, owner.password)
  await shown.waitForURL((url) => url.pathname !== '/log-in')
  await shown.goto(`${platform().url}/reports/${finished.bench_result.bench_report_id}#item-web-vitals`)
  const item = shown.getByRole('article', { name: 'Web vitals' })
  await item.scrollIntoViewIfNeeded()
  await item.getByRole('heading', { name: 'Largest Contentful Paint (LCP)' }).waitFor()
  await expect.poll(() => item.getByRole('row').count()).toBe(3)
  await expect.poll(() => item.innerText()).toContain('75th percentiles of 8 page loads')
  await keepScreenshot(shown, 'web-vitals')
  expect((await axeOn(shown).analyze()).violations.map(({ id }) => id)).toEqual([])
  await shown.emulateMedia({ media: 'print' })
  await shown.goto(`${platform().url}/reports/${finished.bench_result.bench_report_id}?print=1`)
  await shown.locator('html[data-ready="true"]').waitFor()
  await expect.poll(() => item.innerText()).toContain('Largest Contentful Paint')
  await keepScreenshot(shown, 'web-vitals-print')
  await shown.goto(`${platform().url}/workspaces/${owner.workspaceId}/load-generators`)
  await shown.getByRole('columnheader', { name: 'Browsers' }).waitFor()
})

async function traceFilesOf(benchResultId: string) {
  const listed = async () =>
    (await owner.client.call(operations.listFiles, { owner: benchResultId })).files.filter(
      ({ status }) => status === 'PENDING',
    )
  await expect.poll(listed).toEqual([])
  const { files } = await owner.client.call(operations.listFiles, { owner: benchResultId })
  return files.filter(({ kind }) => kind === 'page_trace').toSorted((a, b) => a.name.localeCompare(b.name))
}

/** What Playwright itself says of a trace, in words. */
async function readByPlaywright(name: string, trace: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-trace-'))
  try {
    await writeFile(join(folder, name), trace)
    const playwright = (...line: string[]) =>
      promisify(execFile)(process.execPath, [playwrightCli, 'trace', ...line], { cwd: folder })
    await playwright('open', name)
    return (await playwright('actions')).stdout
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const fourTimes = (id: string, userId: string) => ({
  id,
  name: id,
  virtual_user_id: userId,
  agent_group: 'default',
  load: { ...rampUp(1, 4), ramp_up_ms: 0 },
})

test('a run that asks for traces has one of each page action that passed, and two that failed', async () => {
  expect(await traceFilesOf(finished.bench_result.id)).toEqual([])
  const lookerId = await makeUser('Looker', [
    page('act_login', 'log in / Größe', [{ type: 'goto', server_id: serverId, path: '/login' }]),
    page('act_missing', 'press what is not there', [
      { type: 'click', locator: button('Never'), timeout_ms: 500 },
    ]),
  ])
  await owner.client.call(operations.createVariable, {
    project_id: projectId,
    name: 'password',
    type: 'secret',
    value: 'hunter2-secret-value',
  })
  const secretiveId = await makeUser('Secretive', [
    page('act_secret', 'log in secretly', [
      { type: 'goto', server_id: serverId, path: '/login' },
      { type: 'fill', locator: label('Password'), value: '${password}' },
    ]),
  ])
  const { scenario } = await owner.client.call(operations.createScenario, {
    project_id: projectId,
    name: 'Traced',
    document: { profiles: [fourTimes('lookers', lookerId), fourTimes('secretive', secretiveId)] },
  })
  const { bench_result: run } = await finishedRun({ scenario_id: scenario.id, result_files: ['page_traces'] })
  expect(run.state).toBe('FINISHED')
  const { logs } = await owner.client.call(operations.getAgentLogs, { bench_result_id: run.id })
  expect(logs.flatMap(({ lines }) => lines).join('\n')).toContain('Secretive uses secrets, which traces')
  const files = await traceFilesOf(run.id)
  expect(files.map(({ name }) => name.replace(/^trace-0-\d-/, '')).toSorted()).toEqual([
    'failed-press-what-is-not-there.zip',
    'failed-press-what-is-not-there.zip',
    'passed-log-in-Größe.zip',
  ])
  for (const { id, name, size_bytes } of files) {
    // oxlint-disable no-await-in-loop -- three
    const { download } = await owner.client.call(operations.downloadFile, { file_id: id })
    const trace = Buffer.from(await (await fetch(download.url)).arrayBuffer())
    expect(trace.length).toBe(size_bytes)
    const entries = new Map<string, string>()
    for await (const { name: entry, bytes } of readZip(trace))
      entries.set(entry, Buffer.from(bytes).toString())
    const [first, ...events] = (entries.get('trace.trace') ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const isPassed = name.includes('passed')
    expect(first).toMatchObject({
      type: 'context-options',
      title: isPassed ? 'log in / Größe' : 'press what is not there',
    })
    expect(events.some(({ type }) => type === 'frame-snapshot')).toBe(true)
    // Of the iteration, so that it is seen where the page came from.
    expect(entries.get('trace.network')).toContain(`${shop.url}/login`)
    for (const text of entries.values()) expect(text).not.toContain('hunter2-secret-value')
    const told = await readByPlaywright('trace.zip', trace)
    expect(told).toContain(isPassed ? '/login' : 'Never')
    // oxlint-enable no-await-in-loop
  }
  const { rows } = await owner.client.call(operations.getBenchTable, { bench_result_id: run.id })
  const counts = Object.fromEntries(rows.map(({ name, count, failed }) => [name, [count, failed]]))
  expect(counts).toMatchObject({ 'log in / Größe': [4, 0], 'press what is not there': [4, 4] })
})
