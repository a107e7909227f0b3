import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser, settle } from './browser.ts'
import { type Person, platform, signUp } from './person.ts'
import { programEnv } from './program-env.ts'

/** Reports of load tests as a person reads and changes them, in a real browser, of real runs. */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')

let browser: Browser
let person: Person
let page: Page
let target: Server
let agent: ChildProcess | undefined
let projectId: string
let scenarioId: string
/** How long the server takes for /slow. */
let slowMs = 20
let asked = 0

beforeAll(async () => {
  target = createServer((request, response) => {
    asked++
    const isSlow = request.url === '/slow'
    const isFailing = !isSlow && asked % 12 === 0
    setTimeout(
      () => {
        response.writeHead(isFailing ? 500 : 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(isFailing ? { error: 'out of stock' } : { id: asked }))
      },
      isSlow ? slowMs : 4,
    )
  })
  target.listen(0, '127.0.0.1')
  await once(target, 'listening')
  browser = await launchBrowser()
  person = await signUp('Reader')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Shop',
  })
  projectId = project.id
  scenarioId = await makeScenario()
  await startAgent()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
})
afterAll(async () => {
  if (agent !== undefined && agent.exitCode === null && agent.signalCode === null) {
    const ended = once(agent, 'exit')
    agent.kill('SIGKILL')
    await ended
  }
  target?.close()
  await browser?.close()
})

async function makeScenario(): Promise<string> {
  const address = target.address()
  if (address === null || typeof address === 'string') throw new Error('It does not listen')
  const { http_server: server } = await person.client.call(operations.createHttpServer, {
    project_id: projectId,
    name: 'shop',
    base_url: `http://127.0.0.1:${address.port}`,
  })
  const request = (id: string, method: string, path: string) => ({
    type: 'http_request',
    id,
    name: `${method} ${path}`,
    method,
    server_id: server.id,
    path,
  })
  const { virtual_user: user } = await person.client.call(operations.createVirtualUser, {
    project_id: projectId,
    name: 'Buyer',
    document: {
      actions: [
        {
          type: 'container',
          id: 'act_checkout',
          name: 'checkout',
          actions: [
            request('act_slow', 'GET', '/slow'),
            { ...request('act_orders', 'POST', '/orders'), body: { type: 'json', text: '{"item":7}' } },
          ],
        },
        { type: 'delay', id: 'act_think', duration: { distribution: 'constant', ms: 50 } },
      ],
    },
  })
  const { scenario } = await person.client.call(operations.createScenario, {
    project_id: projectId,
    name: 'Sale',
    document: {
      profiles: [
        {
          id: 'p1',
          name: 'buyers',
          virtual_user_id: user.id,
          load: { type: 'ramp_up', users: 6, ramp_up_ms: 1000, plateau_ms: 6000 },
          agent_group: 'default',
        },
      ],
      thresholds: ['p95 duration < 5 s', 'error share of action "act_orders" < 1 %'],
    },
  })
  return scenario.id
}

async function startAgent(): Promise<void> {
  const { command } = await person.client.call(operations.getAgentInstallCommand, {
    workspace_id: person.workspaceId,
    agent_group: 'default',
  })
  const [, url, token, rest = ''] =
    /FLAMEGATE_URL=(\S+) FLAMEGATE_TOKEN=(\S+) flamegate (.+)$/m.exec(command) ?? []
  agent = spawn(process.execPath, [cli, ...rest.split(' '), '--name', 'eu-1'], {
    env: { ...programEnv, FLAMEGATE_URL: url, FLAMEGATE_TOKEN: token },
    stdio: 'ignore',
  })
  const isOnline = async () => {
    const { load_generators: known } = await person.client.call(operations.listLoadGenerators, {
      workspace_id: person.workspaceId,
    })
    return known.some(({ is_online }) => is_online)
  }
  await vi.waitUntil(isOnline, { timeout: 240_000, interval: 200 })
}

/** Starts a run. */
async function run(name: string): Promise<{ id: string; reportId: string }> {
  const { bench_result: made } = await person.client.call(operations.runScenario, {
    scenario_id: scenarioId,
    name,
    wait_seconds: 600,
  })
  const { bench_result: result } = await person.client.call(operations.getBenchResult, {
    bench_result_id: made.id,
  })
  return { id: result.id, reportId: String(result.bench_report_id) }
}

