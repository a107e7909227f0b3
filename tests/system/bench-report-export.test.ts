import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { operations, type OutputOf } from '@flamegate/contract'
import type { Browser } from 'playwright'
import { extractLinks, extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { artefactsDir, launchBrowser } from './browser.ts'
import { callTool } from './calls.ts'
import { apiToken, invite, platform, signUp, type Person } from './person.ts'
import { programEnv } from './program-env.ts'

/** A report of a real run, printed by the worker's own browser, and shared by links. */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')

let owner: Person
let projectId: string
let runId: string
let reportId: string
let target: Server
let agent: ChildProcess
let browser: Browser

beforeAll(async () => {
  let orders = 0
  target = createServer(({ url }, response) => {
    const isFailing = url === '/orders' && ++orders % 10 === 0
    setTimeout(
      () => response.writeHead(isFailing ? 500 : 200, { 'content-type': 'application/json' }).end('{"id":1}'),
      url === '/slow' ? 40 : 5,
    )
  }).listen(0, '127.0.0.1')
  await once(target, 'listening')
  const address = target.address()
  owner = await signUp('Printer')
  const { workspaceId, client } = owner
  const { project } = await client.call(operations.createProject, { workspace_id: workspaceId, name: 'Shop' })
  projectId = project.id
  const { http_server: server } = await client.call(operations.createHttpServer, {
    project_id: projectId,
    name: 'shop',
    base_url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
  })
  const request = (id: string, method: string, path: string) => ({
    type: 'http_request',
    id,
    name: `${method} ${path}`,
    method,
    server_id: server.id,
    path,
  })
  const { virtual_user: user } = await client.call(operations.createVirtualUser, {
    project_id: projectId,
    name: 'Buyer',
    document: { actions: [request('act_slow', 'GET', '/slow'), request('act_orders', 'POST', '/orders')] },
  })
  const { scenario } = await client.call(operations.createScenario, {
    project_id: projectId,
    name: 'Sale at noon',
    document: {
      profiles: [
        {
          id: 'p1',
          name: 'buyers',
          virtual_user_id: user.id,
          load: { type: 'ramp_up', users: 6, ramp_up_ms: 2000, plateau_ms: 8000 },
          agent_group: 'default',
        },
      ],
      thresholds: ['p95 duration < 5 s', 'error share of action "act_orders" < 1 %'],
    },
  })
  const { token } = await client.call(operations.getAgentInstallCommand, { workspace_id: workspaceId })
  agent = spawn(
    process.execPath,
    [cli, 'agent', '--group', 'default', '--workspace', workspaceId, '--name', 'one', '--threads', '1'],
    {
      env: { ...programEnv, FLAMEGATE_URL: platform().url, FLAMEGATE_TOKEN: token },
      stdio: 'ignore',
    },
  )
  const { bench_result: run } = await client.call(operations.runScenario, {
    scenario_id: scenario.id,
    wait_seconds: 600,
  })
  runId = run.id
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const now = await client.call(operations.getBenchResult, { bench_result_id: runId })
    reportId = now.bench_result.bench_report_id ?? ''
    if (now.bench_result.state === 'FINISHED') break
    if (now.next_poll_seconds === null) throw new Error(now.bench_result.message)
    // oxlint-disable-next-line no-await-in-loop -- see above
    await sleep(500)
  }
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  if (agent?.exitCode === null) {
    const exit = once(agent, 'exit')
    agent.kill('SIGKILL')
    await exit
  }
  target?.close()
})

type Task = OutputOf<typeof operations.getTaskResult>['task']

async function ended(taskId: string): Promise<Task> {
  const taskOf = async () => (await owner.client.call(operations.getTaskResult, { task_id: taskId })).task
  await expect.poll(async () => (await taskOf()).finished_at, { interval: 300 }).not.toBeNull()
  return taskOf()
}

async function exported(format: 'pdf' | 'html', of = reportId): Promise<{ task: Task; bytes: Buffer }> {
  const { task_id } = await owner.client.call(operations.exportBenchReportPdf, {
    bench_report_id: of,
    format,
  })
  const task = await ended(task_id)
  expect(task).toMatchObject({ problem: null, status: 'SUCCESS', result: { bench_report_id: of } })
  const file_id = String(task.result?.['file_id'])
  const { download, name } = await owner.client.call(operations.downloadFile, { file_id })
  expect(name).toBe(task.result?.['file_name'])
  const bytes = Buffer.from(await (await fetch(download.url)).arrayBuffer())
  expect(bytes.length).toBe(task.result?.['size_bytes'])
  return { task, bytes }
}

