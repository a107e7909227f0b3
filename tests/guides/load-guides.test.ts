import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../system/browser.ts'
import { startAgent } from '../system/loaded-project.ts'
import { apiToken, platform, signUp, type Person } from '../system/person.ts'
import { recordShopHar } from '../system/sample-shop/record-shop-har.ts'
import { startSampleShop, type SampleShop } from '../system/sample-shop/start-sample-shop.ts'
import { followGuide } from './follow-guide.ts'

/** The guides of load testing, followed letter by letter: a recording of the sample shop, and an agent that makes the load. */

let folder: string
let har: Buffer
let shop: SampleShop
let owner: Person
let token: string
let agent: ChildProcess
let weak: Server

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flamegate-load-guides-'))
  const browser = await launchBrowser()
  shop = await startSampleShop()
  const path = join(folder, 'shop.har')
  await recordShopHar(browser, shop.url, path)
  har = await readFile(path)
  await browser.close()
  owner = await signUp('Literal')
  token = await apiToken(owner, ['read', 'write', 'run'])
  agent = await startAgent(platform().url, owner)
  weak = await startWeakServer()
}, 180_000)
afterAll(async () => {
  agent?.kill('SIGTERM')
  weak?.close().closeAllConnections()
  await shop?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Answers one request for a report after the other, 30 ms each, and refuses those that would wait behind more than four. */
async function startWeakServer(): Promise<Server> {
  const waiting: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (request.url !== '/report') response.end('{}')
    else if (waiting.length > 4) response.writeHead(503).end('{"error":"too many reports"}')
    else waiting.push(response)
  }).listen(0, '127.0.0.1')
  const reports = setInterval(() => waiting.shift()?.end('{}'), 30)
  server.once('close', () => clearInterval(reports))
  await once(server, 'listening')
  return server
}

async function newProject(name: string): Promise<string> {
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name,
  })
  return project.id
}

/** What a person does on the page of variables. */
async function giveSecret(projectId: string, name: string): Promise<void> {
  await owner.client.call(operations.createVariable, {
    project_id: projectId,
    name,
    type: 'secret',
    value: 'ann-password',
  })
}

/** The recording as a virtual user that was never validated, without the password. */
async function importShop(projectId: string): Promise<string> {
  const { client } = owner
  const { upload, task_id } = await client.call(operations.importVirtualUser, {
    project_id: projectId,
    format: 'har',
    file_name: 'shop.har',
    size_bytes: har.length,
    think_time_max_ms: 0,
  })
  if (upload === null) throw new Error('An upload was wanted')
  await fetch(upload.url, { method: upload.method, headers: upload.headers, body: new Uint8Array(har) })
  await expect
    .poll(async () => (await client.call(operations.getTaskResult, { task_id })).task.status)
    .toBe('SUCCESS')
  const { virtual_users: users } = await client.call(operations.listVirtualUsers, { project_id: projectId })
  return users[0]?.id ?? ''
}

/** A virtual user that sends requests to a server, and a scenario of some of it. */
async function makeScenario(projectId: string, baseUrl: string, paths: string[]) {
  const { client } = owner
  const { http_server: server } = await client.call(operations.createHttpServer, {
    project_id: projectId,
    name: 'target',
    base_url: baseUrl,
  })
  const { virtual_user: user } = await client.call(operations.createVirtualUser, {
    project_id: projectId,
    name: 'Reader',
    document: {
      actions: [
        ...paths.map((path, index) => ({
          type: 'http_request',
          id: `act_${index}`,
          name: `GET ${path}`,
          method: 'GET',
          server_id: server.id,
          path,
        })),
        { type: 'delay', id: 'act_think', duration: { distribution: 'constant', ms: 50 } },
      ],
    },
  })
  const { scenario } = await client.call(operations.createScenario, {
    project_id: projectId,
    name: 'Readers',
    virtual_user_ids: [user.id],
    load: { type: 'ramp_up', users: 2, ramp_up_ms: 500, plateau_ms: 2500 },
  })
  return { scenarioId: scenario.id, virtualUserId: user.id }
}

async function run(scenarioId: string): Promise<string> {
  const { client } = owner
  const started = await client.call(operations.runScenario, { scenario_id: scenarioId })
  const bench_result_id = started.bench_result.id
  await expect
    .poll(async () => (await client.call(operations.getBenchResult, { bench_result_id })).bench_result.state)
    .toBe('FINISHED')
  return bench_result_id
}

