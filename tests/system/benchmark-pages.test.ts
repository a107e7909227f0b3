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
  const since = inAddress('since')
  expect(since).toMatch(/^2026-10-/)
  await page.reload()
  await page.getByRole('button', { name: 'Show all' }).waitFor()
  expect(inAddress('since')).toBe(since)
  await keepScreenshot(page, 'benchmark-zoomed')
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByRole('button', { name: 'Show all' }).waitFor({ state: 'detached' })
  await expect.poll(() => inAddress('since')).toBeNull()
})

test('the history is walked, zoomed and chosen from by keyboard alone', async () => {
  await open(`/benchmarks/${watched.slowedBenchmarkId}?branch=main`)
  const runs = page.getByRole('slider', { name: 'Runs' })
  await runs.focus()
  const words = () => runs.getAttribute('aria-valuetext')
  expect(await words()).toContain('Step 29')
  for (let step = 0; step < 7; step++) await page.keyboard.press('ArrowLeft')
  // The first run of the new level: what was found there is said, too.
  expect(await words()).toMatch(/main, Check every token twice, .*level changed by \+.*alert, open/)
  await keepScreenshot(page, 'benchmark-by-keyboard')
  await page.keyboard.press('+')
  await expect.poll(() => inAddress('since')).not.toBeNull()
  await page.keyboard.press('Home')
  expect(await words()).toContain('Step 0')
  await page.keyboard.press('Enter')
  await expect.poll(() => inAddress('run')).toMatch(/^run_/)
  await page.getByText('Step 0,').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => inAddress('since')).toBeNull()
})

test('two fingers zoom in, one moves, and a tap chooses a run', async () => {
  const context = await browser.newContext({
    viewport: { width: 400, height: 800 },
    hasTouch: true,
    isMobile: true,
    storageState: await page.context().storageState(),
  })
  const phone = await context.newPage()
  await phone.goto(`${platform().url}/benchmarks/${watched.slowedBenchmarkId}?branch=main`)
  const chart = phone.locator('.u-over')
  await chart.waitFor()
  const box = await chart.boundingBox()
  if (box === null) throw new Error('The chart is not there.')
  const devtools = await context.newCDPSession(phone)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...shares: number[]) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: shares.map((share, id) => ({ x: box.x + box.width * share, y: box.y + 80, id })),
    })
  const address = (name: string) => new URL(phone.url()).searchParams.get(name)

  await touch('touchStart', 0.45, 0.55)
  for (const reach of [0.1, 0.2, 0.3]) await touch('touchMove', 0.5 - reach, 0.5 + reach)
  await touch('touchEnd')
  await expect.poll(() => address('since')).not.toBeNull()
  const [since, until] = [address('since') ?? '', address('until') ?? '']
  await touch('touchStart', 0.3)
  for (const at of [0.4, 0.5, 0.6]) await touch('touchMove', at)
  await touch('touchEnd')
  await expect.poll(() => address('since')).not.toBe(since)
  expect(address('since')?.localeCompare(since)).toBe(-1)
  expect(address('until')?.localeCompare(until)).toBe(-1)
  expect(address('run')).toBeNull()

  await touch('touchStart', 0.5)
  await touch('touchEnd')
  await expect.poll(() => address('run')).toMatch(/^run_/)
  await keepScreenshot(phone, 'benchmark-touched')
  await context.close()
})

test('a branch is hidden by its name in the legend, and the address keeps it', async () => {
  await open(`/benchmarks/${watched.slowedBenchmarkId}`)
  const branch = page.getByRole('button', { name: 'feat/quick', exact: true })
  const table = page.getByRole('table', { name: 'Values by run' })
  await table.getByText('feat/quick').first().waitFor()
  await branch.press('Enter')
  await expect.poll(() => inAddress('hidden')).toBe('feat/quick')
  expect(await table.getByText('feat/quick').count()).toBe(0)
  await page.reload()
  await branch.waitFor()
  await expect.poll(() => branch.getAttribute('aria-pressed')).toBe('false')
  await page.getByRole('button', { name: 'main', exact: true }).click()
  await page.getByText('Every branch is hidden.').waitFor()
  await page.getByRole('button', { name: 'Show every branch' }).click()
  await expect.poll(() => inAddress('hidden')).toBeNull()
  await expect.poll(() => branch.getAttribute('aria-pressed')).toBe('true')
})

test('distributions are shown as quantiles, and stay so for the next benchmark', async () => {
  await open(
    `/compare?base=${watched.baseRunId}&head=${watched.headRunId}&benchmark=${watched.slowedBenchmarkId}`,
  )
  const quantiles = page.getByRole('button', { name: 'Quantiles' })
  await quantiles.press('Space')
  await page.getByText('share of rounds').waitFor()
  await keepScreenshot(page, 'distributions-quantiles')
  await open(`/benchmarks/${watched.slowedBenchmarkId}`)
  await page.getByText('share of rounds').waitFor()
  await quantiles.click()
  await page.getByText('share of rounds').waitFor({ state: 'detached' })
})