async function whenEnded(id: string): Promise<void> {
  await expect
    .poll(
      async () =>
        (await person.client.call(operations.getBenchResult, { bench_result_id: id })).bench_result.state,
      { timeout: 120_000, interval: 500 },
    )
    .toBe('FINISHED')
}

const open = (path: string) => page.goto(new URL(path, platform().url).href)
const violationsOf = async () => (await axeOn(page).analyze()).violations.map(({ id }) => id)
const item = (title: string) => page.getByRole('article', { name: title, exact: true })
const valuesOf = async (reportId: string, itemId: string) =>
  (await person.client.call(operations.getReportItemValues, { bench_report_id: reportId, item_id: itemId }))
    .values
/** Goes down a page, so that all of it is asked for. */
async function seeAll(): Promise<void> {
  await page.locator('article[id^=item-]').first().waitFor()
  for (const section of await page.locator('article[id^=item-]').all()) await section.scrollIntoViewIfNeeded()
  await page.evaluate('scrollTo(0, 0)')
}

let first: { id: string; reportId: string }
let second: { id: string; reportId: string }

test('a run leads to its report, which is live while it runs', async () => {
  first = await run('First sale')
  await open(`/projects/${projectId}/bench-results/${first.id}`)
  await page.getByRole('link', { name: 'Report', exact: true }).click()
  await page.getByRole('heading', { name: 'First sale', level: 1 }).waitFor()
  const count = item('Summary').locator('dd').first()
  const counted = async () => Number((await count.innerText()).replaceAll(',', ''))
  await expect.poll(counted).toBeGreaterThan(0)
  const before = await counted()
  await expect.poll(counted).toBeGreaterThan(before)
  await keepScreenshot(page, 'bench-report-live')
  await page.getByText('finished', { exact: true }).waitFor()
  await expect.poll(counted).toBe(asked)
})

test('every item shows the numbers that get_report_item_values has', async () => {
  await open(`/reports/${first.reportId}`)
  await seeAll()
  const summary = await valuesOf(first.reportId, 'summary')
  if (summary.type !== 'summary') throw new Error('It is no summary')
  const count = summary.numbers.find(({ metric }) => metric === 'count')?.value
  await expect.poll(() => item('Summary').locator('dd').first().innerText()).toBe(count?.toLocaleString('en'))
  const table = await valuesOf(first.reportId, 'table')
  if (table.type !== 'table') throw new Error('It is no table')
  const results = page.getByRole('table', { name: 'Results' })
  const slow = table.rows.find(({ name }) => name === 'GET /slow')
  const cells = await results
    .getByRole('row')
    .filter({ hasText: 'GET /slow' })
    .getByRole('cell')
    .allInnerTexts()
  expect(cells[1]).toBe(slow?.count.toLocaleString('en'))
  // The mean, whose unit may be another one: its digits are the same.
  expect(Number.parseFloat(String(cells[3]))).toBeCloseTo(slow?.mean_ms ?? -1, 1)
  const slider = page.getByRole('slider', { name: 'Time of Response times' })
  await slider.focus()
  await page.keyboard.press('Home')
  await expect
    .poll(() => slider.getAttribute('aria-valuetext'))
    .toMatch(/^0 s: p50 [\d.]+ ms, p95 [\d.]+ ms, p99 [\d.]+ ms$/)
  await page.getByRole('figure', { name: 'Percentiles of response times' }).waitFor()
  await page
    .getByRole('heading', { name: 'The load generators kept up.' })
    .or(page.getByText('At its limit'))
    .first()
    .waitFor()
  await keepScreenshot(page, 'bench-report')
  expect(await violationsOf()).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  await keepScreenshot(page, 'bench-report-dark')
  expect(await violationsOf()).toEqual([])
  await page.setViewportSize({ width: 400, height: 800 })
  // Charts find out about their new width after the page has.
  await settle(page)
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
  ).toBeLessThanOrEqual(0)
  await keepScreenshot(page, 'bench-report-narrow')
  expect(await violationsOf()).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
})

