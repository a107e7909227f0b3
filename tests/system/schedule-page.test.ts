import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { type Person, platform, signUp } from './person.ts'

/** Schedules as a person makes, reads and removes them, in a real browser. */

let browser: Browser
let page: Page
let person: Person
let projectId: string

beforeAll(async () => {
  browser = await launchBrowser()
  person = await signUp('Planner')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Shop',
  })
  projectId = project.id
  const { http_server: server } = await person.client.call(operations.createHttpServer, {
    project_id: projectId,
    name: 'shop',
    base_url: 'http://127.0.0.1:9',
  })
  const { virtual_user: user } = await person.client.call(operations.createVirtualUser, {
    project_id: projectId,
    name: 'Visitor',
    document: {
      actions: [
        {
          type: 'http_request',
          id: 'act_home',
          name: 'home',
          method: 'GET',
          server_id: server.id,
          path: '/',
        },
      ],
    },
  })
  await person.client.call(operations.createScenario, {
    project_id: projectId,
    name: 'Nightly',
    virtual_user_ids: [user.id],
    load: { type: 'ramp_up', users: 2, ramp_up_ms: 0, plateau_ms: 2000 },
  })
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    timezoneId: 'Europe/Berlin',
  })
  page = await context.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
})
afterAll(() => browser?.close())

test('a schedule is made, turned off, and deleted', async () => {
  await page.goto(`${platform().url}/projects/${projectId}/scenarios`)
  await page.getByRole('link', { name: 'Schedules' }).click()
  await page.getByText('Nothing is scheduled').waitFor()
  await page.getByRole('button', { name: 'New schedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'New schedule' })
  const field = (name: string) => dialog.getByRole('textbox', { name })
  await expect.poll(() => field('Time zone').inputValue()).toBe('Europe/Berlin')
  await field('Name').fill('Every night')
  await field('Cron').fill('99 3 * * *')
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  // What the server says of it, at the field.
  await dialog
    .getByText(/minute|0-59|99/i)
    .last()
    .waitFor()
  await field('Cron').fill('0 3 * * *')
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: 'Every night' })
  await row.getByText('0 3 * * *').waitFor()
  await row.getByText('Europe/Berlin').waitFor()
  const shown = () => row.locator('time').allInnerTexts()
  await row.locator('summary').click()
  const [first = '', ...others] = await shown()
  expect(first).toMatch(/3:00/)
  expect(others).toHaveLength(4)
  expect((await axeOn(page).analyze()).violations.map(({ id }) => id)).toEqual([])
  await keepScreenshot(page, 'schedules')

  await row.getByRole('button', { name: /Every night/ }).click()
  await page.getByRole('menuitem', { name: 'Turn off' }).click()
  await row.getByText('off', { exact: true }).waitFor()
  const { schedules } = await person.client.call(operations.listScheduledJobs, { project_id: projectId })
  expect(schedules.map(({ is_enabled }) => is_enabled)).toEqual([false])

  await row.getByRole('button', { name: /Every night/ }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Nothing is scheduled').waitFor()
})

test('a scenario is scheduled once, from its own page', async () => {
  const { scenarios } = await person.client.call(operations.listScenarios, { project_id: projectId })
  await page.goto(`${platform().url}/scenarios/${scenarios[0]?.id}`)
  await page.getByRole('button', { name: 'Schedule…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule “Nightly”' })
  await dialog.getByRole('button', { name: 'How often' }).click()
  await page.getByRole('option', { name: 'Once' }).click()
  await dialog.getByLabel('At', { exact: true }).fill('2030-01-02T04:05')
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const { schedules } = await person.client.call(operations.listScheduledJobs, { project_id: projectId })
  expect(schedules.map(({ run_at }) => run_at)).toEqual(['2030-01-02T03:05:00.000Z'])
})