test('of hundreds of benchmarks each page, filter and verdict says how many there are', async () => {
  const { baseRunId, headRunId } = await recordManyBenchmarks()
  await open(`/compare?base=${baseRunId}&head=${headRunId}`)
  const table = page.getByRole('table', { name: 'Compared benchmarks' })
  await page.getByText('1 to 200 of 451').waitFor()
  const pages = page.getByRole('navigation', { name: 'Pages: Compared benchmarks' })
  await pages.getByRole('button', { name: 'Next' }).press('Enter')
  await page.getByText('201 to 400 of 451').waitFor()
  await table.getByRole('button', { name: 'Benchmark', exact: true }).click()
  await page.getByText('1 to 200 of 451').waitFor()
  await page.getByRole('searchbox', { name: 'Find a benchmark' }).fill('case 44')
  await page.getByText('11 of 451').waitFor()
  await page.getByRole('searchbox', { name: 'Find a benchmark' }).fill('')

  await page.getByRole('button', { name: /too noisy/ }).click()
  await page.getByText('1 of 451').waitFor()
  await page.getByText(/Measure both commits again/).waitFor()
  await table.getByRole('link', { name: 'wild' }).click()
  await page.getByRole('dialog').getByText('What to do:').waitFor()
})

/** As Bencher's JSON has it, with bounds that lie that share to either side. */
function latency(value: number, share: number) {
  return { latency: { value, lower_value: value * (1 - share), upper_value: value * (1 + share) } }
}

/** Two runs of 451 benchmarks, one of which varies too much to tell. */
async function recordManyBenchmarks(): Promise<{ baseRunId: string; headRunId: string }> {
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Many',
  })
  const record = async (commit: string, wild: number) => {
    const cases = Array.from({ length: 450 }, (_, index) => [`case ${index}`, latency(1000 + index, 0.001)])
    const { run } = await person.client.call(operations.submitBenchmarkResults, {
      repository: project.id,
      branch: 'main',
      commit_hash: commit.repeat(40),
      adapter: 'bencher_json',
      results: JSON.stringify({ ...Object.fromEntries(cases), wild: latency(wild, 0.6) }),
    })
    return run.id
  }
  return { baseRunId: await record('a', 1000), headRunId: await record('b', 1300) }
}

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
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
})

test('a branch is chosen by keyboard from those that there are', async () => {
  await open(`/projects/${watched.projectId}`)
  const box = page.getByRole('combobox', { name: 'Branch' })
  await box.focus()
  const pointed = page.getByRole('option', { name: 'main', exact: true })
  await pointed.waitFor()
  const isPointedAt = async () =>
    (await box.getAttribute('aria-activedescendant')) === (await pointed.getAttribute('id'))
  for (let steps = 0; steps < 10 && !(await isPointedAt()); steps++) await box.press('ArrowDown')
  await box.press('Enter')
  await expect.poll(() => inAddress('branch')).toBe('main')
})

test('a threshold is tried on the last runs before it is saved', async () => {
  await open(`/projects/${watched.projectId}/thresholds`)
  await page.getByRole('button', { name: 'Set a threshold' }).click()
  await page.getByRole('textbox', { name: 'Branch' }).fill('main')
  await page.getByRole('button', { name: /What raises an alert/ }).click()
  await page.getByRole('option', { name: /^percentage/ }).click()
  await page.getByRole('textbox', { name: /Upper limit/ }).fill('twelve')
  await page.getByRole('button', { name: 'Try on the last runs' }).click()
  // Not without a limit.
  await expect
    .poll(() => page.getByRole('textbox', { name: /Upper limit/ }).getAttribute('aria-invalid'))
    .toBe('true')
  await page.getByRole('textbox', { name: /Upper limit/ }).fill('12 %')
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

test('alerts are switched off for the whole project, who did it is told on both pages, and on again', async () => {
  await open(`/projects/${watched.projectId}/thresholds`)
  await page.getByRole('button', { name: 'Switch alerts off…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
  await page.getByText(`by ${person.email}: no run raises any`).waitFor()
  await open(`/projects/${watched.projectId}/alerts`)
  await page.getByText(`by ${person.email}: no run raises any`).waitFor()
  await keepScreenshot(page, 'alerts-off')
  await page.getByRole('button', { name: 'Switch alerts on' }).click()
  await page.getByText('no run raises any').waitFor({ state: 'detached' })
  const { alerts_off } = await person.client.call(operations.listThresholds, {
    repository: watched.projectId,
  })
  expect(alerts_off).toBeNull()
})

test('an alert leads to the comparison of its benchmark and to the report', async () => {
  await open(`/projects/${watched.projectId}/alerts`)
  await page.getByRole('link', { name: 'Compare with baseline: parse' }).press('Enter')
  await page.getByRole('dialog', { name: 'parse' }).getByText('regressed').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Report: parse' }).press('Enter')
  await page.getByRole('article', { name: 'The report' }).waitFor()
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
  await expect.poll(() => merge.isDisabled()).toBe(true)
  await page.getByRole('combobox', { name: 'The other benchmark' }).fill('render')
  // The list is empty, then of all benchmarks, and then of those that the search has found: what is pressed while it changes moves away.
  const found = page.getByRole('option')
  await expect
    .poll(async () => (await found.allTextContents()).map((text) => text.includes('render')))
    .toEqual([true])
  await found.click()
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
