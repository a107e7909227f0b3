import { operations } from '@flamegate/contract'
import type { LivePush } from '@flamegate/live'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { type Person, platform, signUp } from './person.ts'

let browser: Browser
let page: Page
let person: Person
let projectId: string
const errors: string[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  person = await signUp('Lively')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Shop',
  })
  projectId = project.id
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  page.on('pageerror', (error) => errors.push(error.message))
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

const violations = async () => (await axeOn(page).analyze()).violations.map(({ id }) => id)
const cell = (row: string, text: string) =>
  page.getByRole('row', { name: new RegExp(row) }).getByText(text, { exact: true })

test('an app is made on the page, and what its program pushes is there while it runs', async () => {
  await page.getByText('No live apps yet').waitFor()
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
  await page.getByRole('searchbox', { name: 'Find by name' }).fill('pay')
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
