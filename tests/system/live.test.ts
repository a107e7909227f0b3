import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@flamegate/client'
import { operations } from '@flamegate/contract'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Browser, BrowserContext, Page, Request } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillLogIn, launchBrowser } from './browser.ts'
import { agentClient, apiToken, platform, signUp, type Person } from './person.ts'

/** Load tests that tell of themselves while they go on: to pages by event streams, to MCP clients by progress. */

let owner: Person
let outsider: Person
let agent: Client
let browser: Browser
let context: BrowserContext
let projectId: string
let scenarioId: string

beforeAll(async () => {
  owner = await signUp('Watcher')
  outsider = await signUp('Elsewhere')
  agent = await agentClient(owner)
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Live',
  })
  projectId = project.id
  const { http_server: server } = await owner.client.call(operations.createHttpServer, {
    project_id: projectId,
    name: 'shop',
    base_url: 'http://127.0.0.1:9',
  })
  const { virtual_user: user } = await owner.client.call(operations.createVirtualUser, {
    project_id: projectId,
    name: 'Buyer',
    document: {
      actions: [{ type: 'http_request', id: 'act_1', method: 'GET', server_id: server.id, path: '/' }],
    },
  })
  const { scenario } = await owner.client.call(operations.createScenario, {
    project_id: projectId,
    name: 'Sale',
    virtual_user_ids: [user.id],
    load: { type: 'ramp_up', users: 2, plateau_ms: 600_000 },
  })
  scenarioId = scenario.id
  browser = await launchBrowser()
  context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, owner.email, owner.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
  await page.close()
})
afterAll(() => browser?.close())

const start = async () =>
  (await owner.client.call(operations.runScenario, { scenario_id: scenarioId, wait_seconds: 600 }))
    .bench_result
const stop = (id: string) => owner.client.call(operations.stopBenchResult, { bench_result_id: id })

/** Takes the part of the run that waits, as an agent of which the machine is idle, and tells of it until it is done. */
async function makeShard(): Promise<void> {
  const { load_generator_id: id } = await agent.call(operations.connectLoadGenerator, {
    workspace_id: owner.workspaceId,
    name: 'by-hand',
    agent_group: 'default',
    version: '0',
    cores: 1,
    memory_bytes: 1e9,
  })
  const { shard } = await agent.call(operations.awaitShard, { load_generator_id: id, wait_seconds: 10 })
  if (shard === null) throw new Error('No shard waits')
  const report = async (state: 'PREPARING' | 'READY' | 'RUNNING' | 'DONE') =>
    (await agent.call(operations.reportShard, { shard_id: shard.shard_id, state })).order
  let order = await report('PREPARING')
  while (order === 'wait' || order === 'run') {
    // oxlint-disable-next-line no-await-in-loop -- one report after the other
    await sleep(500)
    // oxlint-disable-next-line no-await-in-loop -- see above
    order = await report(order === 'run' ? 'RUNNING' : 'READY')
  }
  await report('DONE')
}

const within = { timeout: 90_000, interval: 100 }

