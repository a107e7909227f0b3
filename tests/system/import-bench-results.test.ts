import { gzipSync } from 'node:zlib'
import { operations, type Operation, type OutputOf } from '@flamegate/contract'
import { beforeAll, expect, test } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { callAndConfirm } from './calls.ts'
import { apiToken, platform, signUp, type Person } from './person.ts'

/** Results that other tools measured, brought in by an agent, and read as those of our own runs are. */

let ada: Person
let token: string
let projectId: string

beforeAll(async () => {
  ada = await signUp('Importer')
  token = await apiToken(ada, ['read', 'write'])
  const created = await tool(operations.createProject, { workspace_id: ada.workspaceId, name: 'Elsewhere' })
  projectId = created.project.id
})

/** As an agent does. */
async function tool<O extends Operation>(operation: O, input: Record<string, unknown>): Promise<OutputOf<O>> {
  const outcome = await callAndConfirm(operation, input, { token })
  if (outcome.answer === undefined || outcome.code !== undefined)
    throw new Error(`${operation.id}: ${outcome.code} ${outcome.text}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tools answer what the contract says
  return outcome.answer as OutputOf<O>
}

/** As an agent waits: with one call, which answers when the work has ended. */
async function untilDone(taskId: string) {
  const { task, next_poll_seconds } = await tool(operations.getTaskResult, {
    task_id: taskId,
    wait_seconds: 45,
  })
  expect(next_poll_seconds).toBeNull()
  return task
}

async function importResults(fileName: string, bytes: Uint8Array, options: Record<string, unknown> = {}) {
  const { upload, task_id } = await tool(operations.importJtlReport, {
    project_id: projectId,
    file_name: fileName,
    size_bytes: bytes.length,
    ...options,
  })
  if (upload === null) throw new Error('An upload was wanted')
  const sent = await fetch(upload.url, {
    method: upload.method,
    headers: { ...upload.headers },
    body: new Uint8Array(bytes),
  })
  expect(sent.status).toBeLessThan(300)
  return untilDone(task_id)
}

/** Which must have been done. */
function idsOf({ problem, result }: Awaited<ReturnType<typeof untilDone>>): {
  bench_result_id: string
  bench_report_id: string
} {
  expect(problem).toBeNull()
  return {
    bench_result_id: String(result?.['bench_result_id']),
    bench_report_id: String(result?.['bench_report_id']),
  }
}

const began = Date.UTC(2026, 10, 20, 10)
const heading =
  'timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect'

/** Two minutes of ten requests a second: their times are known one by one. */
function madeRows(): { label: string; elapsedMs: number; hasFailed: boolean; line: string }[] {
  return Array.from({ length: 1200 }, (_, index) => {
    const label = index % 3 === 0 ? 'pay' : 'home'
    const elapsedMs = 20 + ((index * 37) % 400)
    const hasFailed = index % 100 === 99
    const outcome = hasFailed ? '503,Service Unavailable' : '200,OK'
    const line = `${began + index * 100},${elapsedMs},${label},${outcome},Users 1-1,${!hasFailed},,1000,100,${1 + (index % 7)},${1 + Math.floor(index / 120)},https://shop.example.com/${label}?token=s3cret,${elapsedMs - 5},0,${index % 10 === 0 ? 4 : 0}`
    return { label, elapsedMs, hasFailed, line }
  })
}

/** By nearest rank, of the times themselves. */
function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.max(1, Math.ceil((percent / 100) * sorted.length)) - 1] ?? NaN
}

const near = (wanted: number) =>
  expect.toSatisfy((got: number) => Math.abs(got - wanted) <= wanted / 1000 + 0.001)

