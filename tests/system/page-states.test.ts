import { operations } from '@flamegate/contract'
import type { Browser, Page, Route } from 'playwright'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser, nextFrames, openSettled } from './browser.ts'
import { openPageOf } from './dialogs.ts'
import { signUp, type Person } from './person.ts'

/** Pages whose answers do not come, or are of names as long as they may be. */

const longName = 'L'.repeat(80)

let browser: Browser
let person: Person
let page: Page
let projectId: string
let scenarioId: string

beforeAll(async () => {
  browser = await launchBrowser()
  person = await signUp('Stater')
  const { client, workspaceId } = person
  await client.call(operations.updateWorkspace, { workspace_id: workspaceId, name: 'W'.repeat(100) })
  const { project } = await client.call(operations.createProject, {
    workspace_id: workspaceId,
    name: 'P'.repeat(100),
    description: 'D'.repeat(300),
    repository: `${'o'.repeat(39)}/${'r'.repeat(90)}`,
    tags: ['T'.repeat(60)],
  })
  projectId = project.id
  const { http_server: server } = await client.call(operations.createHttpServer, {
    project_id: projectId,
    name: longName,
    base_url: `https://${'h'.repeat(60)}.${'i'.repeat(60)}.invalid`,
  })
  const { virtual_user: user } = await client.call(operations.createVirtualUser, {
    project_id: projectId,
    name: longName,
    document: {
      actions: [{ type: 'http_request', id: 'act_1', method: 'GET', server_id: server.id, path: '/' }],
    },
  })
  const { scenario } = await client.call(operations.createScenario, {
    project_id: projectId,
    name: longName,
    virtual_user_ids: [user.id],
    load: { type: 'ramp_up', users: 10, plateau_ms: 60_000 },
  })
  scenarioId = scenario.id
  await client.call(operations.setMonitor, {
    project_id: projectId,
    name: longName,
    document: { type: 'linux' },
  })
  await client.call(operations.setSlaProfile, {
    project_id: projectId,
    name: longName,
    bands: [{ severity: 'critical', metric: 'error_share', from: 5 }],
  })
})
beforeEach(async () => {
  page = await openPageOf(browser, person)
  return () => page.context().close()
})
afterAll(() => browser?.close())

const answerOf = (path: string) => (url: URL) => url.pathname === path
const refuse = (status: number) => (route: Route) =>
  route.fulfill({
    status,
    json: { type: 'about:blank', code: 'unknown', title: 'Out of order', status, detail: 'Come back later.' },
  })
const tryAgain = () => page.getByRole('button', { name: 'Try again' })

test('what was written stays when what it is written over cannot be asked for anew', async () => {
  await page.goto(`/scenarios/${scenarioId}`)
  const users = page.getByRole('textbox', { name: 'Users', exact: true })
  await users.fill('77')
  await page.route(answerOf(`/v1/scenarios/${scenarioId}`), refuse(500))
  const refused = page.waitForResponse((response) => response.status() === 500)
  // Somebody comes back to the window, an hour later.
  await page.evaluate(`(() => {
    const { now } = Date
    Date.now = () => now() + 3_600_000
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  })()`)
  await refused
  await nextFrames(page)
  expect(await users.inputValue()).toBe('77')
  expect(await page.getByText('Come back later.').count()).toBe(0)
})

test.each(['', '/versions'])('/scenarios/…%s that was not answered is asked for again', async (rest) => {
  await page.route(answerOf(`/v1/scenarios/${scenarioId}`), refuse(500))
  await openSettled(page, `/scenarios/${scenarioId}${rest}`)
  await page.getByText('Come back later.').waitFor()
  await page.unrouteAll()
  await tryAgain().click()
  await page.getByRole('link', { name: 'Scenarios', exact: true }).first().waitFor()
  await expect.poll(() => tryAgain().count()).toBe(0)
})

test('a project that is not told is not waited for without end', async () => {
  await page.route(answerOf(`/v1/projects/${projectId}`), refuse(500))
  await openSettled(page, `/projects/${projectId}/scenarios`)
  await page.getByRole('link', { name: longName }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Breadcrumb' }).innerText()).toBe('W'.repeat(100))
})

test('a further part of a list that does not come says so, and comes when it is asked for again', async () => {
  const isScenarios = answerOf(`/v1/projects/${projectId}/scenarios`)
  await page.route(isScenarios, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), next_cursor: 'next' } })
  })
  await openSettled(page, `/projects/${projectId}/scenarios`)
  await page.unrouteAll()
  await page.route(isScenarios, refuse(500))
  const more = page.getByRole('button', { name: 'Show more' })
  await more.press('Enter')
  await page.getByText('Come back later.').waitFor()
  // Not lost while the button was disabled.
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Show more')
  expect(await page.getByRole('link', { name: longName }).count()).toBe(1)
  await page.unrouteAll()
  await page.route(isScenarios, (route) => route.fulfill({ json: { scenarios: [], next_cursor: null } }))
  await more.click()
  // While it loads, the button is called otherwise, and what went wrong is still said.
  await expect.poll(() => page.getByText('Come back later.').count()).toBe(0)
  expect(await more.count()).toBe(0)
})

test.each(['/shared/shl_1#secret', '/shared/reports/shl_1#secret'])(
  '%s is told from a link that leads nowhere while nobody can be asked',
  async (path) => {
    const heading = (name: string) => page.getByRole('heading', { level: 1, name })
    await page.route(/\/v1\/shared\//, refuse(500))
    await page.goto(path)
    await heading('This page cannot be shown').waitFor()
    await page.unrouteAll()
    await tryAgain().click()
    await heading('This link leads nowhere').waitFor()
  },
)

test.each(['verify-email', 'reset-password', 'change-email', 'undo-email-change', 'join'])(
  '/%s without its secret says that the link is not complete',
  async (path) => {
    await page.goto(`/${path}`)
    await page.getByRole('heading', { level: 1, name: 'This link is not complete' }).waitFor()
  },
)

test('a project without runs has nothing to compare, which is no mistake', async () => {
  await openSettled(page, `/compare?project=${projectId}`)
  await page.getByText('Nothing to compare yet').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.getByRole('link', { name: 'How to upload' }).click()
  await page.getByRole('heading', { level: 1, name: 'Uploads' }).waitFor()
})

test('the longest names stay inside the window, and leave room for what is beside them', async () => {
  const paths = [
    '/projects',
    ...['', '/virtual-users', '/http-servers', '/scenarios', '/monitors', '/sla-profiles'].map(
      (rest) => `/projects/${projectId}${rest}`,
    ),
    ...['/uploads', '/notifications'].map((rest) => `/projects/${projectId}${rest}`),
    `/scenarios/${scenarioId}/versions`,
    '/projects/prj_1',
  ]
  const tooWide: string[] = []
  for (const path of paths) {
    /* oxlint-disable no-await-in-loop -- one after the other, in one window */
    await openSettled(page, path)
    for (const width of [1280, 400]) {
      await page.setViewportSize({ width, height: 900 })
      const found = await page.evaluate<string[]>(`[
        ...(document.documentElement.scrollWidth > innerWidth ? ['the page'] : []),
        ...[...document.querySelectorAll('table')]
          .filter(({ parentElement: box }) => box.scrollWidth > box.clientWidth)
          .map((table) => table.getAttribute('aria-label'))]`)
      tooWide.push(...found.map((what) => `${path} at ${width}: ${what}`))
    }
    /* oxlint-enable no-await-in-loop */
  }
  expect(tooWide).toEqual([])
})