test('the evidence of an insight leads to the item that shows it, and an error to a request', async () => {
  const insights = page.locator('#item-insights')
  const link = insights.getByRole('link').first()
  const anchor = String(await link.getAttribute('href'))
  expect(anchor).toMatch(/^#item-/)
  await link.click()
  await expect.poll(() => new URL(page.url()).hash).toBe(anchor)
  expect(await page.locator(anchor).evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(
    900,
  )
  await page.getByRole('button', { name: /^\w+ samples? of .*POST \/orders: Status 5xx$/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Status 5xx/ })
  await expect
    .poll(() => dialog.getByRole('textbox', { name: 'Body of the request' }).inputValue())
    .toBe('{"item":7}')
  await expect
    .poll(() => dialog.getByRole('textbox', { name: 'Body of the answer' }).inputValue())
    .toContain('out of stock')
  expect(await violationsOf()).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
})

test('items are added, moved, renamed and removed, saved as one version, and brought back', async () => {
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('listitem', { name: 'Thresholds' }).waitFor()
  await page.getByRole('button', { name: 'Remove Thresholds' }).click()
  await page.getByRole('button', { name: 'Move Insights up' }).click()
  await page.getByRole('button', { name: 'Options of Users and requests' }).click()
  await page
    .getByRole('listitem', { name: 'Users and requests' })
    .getByRole('textbox', { name: 'Title' })
    .fill('Load')
  const add = async (label: RegExp) => {
    await page.getByRole('button', { name: /^Add an item/ }).click()
    await page.getByRole('option', { name: label }).click()
  }
  await add(/^Text/)
  const words = page.getByRole('listitem', { name: 'Text', exact: true })
  await words.getByRole('button', { name: 'Options of Text' }).click()
  await words.getByRole('textbox', { name: 'Text, as Markdown' }).fill('All was **well**.')
  await words.getByText('well', { exact: true }).waitFor()
  await add(/^Chart/)
  const chart = page.getByRole('listitem', { name: 'Chart', exact: true })
  await chart.getByRole('button', { name: 'Options of Chart' }).click()
  await chart.getByRole('button', { name: /Form/ }).click()
  await page.getByRole('option', { name: 'scatter' }).click()
  await page.getByRole('link', { name: 'Load tests', exact: true }).first().click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  // The form of the chart wants two lines: the server says so, at its item.
  await page.getByRole('alert').getByText('A scatter chart has two lines').first().waitFor()
  expect(await violationsOf()).toEqual([])
  await chart.getByRole('button', { name: 'Add a line' }).click()
  await chart
    .getByRole('button', { name: /Metric/ })
    .first()
    .click()
  await page.getByRole('option', { name: 'Requests per second' }).click()
  await keepScreenshot(page, 'bench-report-editor')
  expect(await violationsOf()).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Version 2 is saved.').waitFor()
  await page.getByRole('link', { name: 'Report', exact: true }).click()
  await page.getByRole('heading', { name: 'Load', level: 2, exact: true }).waitFor()
  const titles = await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()
  expect(titles.slice(0, 3)).toEqual(['Insights', 'Summary', 'Load'])
  expect(titles).not.toContain('Thresholds')
  await seeAll()
  await page.locator('#item-text').getByText('All was well.').waitFor()
  const scatter = page.getByRole('slider', { name: 'Time of Chart' })
  await scatter.focus()
  await page.keyboard.press('Home')
  await expect.poll(() => scatter.getAttribute('aria-valuetext')).toMatch(/^0 s: .*\/s, .* ms$/)
  await page.getByRole('link', { name: 'Versions', exact: true }).click()
  await page
    .getByRole('button', { name: /Restore.*1|Go back.*1/ })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
  await page.getByText('Version 3 is as version 1 was.').waitFor()
  await open(`/reports/${first.reportId}`)
  await page.getByRole('heading', { name: 'Users and requests', level: 2 }).waitFor()
})

test('two runs are chosen from the list and compared, with words for each difference', async () => {
  slowMs = 60
  second = await run('Second sale')
  await whenEnded(second.id)
  await open(`/projects/${projectId}/bench-results`)
  await page.getByRole('checkbox', { name: 'Choose First sale' }).press(' ')
  await page.getByRole('region', { name: 'Chosen load tests' }).getByText('Choose another one').waitFor()
  await page.getByRole('checkbox', { name: 'Choose Second sale' }).press(' ')
  await keepScreenshot(page, 'bench-results-chosen')
  expect(await violationsOf()).toEqual([])
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByRole('heading', { name: 'Comparison of First sale and Second sale', level: 1 }).waitFor()
  await page.getByText('what the others are compared with').waitFor()
  const rows = page.getByRole('table', { name: 'Comparison' }).getByRole('row')
  const p95 = rows.filter({ hasText: 'All requests p95' })
  const reportId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const compared = await valuesOf(reportId, 'comparison')
  if (compared.type !== 'comparison') throw new Error('It is no comparison')
  const change = compared.rows[0]?.metrics.find(({ metric }) => metric === 'p95')?.changes[1]
  const words = { better: 'better', worse: 'worse', same: 'same', unknown: 'cannot be told' }
  await expect
    .poll(() => p95.getByRole('cell').last().innerText())
    .toContain(words[change?.verdict ?? 'same'])
  await seeAll()
  const overlay = page.getByRole('figure', { name: 'Distribution of response times' })
  await expect
    .poll(() => overlay.getByRole('listitem').allInnerTexts())
    .toEqual(['First sale', 'Second sale'])
  await keepScreenshot(page, 'bench-report-comparison')
  expect(await violationsOf()).toEqual([])
})

test('a trend over runs of a name is read by keys, and leads to its runs', async () => {
  await open(`/projects/${projectId}/reports`)
  await page.getByRole('button', { name: 'New report' }).click()
  const dialog = page.getByRole('dialog', { name: 'New report' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Every sale')
  await dialog.getByRole('button', { name: /^Load tests, compared/ }).click()
  await page.getByRole('option', { name: 'A trend over load tests' }).click()
  await dialog.getByRole('textbox', { name: 'Text' }).fill('sale')
  expect(await violationsOf()).toEqual([])
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Every sale', level: 1 }).waitFor()
  const figure = page.getByRole('figure', { name: 'p95 by run' })
  const slider = figure.getByRole('slider')
  await slider.focus()
  await page.keyboard.press('Home')
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^First sale, .*: [\d.]+ ms$/)
  await keepScreenshot(page, 'bench-report-trend')
  expect(await violationsOf()).toEqual([])
  await figure.getByRole('link', { name: 'First sale' }).click()
  await page.getByRole('heading', { name: 'First sale', level: 1 }).waitFor()
})

test('a run is tagged and made the baseline, and a report is kept as a template and deleted', async () => {
  await page.getByRole('button', { name: 'More actions: First sale' }).click()
  await page.getByRole('menuitem', { name: 'Make it the baseline' }).click()
  await page.getByText('baseline', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'More actions: First sale' }).click()
  await page.getByRole('menuitem', { name: 'Rename or tag' }).click()
  await page.getByRole('textbox', { name: 'Tags' }).fill('release 7, nightly')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('release 7', { exact: true }).waitFor()
  const { bench_result: result } = await person.client.call(operations.getBenchResult, {
    bench_result_id: first.id,
  })
  expect(result).toMatchObject({ tags: ['release 7', 'nightly'], is_baseline: true })
  await open(`/reports/${second.reportId}`)
  await page.getByRole('button', { name: 'More actions: Second sale' }).click()
  await page.getByRole('menuitem', { name: 'Save as a template' }).click()
  await page.getByRole('textbox', { name: 'Name of the template' }).fill('For the meeting')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The template “For the meeting” is there.').waitFor()
  await page.getByRole('button', { name: 'More actions: Second sale' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
  await page.getByRole('table', { name: 'Templates' }).getByText('For the meeting').waitFor()
  await page.getByRole('link', { name: 'Every sale' }).waitFor()
  expect(await page.getByRole('link', { name: 'Second sale', exact: true }).count()).toBe(0)
  await keepScreenshot(page, 'bench-reports')
  expect(await violationsOf()).toEqual([])
})

test('on paper all of it is drawn at once, light, within the width of A4, and without buttons', async () => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 688, height: 1000 })
  await open(`/reports/${first.reportId}?print=1`)
  await page.locator('html[data-ready=true]').waitFor({ state: 'attached' })
  const { document } = await person.client.call(operations.getBenchReport, {
    bench_report_id: first.reportId,
  })
  const items = await page.locator('article[id^=item-]').count()
  expect(items).toBe(Array.isArray(document['items']) ? document['items'].length : 0)
  expect(await page.locator('[aria-busy=true]').count()).toBe(0)
  await expect.poll(() => page.locator('canvas').count()).toBe(3)
  expect(await page.evaluate('getComputedStyle(document.body).color')).toBe('rgb(29, 27, 24)')
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(688)
  await page.emulateMedia({ media: 'print' })
  const buttons = page.getByRole('button').filter({ visible: true })
  // Names of lines are buttons on the screen; here they only name.
  expect(await buttons.and(page.locator(':not(:disabled)')).count()).toBe(0)
  for (const table of await page.getByRole('table').all()) {
    const widthPx = await table.evaluate((element) => element.getBoundingClientRect().right)
    expect(widthPx).toBeLessThanOrEqual(689)
  }
  await keepScreenshot(page, 'bench-report-printed')
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
})

/** Shows a shared report as it was while its run went on, with one request, until the page asks a second time. */
async function showAsRunning(shared: Page): Promise<void> {
  let looks = 0
  await shared.route(/\/v1\/shared\/reports\/[^/]+$/, async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    await route.fulfill({ response, body: ++looks === 1 ? text.replaceAll('"FINISHED"', '"RUNNING"') : text })
  })
  await shared.route(/\/items\/summary\/values$/, async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    await route.fulfill({
      response,
      body: looks === 1 ? text.replaceAll(/"value":[\d.]+/g, '"value":1') : text,
    })
  })
}