test('a JTL becomes a finished run, with the counts and percentiles of its rows, and a report', async () => {
  const rows = madeRows()
  const jtl = `${[heading, ...rows.map(({ line }) => line)].join('\n')}\n`
  const task = await importResults('checkout.jtl.gz', gzipSync(jtl), { tags: ['jmeter'] })
  const { bench_result_id, bench_report_id } = idsOf(task)
  expect(task.result).toMatchObject({ format: 'jtl', notes: [] })

  const { bench_result, numbers, shards } = await tool(operations.getBenchResult, { bench_result_id })
  const times = rows.map(({ elapsedMs }) => elapsedMs)
  expect(bench_result).toMatchObject({
    name: 'checkout',
    state: 'FINISHED',
    message: 'Imported from checkout.jtl.gz (JMeter).',
    scenario_id: null,
    imported_from: 'jtl',
    tags: ['jmeter'],
    bench_report_id,
    started_at: '2026-11-20T10:00:00.000Z',
    duration_ms: 121_000,
    progress: 1,
  })
  expect(numbers).toMatchObject({
    count: 1200,
    failed: 12,
    users: 10,
    p50_ms: near(percentile(times, 50)),
    p95_ms: near(percentile(times, 95)),
    p99_ms: near(percentile(times, 99)),
    max_ms: near(Math.max(...times)),
    mean_ms: near(times.reduce((sum, each) => sum + each, 0) / times.length),
    received_bytes: 1_200_000,
    sent_bytes: 120_000,
  })
  expect(shards).toMatchObject([{ agent_group: 'JMeter', state: 'DONE' }])

  const table = await ada.client.call(operations.getBenchTable, { bench_result_id })
  const ofPay = rows.filter(({ label }) => label === 'pay')
  expect(table.rows.find(({ name }) => name === 'pay')).toMatchObject({
    count: ofPay.length,
    failed: ofPay.filter(({ hasFailed }) => hasFailed).length,
    p95_ms: near(
      percentile(
        ofPay.map(({ elapsedMs }) => elapsedMs),
        95,
      ),
    ),
  })
  expect(table.total?.phases_ms?.download).toBe(5)
  expect(table.errors.map(({ error_class }) => error_class)).toEqual(['status_5xx', 'status_5xx'])
  // Four of pay, and five of the eight of home.
  expect(table.samples).toHaveLength(9)
  expect(JSON.stringify(table.samples)).not.toContain('s3cret')

  const series = await ada.client.call(operations.getBenchSeries, {
    bench_result_id,
    metrics: ['rate', 'users'],
  })
  const [rate, users] = series.lines
  expect(users?.values.at(-1)).toBe(10)
  const counted = (rate?.values ?? []).reduce<number>(
    (sum, each) => sum + (each ?? 0) * series.bucket_seconds,
    0,
  )
  expect(Math.round(counted)).toBe(1200)

  // Nothing is known of what made the load, and nothing is invented.
  const ofGenerator = await ada.client.call(operations.getBenchSeries, {
    bench_result_id,
    metrics: ['cpu_share', 'send_lag_max'],
  })
  expect(ofGenerator.lines).toEqual([])

  const report = await tool(operations.getBenchReport, { bench_report_id })
  expect(report.bench_report).toMatchObject({ name: 'checkout', bench_result_ids: [bench_result_id] })
  const shown = await ada.client.call(operations.getReportItemValues, { bench_report_id, item_id: 'table' })
  expect(shown.values).toMatchObject({ type: 'table', total: { count: 1200 } })

  const generators = await ada.client.call(operations.getReportItemValues, {
    bench_report_id,
    item_id: 'generators',
  })
  expect(generators.values).toMatchObject({
    type: 'generators',
    generators: [{ agent_group: 'JMeter', users_max: 10, cpu_share_max: null, limited_seconds: 0 }],
  })

  const { bench_results } = await ada.client.call(operations.listBenchResults, { project_id: projectId })
  expect(bench_results.map(({ id }) => id)).toContain(bench_result_id)
})

