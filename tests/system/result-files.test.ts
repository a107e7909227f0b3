import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { operations, type OutputOf } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { platform, signUp, type Person } from './person.ts'
import { programEnv } from './program-env.ts'

/** Every request of a run as a row of a file, held against what the server itself counted and what the report says. */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
const secret = 'hunter2-secret-value'

let owner: Person
let projectId: string
let scenarioId: string
let target: Server
const agents: ChildProcess[] = []
/** What the server answered, by path. */
const answered = new Map<string, number>()

beforeAll(async () => {
  target = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const count = (answered.get(path) ?? 0) + 1
    answered.set(path, count)
    response.writeHead(path === '/orders' && count % 10 === 0 ? 500 : 200).end('x'.repeat(200))
  }).listen(0, '127.0.0.1')
  await once(target, 'listening')
  const address = target.address()
  owner = await signUp('Filer')
  const { client, workspaceId } = owner
  const { project } = await client.call(operations.createProject, {
    workspace_id: workspaceId,
    name: 'Files',
  })
  projectId = project.id
  const { http_server: server } = await client.call(operations.createHttpServer, {
    project_id: projectId,
    name: 'shop',
    base_url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
  })
  await client.call(operations.createVariable, {
    project_id: projectId,
    name: 'key',
    type: 'secret',
    value: secret,
  })
  const get = (id: string, path: string) => ({
    type: 'http_request',
    id,
    name: `GET ${path.split('?')[0]}`,
    method: 'GET',
    server_id: server.id,
    path,
  })
  const { virtual_user: user } = await client.call(operations.createVirtualUser, {
    project_id: projectId,
    name: 'Buyer',
    document: {
      actions: [
        {
          type: 'container',
          id: 'act_shop',
          name: 'shop, "all of it"',
          actions: [get('act_home', '/home?signature=${key}&page=1'), get('act_orders', '/orders')],
        },
        { type: 'delay', id: 'act_think', duration: { distribution: 'constant', ms: 20 } },
      ],
    },
  })
  const { scenario } = await client.call(operations.createScenario, {
    project_id: projectId,
    name: 'All of it',
    virtual_user_ids: [user.id],
    load: { type: 'ramp_up', users: 8, ramp_up_ms: 500, plateau_ms: 3500 },
  })
  scenarioId = scenario.id
  const { token } = await client.call(operations.getAgentInstallCommand, { workspace_id: workspaceId })
  for (const name of ['one', 'two'])
    agents.push(
      spawn(
        process.execPath,
        [cli, 'agent', '--group', 'default', '--workspace', workspaceId, '--name', name, '--threads', '2'],
        {
          env: { ...programEnv, FLAMEGATE_URL: platform().url, FLAMEGATE_TOKEN: token },
          stdio: 'ignore',
        },
      ),
    )
  const areOnline = async () => {
    const listed = await client.call(operations.listLoadGenerators, { workspace_id: workspaceId })
    return listed.load_generators.filter((each) => each.is_online).length
  }
  await vi.waitUntil(async () => (await areOnline()) === 2, { timeout: 240_000, interval: 200 })
})
afterAll(async () => {
  await Promise.all(
    agents.map(async (agent) => {
      if (agent.exitCode !== null) return
      const exit = once(agent, 'exit')
      agent.kill('SIGKILL')
      await exit
    }),
  )
  target?.close().closeAllConnections()
})

async function run(options: { result_files?: ('jtl' | 'parquet')[] }): Promise<string> {
  const { bench_result: started } = await owner.client.call(operations.runScenario, {
    scenario_id: scenarioId,
    ...options,
  })
  const state = async () => {
    const asked = { bench_result_id: started.id, wait_seconds: 20 }
    return (await owner.client.call(operations.getBenchResult, asked)).bench_result.state
  }
  await expect.poll(state).toBe('FINISHED')
  return started.id
}

type File = OutputOf<typeof operations.listFiles>['files'][number]

const filesOf = async (id: string) =>
  (await owner.client.call(operations.listFiles, { owner: id })).files.toSorted((a, b) =>
    a.name.localeCompare(b.name),
  )

async function readyFiles(id: string): Promise<File[]> {
  await expect.poll(async () => (await filesOf(id)).map(({ status }) => status)).not.toContain('PENDING')
  return filesOf(id)
}

async function download(file: File | undefined): Promise<Buffer> {
  const { download: link } = await owner.client.call(operations.downloadFile, { file_id: file?.id ?? '' })
  const response = await fetch(link.url)
  expect(response.status).toBe(200)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.length).toBe(file?.size_bytes)
  // A link works once.
  expect((await fetch(link.url)).status).toBe(409)
  return bytes
}

/** Cells of a CSV, of which some are in quotes. */
function cellsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  )
}

