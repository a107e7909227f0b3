import { operations } from '@flamegate/contract'
import type { LivePush } from '@flamegate/live'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '@flamegate/client'
import { madeProgram } from '../../packages/live/src/testing/made-program.ts'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser, openSettled } from './browser.ts'
import { type Person, platform, signUp } from './person.ts'

let browser: Browser
let page: Page
let person: Person
let projectId: string
/** An app that two minutes of a made program are known of: `pay` became slow after the first. */
let madeApp: { id: string; halfAt: string }
const errors: string[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  person = await signUp('Lively')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Shop',
  })
  projectId = project.id
  madeApp = await pushMade()
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('response', (response) => {
    if (response.status() >= 400 && response.request().method() === 'GET')
      errors.push(`${response.status()} ${response.url()}`)
  })
  await page.goto(`${platform().url}/log-in?return_to=/projects/${projectId}/live-apps`)
  await fillLogIn(page, person.email, person.password)
})

afterAll(() => browser?.close())

/** `settings`: as the page shows them to whoever starts a Node.js program. */
async function push(settings: Map<string, string>, sequence: number, calls: number): Promise<void> {
  const now = Date.now()
  const body: LivePush = {
    session: 'shop-session',
    sequence,
    at: now,
    program: { name: 'shop', source: 'profiler', runtime: 'Node.js 24' },
    sections: {
      functions_timing: {
        status: 'on',
        items: [
          {
            id: '1',
            name: 'pay',
            place: { file: 'src/pay.ts', line: 12 },
            distributions: { duration: { count: calls, total: calls * 2_000_000 } },
          },
          { id: '2', name: 'browse', distributions: { duration: { count: 10, total: 10_000_000 } } },
        ],
      },
      functions_alloc: { status: 'off', reason: 'The profiler does not count allocations.' },
    },
    logs: [
      { section: 'functions_timing', item: '1', at: [now - 5], value: [2_500_000], text: [`order ${calls}`] },
    ],
  }
  const response = await fetch(
    `${settings.get('FLAMEGATE_LIVE_URL')}/v1/live-apps/${settings.get('FLAMEGATE_LIVE_APP')}/pushes`,
    {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${settings.get('FLAMEGATE_LIVE_TOKEN')}`,
      },
      body: JSON.stringify(body),
    },
  )
  expect([response.status, await response.json()]).toMatchObject([200, { status: 'stored' }])
}

async function pushMade(): Promise<typeof madeApp> {
  const { live_app: app, token } = await person.client.call(operations.registerLiveApp, {
    project_id: projectId,
    name: 'made',
  })
  const program = createClient({
    baseUrl: platform().url,
    headers: { authorization: `Bearer ${token}` },
  })
  const startedAt = Date.now() - 125_000
  for (const pushed of madeProgram({ startedAt, slowFrom: 60 })) {
    if (pushed.sequence % 5 !== 0) continue
    // oxlint-disable-next-line no-await-in-loop -- as a program does
    await program.call(operations.pushLive, { live_app_id: app.id, ...pushed })
  }
  return { id: app.id, halfAt: new Date(startedAt + 60_000).toISOString() }
}

const open = (path: string) => openSettled(page, `${platform().url}${path}`)
const violations = async () => (await axeOn(page).analyze()).violations.map(({ id }) => id)
const cell = (row: string, text: string) =>
  page.getByRole('row', { name: new RegExp(row) }).getByText(text, { exact: true })

test('an app is made on the page, and what its program pushes is there while it runs', async () => {
  await page.getByRole('link', { name: 'made', exact: true }).waitFor()
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'New live app' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('shop')
  await page.getByRole('button', { name: 'Create' }).click()
  const shown = page.getByRole('textbox', { name: 'Of a Node.js program with @flamegate/profiler' })
  const settings = new Map(
    (await shown.inputValue()).split('\n').map((line): [string, string] => {
      const at = line.indexOf('=')
      return [line.slice(0, at), line.slice(at + 1)]
    }),
  )
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /shop/ }).getByText('waiting').waitFor()
  await push(settings, 0, 100)
  await page.getByRole('row', { name: /shop/ }).getByText('live', { exact: true }).waitFor()
  await keepScreenshot(page, 'live-apps')
  await page.getByRole('link', { name: 'shop', exact: true }).click()
  await page.getByRole('heading', { name: 'shop', level: 1 }).waitFor()
  await cell('pay', '100').waitFor()
  await push(settings, 1, 140)
  await cell('pay', '140').waitFor()

  await page.getByRole('button', { name: 'Pause' }).click()
  const find = page.getByRole('searchbox', { name: 'Find by name' })
  await find.fill('y')
  // What is typed stays where it is typed, though the address follows.
  await find.press('Home')
  await find.pressSequentially('pa')
  expect(await find.inputValue()).toBe('pay')
  await page.getByText('browse').waitFor({ state: 'detached' })
  expect(page.url()).toContain('filter=pay')
  expect(await violations()).toEqual([])
  await keepScreenshot(page, 'live-app')
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations()).toEqual([])
  await keepScreenshot(page, 'live-app-dark')
  await page.emulateMedia({ colorScheme: 'light' })

  await page.getByRole('button', { name: /^pay/ }).click()
  await page.getByRole('dialog').getByText('order 140').waitFor()
  await page.getByRole('dialog').getByText('order 100').waitFor()
  expect(await violations()).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Allocations' }).click()
  await page.getByText('The profiler does not count allocations.').waitFor()
  expect(errors).toEqual([])
})

/** In the light, in the dark, and on a narrow screen. */
async function lookedAt(name: string): Promise<void> {
  expect(await violations()).toEqual([])
  await keepScreenshot(page, name)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations()).toEqual([])
  await keepScreenshot(page, `${name}-dark`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await violations()).toEqual([])
  const widthPx = await page.evaluate('document.documentElement.scrollWidth')
  expect(widthPx, `${name} is no wider than the screen`).toBe(390)
  await keepScreenshot(page, `${name}-narrow`)
  await page.setViewportSize({ width: 1280, height: 900 })
}

test('rows are drawn as they went, and one that is opened exactly', async () => {
  await open(`/live-apps/${madeApp.id}?window=600`)
  const row = page.getByRole('row', { name: /shop::pay/ })
  await row.getByRole('img', { name: 'mean from 3 ms to 9 ms, at most 9 ms' }).waitFor()
  await lookedAt('live-trends')

  await row.getByRole('button', { name: /shop::pay/ }).click()
  const dialog = page.getByRole('dialog')
  const slider = dialog.getByRole('slider', { name: 'Time of Times' })
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^\d\d:\d\d:\d\d: mean 9 ms, p50 9/)
  await slider.focus()
  await page.keyboard.press('Home')
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toContain('mean –')
  await dialog.getByRole('table', { name: 'Log entries' }).waitFor()
  await lookedAt('live-item')
  await dialog.getByRole('button', { name: 'Times as a table' }).click()
  const values = dialog.getByRole('table', { name: 'Times' })
  await expect.poll(() => values.getByRole('cell', { name: '3 ms', exact: true }).count()).toBeGreaterThan(3)
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Threads' }).click()
  await page.getByRole('button', { name: 'worker' }).click()
  await page.getByRole('dialog').getByRole('figure', { name: 'Bytes', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  expect(errors).toEqual([])
})

test('each section is there, or says why not', async () => {
  await open(`/live-apps/${madeApp.id}?window=600`)
  const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  await sections.first().waitFor()
  const titles = await sections.allInnerTexts()
  expect(titles.length).toBeGreaterThan(14)
  for (const title of titles) {
    // oxlint-disable no-await-in-loop -- one page after the other
    await sections.getByText(title, { exact: true }).click()
    const told = page.getByRole('table', { name: title, exact: true })
    await told
      .or(page.getByText('It is not enabled', { exact: true }))
      .first()
      .waitFor()
    // oxlint-enable no-await-in-loop
  }
  await open(`/live-apps/${madeApp.id}?window=600&section=threads`)
  const columns = await page.getByRole('table', { name: 'Threads' }).getByRole('columnheader').allInnerTexts()
  expect(columns.slice(0, 5)).toEqual(['Name', 'Trend', 'Share', 'CPU', 'CPU time'])
  expect(errors).toEqual([])
})

test('the page of an app says which thresholds it is beyond, and leads to the alerts', async () => {
  const { live_app: app, token } = await person.client.call(operations.registerLiveApp, {
    project_id: projectId,
    name: 'slow shop',
  })
  await open(`/live-apps/${app.id}`)
  await page.getByRole('button', { name: 'Set thresholds…' }).click()
  await page.getByRole('textbox', { name: 'Longer than, in ms' }).fill('1')
  await page.getByRole('textbox', { name: 'Seconds of slow calls' }).fill('0')
  await page.getByText('Judged by').waitFor()
  await page.getByRole('button', { name: /^p95/ }).click()
  await page.getByRole('option', { name: 'mean' }).click()
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  const settings = new Map([
    ['FLAMEGATE_LIVE_URL', platform().url],
    ['FLAMEGATE_LIVE_APP', app.id],
    ['FLAMEGATE_LIVE_TOKEN', token],
  ])
  const said = page.getByText(/^Slow calls, pay: 2 ms, above 1 ms$/)
  let sequence = 0
  await expect
    .poll(
      async () => {
        await push(settings, sequence, 100 * (sequence + 1))
        sequence++
        return said.isVisible()
      },
      { interval: 1000 },
    )
    .toBe(true)
  await lookedAt('live-alerting')
  await page.getByRole('link', { name: 'Alerts of the project' }).click()
  await page.getByRole('link', { name: 'slow shop: slow calls' }).waitFor()
  expect(errors).toEqual([])
})

test('two moments of an app are compared, and the address keeps how they are looked at', async () => {
  await open(`/live-apps/${madeApp.id}`)
  await page.getByRole('link', { name: 'Compare…' }).click()
  const times = page.getByRole('table', { name: 'Slower and faster' })
  await times.getByRole('row', { name: /shop::pay.*3 ms → 9 ms.*\+200\.0 %/ }).waitFor()
  const growing = page.getByRole('table', { name: 'Growing steadily' })
  await growing.getByRole('row', { name: /worker.*kept/ }).waitFor()
  await growing.getByRole('row', { name: /orders.*queued.*min/ }).waitFor()
  await lookedAt('live-compare')

  await times.getByRole('button', { name: 'Change' }).click()
  await page.getByRole('searchbox', { name: 'Find by name' }).fill('orders')
  await growing.getByText('worker').waitFor({ state: 'detached' })
  await times.getByText('Nothing here fits the filter.').waitFor()
  expect(new URL(page.url()).searchParams.get('times')).toBe('-change')
  expect(new URL(page.url()).searchParams.get('filter')).toBe('orders')
  await page.reload()
  await growing.getByText('orders').waitFor()
  expect(await growing.getByText('worker').count()).toBe(0)

  await page.getByRole('group', { name: 'Head' }).getByLabel('Up to').fill(localTime(madeApp.halfAt))
  await expect.poll(() => new URL(page.url()).searchParams.get('until')).not.toBeNull()
  await page.getByRole('searchbox', { name: 'Find by name' }).fill('')
  await times.getByText('No mean time changed by more than 5 %.').waitFor()
  expect(errors).toEqual([])
})

test('what an app did is pinned, opened, compared and deleted', async () => {
  await person.client.call(operations.pinLiveRecording, {
    live_app_id: madeApp.id,
    name: 'Before',
    last_seconds: 60,
    until: madeApp.halfAt,
  })
  await open(`/live-apps/${madeApp.id}`)
  await page.getByRole('button', { name: 'Pin…' }).click()
  await page.getByRole('button', { name: 'Pin', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByText(/character|required|empty/i)
    .first()
    .waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('After')
  await page.getByRole('textbox', { name: 'Note' }).fill('Paying takes three times as long.')
  expect(await violations()).toEqual([])
  await keepScreenshot(page, 'live-pin')
  await page.getByRole('button', { name: 'Pin', exact: true }).click()
  await page.getByRole('button', { name: 'Open' }).click()

  await page.getByRole('heading', { name: 'After', level: 1 }).waitFor()
  await page.getByText('Paying takes three times as long.').waitFor()
  await cell('shop::pay', '9 ms').first().waitFor()
  await lookedAt('live-recording')
  await page.getByRole('link', { name: 'Channels' }).click()
  await cell('orders', '1,200').waitFor()
  await page.getByRole('img', { name: 'queued from 650 to 1,200, at most 1,200' }).waitFor()
  await page.getByRole('button', { name: 'orders' }).click()
  await page.getByRole('dialog').getByRole('figure', { name: 'Amounts' }).waitFor()
  expect(await page.getByRole('dialog').getByRole('region', { name: 'Log' }).count()).toBe(0)
  await page.keyboard.press('Escape')

  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Recordings' }).click()
  await page.getByRole('checkbox', { name: 'Choose Before' }).press(' ')
  await page.getByRole('checkbox', { name: 'Choose After' }).press(' ')
  await lookedAt('live-recordings')
  await page.getByRole('link', { name: 'Compare', exact: true }).last().click()
  const times = page.getByRole('table', { name: 'Slower and faster' })
  await times.getByRole('row', { name: /shop::pay.*3 ms → 9 ms/ }).waitFor()
  await page.getByRole('button', { name: 'Swap base and head' }).click()
  await times.getByRole('row', { name: /shop::pay.*9 ms → 3 ms/ }).waitFor()

  await open(`/projects/${projectId}/live-recordings`)
  await page.getByRole('button', { name: 'More actions: Before' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByRole('row', { name: /Before/ }).waitFor({ state: 'detached' })
  await person.client.call(operations.deleteLiveApp, { live_app_id: madeApp.id })
  await page.getByRole('link', { name: /^After/ }).click()
  await page.getByRole('heading', { name: 'After', level: 1 }).waitFor()
  await cell('shop::pay', '9 ms').first().waitFor()
  await page.getByText('made', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'made', exact: true }).count()).toBe(0)
  expect(errors).toEqual([])
})

/** As a field has it, by the clock of the browser, which is that of this machine. */
function localTime(iso: string): string {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