test('results of other tools are told by their content', async () => {
  const k6 = [
    '{"type":"Metric","data":{"name":"http_req_duration"},"metric":"http_req_duration"}',
    ...Array.from({ length: 50 }, (_, index) =>
      JSON.stringify({
        type: 'Point',
        metric: 'http_req_duration',
        data: {
          time: new Date(began + index * 100).toISOString(),
          value: 10 + index,
          tags: { method: 'GET', name: 'home', status: '200', expected_response: 'true', group: '::shop' },
        },
      }),
    ),
    `{"type":"Point","metric":"vus","data":{"time":"${new Date(began + 1000).toISOString()}","value":4,"tags":{}}}`,
  ].join('\n')
  const gatling = [
    `RUN\tshop.Simulation\tshop\t${began}\t \t3.9.5`,
    `USER\tBuyers\tSTART\t${began}`,
    `REQUEST\tcheckout\thome\t${began}\t${began + 250}\tKO\tj.n.ConnectException: refused`,
    `GROUP\tcheckout\t${began}\t${began + 260}\t250\tKO`,
    '',
  ].join('\n')
  const har = JSON.stringify({
    log: {
      version: '1.2',
      entries: [
        {
          startedDateTime: new Date(began).toISOString(),
          time: 40,
          request: { method: 'GET', url: 'https://shop.example.com/' },
          response: { status: 200 },
          timings: { wait: 30, receive: 10 },
        },
      ],
    },
  })
  const counts: unknown[] = []
  for (const [name, text] of [
    ['points', k6],
    ['simulation.log', gatling],
    ['page.har', har],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { bench_result_id } = idsOf(await importResults(name, Buffer.from(text)))
    // oxlint-disable-next-line no-await-in-loop -- see above
    const { bench_result, numbers } = await tool(operations.getBenchResult, { bench_result_id })
    counts.push([bench_result.imported_from, numbers?.count, numbers?.failed, numbers?.users])
  }
  expect(counts).toEqual([
    ['k6', 50, 0, 4],
    ['gatling', 1, 1, 1],
    ['har', 1, 0, 1],
  ])
})

test('what is not known is told beside the numbers', async () => {
  const jtl = `timeStamp,elapsed,label\n${began},5,home\n`
  const { task_id } = await tool(operations.importJtlReport, {
    project_id: projectId,
    file_name: 'small.csv',
    content: jtl,
    name: 'Small',
  })
  const task = await untilDone(task_id)
  const { bench_result_id } = idsOf(task)
  expect(task.result).toMatchObject({ notes: ['How many users there were is not told.'] })
  const { bench_result, events } = await tool(operations.getBenchResult, { bench_result_id })
  expect(bench_result.name).toBe('Small')
  expect(events).toMatchObject([
    { kind: 'state' },
    { kind: 'warning', words: 'How many users there were is not told.' },
  ])
})

test('a week in which next to nothing happened is stored without its empty seconds', async () => {
  const rows = [0, 7 * 86_400_000 - 5000].map((ms) => `${began + ms},5,home,3`)
  const task = await importResults(
    'week.jtl',
    Buffer.from(`timeStamp,elapsed,label,allThreads\n${rows.join('\n')}\n`),
  )
  const { bench_result_id } = idsOf(task)
  expect(task.result?.['notes']).toEqual([expect.stringContaining('167 hours in all: users are not known')])
  const { bench_result, numbers } = await tool(operations.getBenchResult, { bench_result_id })
  expect(bench_result.duration_ms).toBe(7 * 86_400_000 - 4000)
  expect(numbers).toMatchObject({ count: 2, users: 3 })
})

const listed = async () => {
  const results = await ada.client.call(operations.listBenchResults, { project_id: projectId })
  const reports = await tool(operations.listBenchReports, { project_id: projectId })
  return [results.bench_results.length, reports.bench_reports.length]
}

test.each([
  ['what is no result', 'hello', 'These are no results that can be imported'],
  ['a time of 1970 among others', `timeStamp,elapsed,label\n${began},5,home\n1000,5,home\n`, '1970'],
])('%s is refused in words, and leaves nothing behind', async (_what, text, words) => {
  const before = await listed()
  const task = await importResults('bad.jtl', Buffer.from(text))
  expect(task.problem).toMatchObject({ code: 'unreadable_source', detail: expect.stringContaining(words) })
  expect(await listed()).toEqual(before)
})

test('the file itself is not kept', async () => {
  // It goes moments after its task has ended.
  await expect.poll(async () => (await tool(operations.listFiles, { owner: projectId })).files).toEqual([])
})

test('a person imports a file, and lands on the report; a wrong one is told of in the dialog', async () => {
  const browser = await launchBrowser()
  try {
    const browserPage = await browser.newPage()
    await browserPage.goto(new URL('/log-in', platform().url).href)
    await fillLogIn(browserPage, ada.email, ada.password)
    await browserPage.waitForURL((url) => url.pathname !== '/log-in')
    await browserPage.goto(new URL(`/projects/${projectId}/bench-results`, platform().url).href)
    await browserPage.getByRole('button', { name: 'Import results…' }).click()
    const dialog = browserPage.getByRole('dialog', { name: 'Import results' })
    const choose = (name: string, text: string) =>
      dialog
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await choose('notes.txt', 'hello')
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByText('These are no results that can be imported').waitFor()
    const violations = (await axeOn(browserPage).analyze()).violations.map(({ id }) => id)
    expect(violations).toEqual([])
    const rows = madeRows().map(({ line }) => line)
    await choose('night.jtl', `${[heading, ...rows].join('\n')}\n`)
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Nightly')
    await keepScreenshot(browserPage, 'import-results')
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await browserPage.getByRole('heading', { name: 'Nightly', level: 1 }).waitFor()
    expect(new URL(browserPage.url()).pathname).toMatch(/^\/reports\/rep_/)
    await browserPage.getByText('1,200').first().waitFor()
    await keepScreenshot(browserPage, 'imported-report')
    const { bench_results } = await ada.client.call(operations.listBenchResults, { project_id: projectId })
    const { id } = bench_results.find(({ name }) => name === 'Nightly') ?? { id: '' }
    await browserPage.goto(new URL(`/projects/${projectId}/bench-results/${id}`, platform().url).href)
    await browserPage.getByText('Imported from night.jtl (JMeter).').first().waitFor()
    await keepScreenshot(browserPage, 'imported-result')
  } finally {
    await browser.close()
  }
})

test('of another workspace nobody imports anything', async () => {
  const eve = await signUp('Eve')
  const token2 = await apiToken(eve, ['read', 'write'])
  const input = { project_id: projectId, file_name: 'a.jtl', content: 'x' }
  expect(await callAndConfirm(operations.importJtlReport, input, { token: token2 })).toMatchObject({
    code: 'project_not_found',
  })
})