test('an official MCP client that asks for progress hears that a call is at work while it waits', async () => {
  const run = await start()
  const token = await apiToken(owner, ['read'])
  const client = new McpClient({ name: 'an-agent', version: '1' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(platform().mcpUrl), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  const heard: { progress: number; message?: string | undefined }[] = []
  const waiting = client.callTool(
    { name: 'get_bench_result', arguments: { bench_result_id: run.id, wait_seconds: 45 } },
    { onprogress: (progress) => heard.push(progress) },
  )
  await expect.poll(() => heard.length, within).toBeGreaterThan(0)
  // It waits for the state, and not for the time.
  await stop(run.id)
  expect((await waiting).structuredContent).toMatchObject({ bench_result: { state: 'ABORTED' } })
  expect(heard[0]).toMatchObject({ message: expect.stringMatching(/^At work for \d+ s/) })
  await client.close()
})

test('a stream is for who may read its run, and ends with it', async () => {
  const run = await start()
  const path = `${platform().url}/v1/bench-results/${run.id}/events`
  const [theirs, none] = await Promise.all([
    fetch(path, { headers: { authorization: `Bearer ${await apiToken(outsider, ['read'])}` } }),
    fetch(path),
  ])
  expect([theirs.status, none.status]).toEqual([404, 401])
  const stream = await fetch(path, {
    headers: { authorization: `Bearer ${await apiToken(owner, ['read'])}` },
  })
  expect([stream.status, stream.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ])
  await stop(run.id)
  const text = await stream.text()
  expect(text).toMatch(/^retry: 2000\n\nevent: news\n/)
  expect(text).toMatch(/"state":"ABORTED"[^\n]*\n\nevent: end\ndata: \{\}\n\n$/)
})

/** How often the page was told that there is news and asked for the run itself, also since it was told first, and which streams it opened. */
async function askedBy(page: Page, runId: string) {
  const asked = { run: 0, runSinceNews: 0, news: 0, streams: [] as string[], endedStreams: 0 }
  // Both told by the page's own process, in their order.
  const devTools = await context.newCDPSession(page)
  devTools.on('Network.eventSourceMessageReceived', ({ eventName }) => {
    if (eventName === 'news') asked.news++
  })
  devTools.on('Network.requestWillBeSent', ({ request }) => {
    const { pathname } = new URL(request.url)
    if (pathname === `/v1/bench-results/${runId}`) {
      asked.run++
      if (asked.news > 0) asked.runSinceNews++
    }
    if (pathname.endsWith('/events')) asked.streams.push(pathname)
  })
  await devTools.send('Network.enable')
  const end = (request: Request) => {
    if (request.url().endsWith('/events')) asked.endedStreams++
  }
  // The page may be the one that hangs up.
  page.on('requestfinished', end).on('requestfailed', end)
  return asked
}

test('a page asks again when there is news and not otherwise, and every two seconds where it cannot hear any', async () => {
  const run = await start()
  const told = await context.newPage()
  const deaf = await context.newPage()
  await deaf.route('**/events', (route) => route.abort())
  const [askedByTold, askedByDeaf] = await Promise.all([askedBy(told, run.id), askedBy(deaf, run.id)])
  const path = `${platform().url}/projects/${projectId}/bench-results/${run.id}`
  const list = await context.newPage()
  await list.goto(`${platform().url}/projects/${projectId}/bench-results`)
  await Promise.all([told.goto(path), deaf.goto(path)])
  const seen = (page: Page, words: string) => page.getByText(words, { exact: true }).first().waitFor(within)
  await Promise.all([told, deaf, list].map((page) => seen(page, 'waiting')))
  await expect.poll(() => askedByTold.streams, within).toEqual([`/v1/bench-results/${run.id}/events`])
  // The stream begins with how things stand; a run that has just been made may have more to tell at once.
  await expect.poll(() => askedByTold.news, within).toBeGreaterThan(0)
  const before = askedByDeaf.run
  await expect.poll(() => askedByDeaf.run, within).toBeGreaterThan(before + 3)
  // Until its stream was open it asked as the deaf one does.
  expect(askedByTold.runSinceNews).toBeGreaterThan(0)
  expect(askedByTold.runSinceNews).toBeLessThanOrEqual(askedByTold.news)

  const working = makeShard()
  await Promise.all([told, deaf, list].map((page) => seen(page, 'running')))
  await stop(run.id)
  await working
  await Promise.all([told, deaf, list].map((page) => seen(page, 'stopped')))
  await expect.poll(() => askedByTold.endedStreams).toBe(1)
  // What it is told with the end it asks for once more.
  await told.waitForTimeout(1_000)
  const asked = askedByTold.run
  await told.waitForTimeout(3_000)
  expect([askedByTold.run, askedByTold.streams.length]).toEqual([asked, 1])
})

test('the page of a report hears of its runs', async () => {
  const run = await start()
  const page = await context.newPage()
  const streams: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/events')) streams.push(new URL(request.url()).pathname)
  })
  let itemsAsked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/values')) itemsAsked++
  })
  await page.goto(`${platform().url}/reports/${run.bench_report_id}`)
  await expect.poll(() => streams, within).toEqual([`/v1/reports/${run.bench_report_id}/events`])
  await expect.poll(() => itemsAsked, within).toBeGreaterThan(0)
  await page.waitForTimeout(3_000)
  const before = itemsAsked
  await stop(run.id)
  await expect.poll(() => itemsAsked, within).toBeGreaterThan(before)
})
