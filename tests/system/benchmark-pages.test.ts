import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { platform, signUp, type Person } from './person.ts'
import { recordWatchedProject, type WatchedProject } from './watched-project.ts'

/** What a person does with benchmarks on the pages, in a real browser. */

let browser: Browser
let page: Page
let person: Person
let watched: WatchedProject

beforeAll(async () => {
  browser = await launchBrowser()
  person = await signUp('Watching')
  watched = await recordWatchedProject(person)
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
})
afterAll(() => browser?.close())

const open = (path: string) => page.goto(platform().url + path)
const inAddress = (name: string) => new URL(page.url()).searchParams.get(name)

test('two runs of a history are chosen and compared, by keyboard alone', async () => {
  await open(`/benchmarks/${watched.slowedBenchmarkId}?branch=main&run=${watched.baseRunId}`)
  await page.getByRole('button', { name: 'Compare this run with another' }).press('Enter')
  await page.getByText('Now choose another run').waitFor()
  await page.getByRole('table', { name: 'Values by run' }).getByRole('link').first().press('Enter')
  await page.getByRole('link', { name: 'Compare', exact: true }).last().press('Enter')
  await page.waitForURL((url) => url.pathname === '/compare')
  expect(inAddress('base')).toBe(watched.baseRunId)
  expect(inAddress('head')).toBe(watched.headRunId)
})

test('dragging over the chart zooms in, and a button shows all again', async () => {
  await open(`/benchmarks/${watched.slowedBenchmarkId}?branch=main`)
  const chart = page.locator('.u-over')
  await chart.waitFor()
  const box = await chart.boundingBox()
  if (box === null) throw new Error('The chart is not there.')
  await page.mouse.move(box.x + box.width * 0.2, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 5 })
  await page.mouse.up()
  await page.getByRole('button', { name: 'Show all' }).waitFor()
  // A drag chooses nothing.
  expect(inAddress('run')).toBeNull()
  await keepScreenshot(page, 'benchmark-zoomed')
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('button', { name: 'Show all' }).waitFor({ state: 'detached' })
})

test('filters and sorting of a comparison stay in the address', async () => {
  await open(`/compare?base=${watched.baseRunId}&head=${watched.headRunId}`)
  await page.getByRole('searchbox', { name: 'Find a benchmark' }).fill('hyperfine::p')
  await expect.poll(() => inAddress('search')).toBe('hyperfine::p')
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await expect.poll(() => inAddress('sort')).toBe('-change')
  await page.getByRole('button', { name: /regressed/ }).click()
  await expect.poll(() => inAddress('verdict')).toBe('regressed')
  await page.reload()
  const table = page.getByRole('table', { name: 'Compared benchmarks' })
  await table.waitFor()
  expect(await table.getByRole('row').count()).toBe(2)
})

test('a threshold is tried on the last runs before it is saved', async () => {
  await open(`/projects/${watched.projectId}/thresholds`)
  await page.getByRole('button', { name: 'Set a threshold' }).click()
  await page.getByRole('textbox', { name: 'Branch' }).fill('main')
  await page.getByRole('button', { name: /What raises an alert/ }).click()
  await page.getByRole('option', { name: /^percentage/ }).click()
  await page.getByRole('textbox', { name: /Upper limit/ }).fill('12')
  await page.getByRole('button', { name: 'Try on the last runs' }).click()
  await page.getByText(/It would have raised/).waitFor()
  await page.getByRole('table', { name: 'What it would have raised' }).waitFor()
  await keepScreenshot(page, 'threshold-tried')
  const before = await person.client.call(operations.listThresholds, { repository: watched.projectId })
  expect(before.thresholds.some((threshold) => threshold.test === 'percentage')).toBe(false)

  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('above 12 % of the mean').waitFor()
  const after = await person.client.call(operations.listThresholds, { repository: watched.projectId })
  expect(after.thresholds).toContainEqual(
    expect.objectContaining({ branch: 'main', test: 'percentage', upper_bound: 0.12 }),
  )
})

test('an alert is acknowledged with a reason, found under its state, and reopened', async () => {
  await open(`/projects/${watched.projectId}/alerts`)
  await page.getByRole('checkbox', { name: 'Select all' }).press('Space')
  await page.getByRole('button', { name: 'Acknowledge…' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('The price of checking twice.')
  await page.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await page.getByText('Nothing is open. All quiet.').waitFor()

  await page.getByRole('button', { name: 'Open State' }).click()
  await page.getByRole('option', { name: 'Acknowledged' }).click()
  await expect.poll(() => inAddress('state')).toBe('acknowledged')
  await page.getByText('The price of checking twice.').waitFor()
  await keepScreenshot(page, 'alerts-acknowledged')

  await page.getByRole('button', { name: 'More actions: parse' }).click()
  await page.getByRole('menuitem', { name: 'Reopen…' }).click()
  await page.getByRole('button', { name: 'Reopen', exact: true }).click()
  await page.getByText('No alerts that fit.').waitFor()
})

test('a benchmark is renamed, but not to the uri of another', async () => {
  await open(`/benchmarks/${watched.slowedBenchmarkId}`)
  await page.getByRole('button', { name: 'More actions: parse' }).first().click()
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  const uri = page.getByRole('textbox', { name: /New uri/ })
  await uri.fill('hyperfine::render')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByText('Taken already.').waitFor()
  await uri.fill('hyperfine::parse all')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByText('hyperfine::parse all').first().waitFor()
})

test('a benchmark is ignored, and then another is merged into it after a confirmation', async () => {
  await open(`/benchmarks/${watched.slowedBenchmarkId}`)
  const more = page.getByRole('button', { name: 'More actions: parse' }).first()
  await more.click()
  await page.getByRole('menuitem', { name: 'Settings…' }).click()
  await page.getByRole('button', { name: 'Active State' }).click()
  await page.getByRole('option', { name: /Ignored/ }).click()
  await page.getByRole('textbox', { name: /Own threshold/ }).fill('7,5')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('threshold 7.5 %').waitFor()
  await page.getByText('ignored', { exact: true }).waitFor()

  await more.click()
  await page.getByRole('menuitem', { name: /Merge/ }).click()
  const merge = page.getByRole('button', { name: 'Merge', exact: true })
  expect(await merge.isDisabled()).toBe(true)
  await page.getByRole('combobox', { name: 'The other benchmark' }).fill('render')
  await page.getByRole('option', { name: /render/ }).click()
  await page.getByRole('checkbox', { name: /is gone afterwards/ }).press('Space')
  await keepScreenshot(page, 'benchmark-merge')
  await merge.click()
  await page.getByText(/results? moved here/).waitFor()
  const { benchmarks } = await person.client.call(operations.listBenchmarks, {
    repository: watched.projectId,
    state: 'all',
  })
  expect(benchmarks.map(({ name }) => name)).not.toContain('render')
})