async function keep(name: string, bytes: Buffer): Promise<void> {
  await mkdir(artefactsDir, { recursive: true })
  await writeFile(join(artefactsDir, name), bytes)
}

/** Names and numbers of the table of the report, as people read them. */
async function wordsOfTable(): Promise<string[]> {
  const { values } = await owner.client.call(operations.getReportItemValues, {
    bench_report_id: reportId,
    item_id: 'table',
  })
  if (values.type !== 'table') throw new TypeError('It is no table')
  expect(values.rows.map(({ name }) => name)).toEqual(['GET /slow', 'POST /orders'])
  return values.rows.flatMap(({ name, count, failed }) => [
    name,
    count.toLocaleString('en'),
    failed.toLocaleString('en'),
  ])
}

test('the PDF has the pages, names, numbers and links of the report', async () => {
  const { bytes } = await exported('pdf')
  await keep('bench-report.pdf', bytes)
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const { totalPages, text: pages } = await extractText(pdf)
  expect(totalPages).toBeGreaterThan(1)
  for (const [index, text] of pages.entries()) {
    expect(text).toContain('Sale at noon')
    expect(text).toContain(`Page ${index + 1} of ${totalPages}`)
  }
  const text = pages.join('\n')
  for (const words of [...(await wordsOfTable()), 'Times are in UTC.']) expect(text).toContain(words)
  const { links } = await extractLinks(pdf)
  expect(links.filter((link) => !link.startsWith(platform().url))).toEqual([])
  expect(links.join('\n')).toContain(runId)
  // The secret of the link that the browser read it by.
  expect(links.join('\n')).not.toContain('fg_')
})

test('the HTML opens from disk, shows the same, and asks nobody for anything', async () => {
  const { bytes } = await exported('html')
  await keep('bench-report.html', bytes)
  expect(bytes.toString()).not.toContain('<script')
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-html-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'report.html')
  await writeFile(path, bytes)
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(pathToFileURL(path).href)
  await page.getByRole('heading', { level: 1, name: 'Sale at noon' }).waitFor()
  const text = await page.locator('body').innerText()
  for (const words of [...(await wordsOfTable()), 'Times are in UTC.']) expect(text).toContain(words)
  expect(requests.filter((url) => !/^(file|data):/.test(url))).toEqual([])
  const badge = await page.getByRole('cell').getByText('Status 5xx').boundingBox()
  expect(badge?.width).toBeGreaterThan(2 * (badge?.height ?? Infinity))
  expect(await page.locator('canvas').count()).toBe(0)
  await expect.poll(() => page.locator('img[src^="data:image/png"]').count()).toBeGreaterThan(2)
})

test('prints are files of the report and of its run, and no link to it is left', async () => {
  for (const owned of [reportId, runId]) {
    // oxlint-disable-next-line no-await-in-loop -- two
    const { files } = await owner.client.call(operations.listFiles, { owner: owned })
    // The run has logs of its agents besides.
    expect(files.filter(({ kind }) => kind === 'report')).toMatchObject([
      { kind: 'report', name: expect.stringMatching(/\.html$/), status: 'READY', project_id: projectId },
      { kind: 'report', name: expect.stringMatching(/\.pdf$/), status: 'READY', project_id: projectId },
    ])
  }
  const left = await owner.client.call(operations.listBenchReportLinks, { bench_report_id: reportId })
  expect(left.share_links).toEqual([])
})

const chart = (index: number) => ({
  id: `chart-${index}`,
  type: 'chart',
  title: `Chart ${index}`,
  lines: [{ metric: 'p95' }, { metric: 'rate', axis: 'right' }],
  apart: index % 2 === 0 ? 'action' : null,
})