test('load-test makes a report of a recording', async () => {
  const projectId = await newProject('Load test')
  const answers = await followGuide('load-test', {
    token,
    cwd: folder,
    given: {
      project_id: projectId,
      har_name: 'shop.har',
      har_bytes: har.length,
      users: 4,
      ramp_up_ms: 1000,
      plateau_ms: 5000,
    },
    afterStep: async (step) => {
      if (step === 3) await giveSecret(projectId, 'password')
    },
  })
  expect(answers.get('get_bench_result')).toMatchObject({
    numbers: { failed: 0 },
    thresholds: [{ state: 'passed' }, { text: 'p95 duration < 2000 ms' }],
  })
})

test('auto-correlation makes the recording pass', async () => {
  const projectId = await newProject('Correlated')
  const virtualUserId = await importShop(projectId)
  await giveSecret(projectId, 'password')
  const answers = await followGuide('auto-correlation', {
    token,
    given: { virtual_user_id: virtualUserId, project_id: projectId },
    triesInstead: true,
  })
  expect(answers.get('get_virtual_user_validation_index')).toMatchObject({ validation: { iterations: 2 } })
})

test('validation-triage mends one cause after the other', async () => {
  const projectId = await newProject('Triaged')
  const virtualUserId = await importShop(projectId)
  const { http_servers: servers } = await owner.client.call(operations.listHttpServers, {
    project_id: projectId,
  })
  // Something that the shop does not have any more.
  await owner.client.call(operations.patchVirtualUser, {
    virtual_user_id: virtualUserId,
    patch: [
      {
        op: 'add',
        path: '/actions/-',
        value: {
          type: 'http_request',
          id: 'act_banner',
          name: 'GET /orders/banner',
          method: 'GET',
          server_id: servers[0]?.id,
          path: '/orders/banner',
        },
      },
    ],
  })
  const answers = await followGuide('validation-triage', {
    token,
    given: { virtual_user_id: virtualUserId },
    afterStep: async (step) => {
      if (step === 0) await giveSecret(projectId, 'password')
    },
  })
  expect(answers.get('sanity_check_virtual_user')).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ code: 'unset_secret' })]),
  })
  expect(answers.get('get_virtual_user')).toMatchObject({ document: { id: 'act_banner' } })
})

test('scenario-diagnosis finds what a weak server refuses', async () => {
  const projectId = await newProject('Diagnosed')
  const address = weak.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const { scenarioId } = await makeScenario(projectId, url, ['/quick', '/report'])
  const good = await run(scenarioId)
  await owner.client.call(operations.patchScenario, {
    scenario_id: scenarioId,
    patch: [{ op: 'replace', path: '/profiles/0/load/users', value: 30 }],
  })
  const answers = await followGuide('scenario-diagnosis', {
    token,
    given: { bench_result_id: await run(scenarioId), good_bench_result_id: good },
  })
  expect(answers.get('get_report_insights')).toMatchObject({
    insights: expect.arrayContaining([expect.objectContaining({ kind: 'errors', level: 'critical' })]),
  })
  expect(answers.get('get_report_errors')).toMatchObject({
    errors: [{ name: 'GET /report', error_class: 'status_5xx' }],
  })
})

test('real-browser-probe measures pages with load and without', async () => {
  const projectId = await newProject('Probed')
  const { virtualUserId } = await makeScenario(projectId, shop.url, ['/', '/login'])
  const { text } = await owner.client.call(operations.readGuide, { name: 'real-browser-probe' })
  const answers = await followGuide('real-browser-probe', {
    token,
    given: {
      project_id: projectId,
      virtual_user_id: virtualUserId,
      base_url: shop.url,
      playwright_test: /```ts\n(.*?)```/s.exec(text)?.[1],
      users: 5,
      load_ms: 5000,
    },
    afterStep: async (step) => {
      if (step === 1) await giveSecret(projectId, 'SHOP_PASSWORD')
    },
  })
  expect(answers.get('get_bench_result')).toMatchObject({ numbers: { failed: 0 } })
})

test('scheduling starts a rehearsal, and tells the next times', async () => {
  const projectId = await newProject('Scheduled')
  const { scenarioId } = await makeScenario(projectId, shop.url, ['/'])
  const answers = await followGuide('scheduling', {
    token,
    given: {
      project_id: projectId,
      scenario_id: scenarioId,
      // Soon after it is asked for.
      get run_at() {
        return new Date(Date.now() + 4000).toISOString()
      },
      cron: '30 6 * * 1-5',
      time_zone: 'Europe/Berlin',
    },
    triesInstead: true,
  })
  expect(answers.get('update_scheduled_job')).toMatchObject({ schedule: { is_enabled: false } })
})