test('a run has every request as a row, which the server, the report and our own import agree about', async () => {
  answered.clear()
  const id = await run({ result_files: ['jtl', 'parquet'] })
  const files = await readyFiles(id)
  expect(files.map(({ name, kind }) => [name, kind])).toEqual([
    ['agent-0.log', 'agent_log'],
    ['agent-1.log', 'agent_log'],
    ['failed-exchanges.har', 'failed_exchanges'],
    ['requests.jtl.gz', 'request_log'],
    ['requests.parquet', 'request_log'],
  ])
  const [log, , har, jtl, parquet] = files

  const text = gunzipSync(await download(jtl)).toString()
  const [heading = '', ...lines] = text.trimEnd().split('\n')
  const names = cellsOf(heading)
  const rows = lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, at) => [names[at], cell])))
  const { total, rows: reported } = await owner.client.call(operations.getBenchTable, { bench_result_id: id })
  const served = (answered.get('/home') ?? 0) + (answered.get('/orders') ?? 0)
  expect(served).toBeGreaterThan(100)
  expect([rows.length, total?.count]).toEqual([served, served])
  for (const [action, path] of [
    ['act_home', '/home'],
    ['act_orders', '/orders'],
  ]) {
    const own = rows.filter(({ label }) => label === `shop, "all of it" / GET ${path}`)
    const row = reported.find(({ action_id }) => action_id === action)
    const sum = (column: string) => own.reduce((bytes, each) => bytes + Number(each[column]), 0)
    expect(own.length).toBe(answered.get(path ?? ''))
    expect([own.length, own.filter(({ success }) => success === 'false').length]).toEqual([
      row?.count,
      row?.failed,
    ])
    expect([sum('bytes'), sum('sentBytes')]).toEqual([row?.received_bytes, row?.sent_bytes])
  }
  expect(total?.failed).toBe(Math.floor((answered.get('/orders') ?? 0) / 10))
  expect(new Set(rows.map(({ Hostname }) => Hostname?.split('#')[0]))).toEqual(new Set(['one', 'two']))
  expect(new Set(rows.map(({ threadName }) => threadName)).size).toBe(8)
  expect(text).not.toContain(secret)
  expect(rows.find(({ label }) => label?.endsWith('/home'))?.['URL']).toMatch(/\/home\?signature=.*&page=1$/)
  expect((await download(parquet)).toString('latin1')).toMatch(/^PAR1[^]*PAR1$/)

  const { log: recorded } = JSON.parse((await download(har)).toString())
  expect(recorded.entries.length).toBeGreaterThan(0)
  expect(
    new Set(recorded.entries.map(({ response }: { response: { status: number } }) => response.status)),
  ).toEqual(new Set([500]))
  const { lines: logged } = await owner.client.call(operations.readFileLines, { file_id: log?.id ?? '' })
  expect(logged.map(({ text: line }) => line).join('\n')).toMatch(
    /gets ready[^]*begins at[^]*first failures of class status_5xx[^]*its users have ended: \d+ requests/,
  )
  const { logs } = await owner.client.call(operations.getAgentLogs, { bench_result_id: id })
  expect(logs.map(({ line_count: count }) => count)).toEqual([logged.length, expect.any(Number)])

  await expectSameWhenImported(text, { count: served, failed: total?.failed ?? 0, p95Ms: total?.p95_ms ?? 0 })

  await owner.client.call(operations.deleteBenchResult, { bench_result_id: id })
  const gone = owner.client.call(operations.downloadFile, { file_id: jtl?.id ?? '' })
  await expect(gone).rejects.toMatchObject({ code: 'file_not_found' })
  const { usage } = await owner.client.call(operations.getUsage, { workspace_id: owner.workspaceId })
  expect(usage.result_file_bytes).toBe(0)
})

async function expectSameWhenImported(
  jtl: string,
  expected: { count: number; failed: number; p95Ms: number },
): Promise<void> {
  const { upload, task_id: taskId } = await owner.client.call(operations.importJtlReport, {
    project_id: projectId,
    file_name: 'requests.jtl',
    size_bytes: Buffer.byteLength(jtl),
  })
  const { url = '', method, headers = {} } = upload ?? {}
  expect((await fetch(url, { method, headers, body: jtl })).status).toBeLessThan(300)
  const task = async () => (await owner.client.call(operations.getTaskResult, { task_id: taskId })).task
  await expect.poll(async () => (await task()).status).toBe('SUCCESS')
  const { total, errors } = await owner.client.call(operations.getBenchTable, {
    bench_result_id: String((await task()).result?.['bench_result_id']),
  })
  expect([total?.count, total?.failed]).toEqual([expected.count, expected.failed])
  expect(errors.map(({ error_class, count }) => [error_class, count])).toEqual([
    ['status_5xx', expected.failed],
  ])
  expect(Math.abs((total?.p95_ms ?? 0) - expected.p95Ms)).toBeLessThanOrEqual(0.002 * expected.p95Ms)
}

test('a run that asks for none has the logs of its agents, and no rows', async () => {
  const id = await run({})
  const files = await readyFiles(id)
  expect(files.map(({ name }) => name)).toEqual(['agent-0.log', 'agent-1.log', 'failed-exchanges.har'])
  await expectPageOf(id)
})

/** The page of a run, as a person uses it. */
async function expectPageOf(id: string): Promise<void> {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    const path = `/projects/${projectId}/bench-results/${id}`
    await page.goto(`${platform().url}/log-in`)
    await fillLogIn(page, owner.email, owner.password)
    await page.waitForURL((url) => url.pathname !== '/log-in')
    await page.goto(`${platform().url}${path}`)
    const files = page.getByRole('table', { name: 'Files' })
    await files.getByText('failed-exchanges.har').waitFor()
    const downloaded = page.waitForEvent('download')
    await files.getByRole('button', { name: 'Download failed-exchanges.har' }).click()
    expect((await downloaded).suggestedFilename()).toBe('failed-exchanges.har')
    await page.getByText('Logs of the agents').click()
    await page.getByLabel('Log of slot 1').getByText('its users have ended').waitFor()
    await keepScreenshot(page, 'result-files')
    expect((await axeOn(page).analyze()).violations.map(({ id: rule }) => rule)).toEqual([])
  } finally {
    await browser.close()
  }
}