test('a report of twenty items is printed', async () => {
  const { bench_report: long } = await owner.client.call(operations.createReport, {
    project_id: projectId,
    name: 'Twenty items',
    bench_result_ids: [runId],
  })
  await owner.client.call(operations.patchBenchReport, {
    bench_report_id: long.id,
    patch: [1, 2, 3, 4, 5, 6, 7, 8].map((index) => ({ op: 'add', path: '/items/-', value: chart(index) })),
  })
  const { task, bytes } = await exported('pdf', long.id)
  await keep('bench-report-twenty.pdf', bytes)
  const tookMs = Date.parse(task.finished_at ?? '') - Date.parse(task.created_at)
  process.stdout.write(`A report of twenty items was printed in ${tookMs} ms.\n`)
  const { text } = await extractText(new Uint8Array(bytes), { mergePages: true })
  for (const index of [1, 8]) expect(text).toContain(`Chart ${index}`)
})

test('an agent asks for it with one tool, and gets the file with another', async () => {
  const token = await apiToken(owner, ['read', 'write'])
  const asked = await callTool(operations.exportBenchReportPdf, { bench_report_id: reportId }, { token })
  expect(asked.answer).toMatchObject({ bench_report_id: reportId, format: 'pdf' })
  const task = await ended(/tsk_\w+/.exec(asked.text)?.[0] ?? '')
  const file_id = String(task.result?.['file_id'])
  const given = await callTool(operations.downloadFile, { file_id }, { token })
  expect(given.text).toContain('curl')
})

test('who may only read prints nothing, and a report that is deleted is not printed', async () => {
  const viewer = await invite(owner, 'viewer', 'Looker')
  const refused = viewer.client.call(operations.exportBenchReportPdf, { bench_report_id: reportId })
  await expect(refused).rejects.toMatchObject({ code: 'insufficient_role' })
  const stranger = await signUp('Stranger')
  const unknown = stranger.client.call(operations.exportBenchReportPdf, { bench_report_id: reportId })
  await expect(unknown).rejects.toMatchObject({ code: 'bench_report_not_found' })
})

/** What somebody without an account gets for a link. */
async function follow(viewerUrl: string, path = '', secret = new URL(viewerUrl).hash.slice(1)) {
  const { pathname } = new URL(viewerUrl)
  const answer = await fetch(`${platform().url}/v1${pathname}${path}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  return { status: answer.status, body: await answer.json() }
}

test('a public link opens its report to whoever has it, and nothing else, until it is taken back', async () => {
  const { share_link: link, viewer_url: url } = await owner.client.call(operations.shareBenchReport, {
    bench_report_id: reportId,
    public: true,
  })
  expect(url).toContain(`${platform().url}/shared/reports/${link.id}#`)
  expect((await follow(url)).body).toMatchObject({
    bench_report: { id: reportId },
    expires_at: link.expires_at,
    runs: [{ id: runId }],
  })
  expect((await follow(url, '/items/table/values')).body).toMatchObject({ values: { type: 'table' } })
  expect((await follow(url, '/items/none/values')).body).toMatchObject({ code: 'report_item_not_found' })
  expect((await follow(url, '', 'guessed')).body).toMatchObject({ code: 'share_link_not_found' })
  // It is no link to a profile, and no credential for anything else.
  const secret = new URL(url).hash.slice(1)
  const elsewhere = (path: string) =>
    fetch(`${platform().url}/v1${path}`, { headers: { authorization: `Bearer ${secret}` } })
  expect((await elsewhere(`/shared/${link.id}`)).status).toBe(404)
  expect((await elsewhere(`/reports/${reportId}`)).status).toBe(401)
  const { share_links: listed } = await owner.client.call(operations.listBenchReportLinks, {
    bench_report_id: reportId,
  })
  expect(listed).toEqual([link])
  await owner.client.call(operations.closeProfileViewer, { share_link_id: link.id })
  expect((await follow(url)).body).toMatchObject({ code: 'share_link_not_found' })
})

test('a link of members leads them to the report', async () => {
  const { share_link: link, viewer_url: url } = await owner.client.call(operations.shareBenchReport, {
    bench_report_id: reportId,
  })
  expect(url).toBe(`${platform().url}/shared/${link.id}`)
  const led = await owner.client.call(operations.getShareLink, { share_link_id: link.id })
  expect(led.url).toBe(`${platform().url}/reports/${reportId}`)
})