test('a public link shows a report to whoever has it, until it is taken back', async () => {
  await open(`/reports/${first.reportId}`)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: /^Members of the workspace/ }).click()
  await page.getByRole('option', { name: /^Whoever has the link/ }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByRole('textbox', { name: 'Link', exact: true }).inputValue()
  const stranger = await (await browser.newContext()).newPage()
  await showAsRunning(stranger)
  await stranger.goto(link)
  await stranger.getByRole('heading', { name: 'First sale', level: 1 }).waitFor()
  const count = stranger.getByRole('article', { name: 'Summary', exact: true }).locator('dd').first()
  const summary = await valuesOf(first.reportId, 'summary')
  if (summary.type !== 'summary') throw new Error('It is no summary')
  // Not the numbers of when it was last seen running.
  await expect.poll(() => count.innerText()).toBe(summary.numbers[0]?.value?.toLocaleString('en'))
  const insight = stranger.locator('#item-insights').getByRole('link').first()
  await insight.click()
  expect(stranger.url()).toBe(link)
  for (const section of await stranger.locator('article[id^=item-]').all())
    await section.scrollIntoViewIfNeeded()
  await stranger.getByRole('table', { name: 'Errors' }).getByText('Status 5xx').waitFor()
  expect(await stranger.getByRole('columnheader', { name: 'Samples' }).count()).toBe(0)
  expect(await stranger.getByRole('link', { name: 'First sale' }).count()).toBe(0)
  await keepScreenshot(stranger, 'bench-report-shared')
  expect((await axeOn(stranger).analyze()).violations.map(({ id }) => id)).toEqual([])
  await page.route('**/v1/share-links/*', (route) =>
    route.fulfill({
      status: 500,
      json: { code: 'unknown', title: 'Out of order', detail: 'Come back later.' },
    }),
  )
  await page.getByRole('button', { name: /^Take back/ }).click()
  await page.getByText('Come back later.').waitFor()
  await page.unroute('**/v1/share-links/*')
  await page.getByRole('button', { name: /^Take back/ }).click()
  await expect.poll(() => page.getByRole('button', { name: /^Take back/ }).count()).toBe(0)
  await stranger.reload()
  await stranger.getByText('This link leads nowhere').waitFor()
  await stranger.context().close()
})
