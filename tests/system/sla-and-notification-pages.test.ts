import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { startLoadedProject, type LoadedProject } from './loaded-project.ts'
import { platform, signUp, type Person } from './person.ts'

/** SLA profiles and notifications as a person sets them, in a real browser. */

let browser: Browser
let person: Person
let page: Page
let project: LoadedProject

beforeAll(async () => {
  browser = await launchBrowser()
  person = await signUp('Setter')
  project = await startLoadedProject(platform().url, person, 'Set')
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
})
afterAll(async () => {
  await browser?.close()
  await project?.stop()
})

const violations = async () => (await axeOn(page).analyze()).violations.map(({ id }) => id)

/** Chooses in a list that opens. */
async function choose(label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: label }).click()
  await page.getByRole('option', { name: option }).first().click()
}

test('an SLA profile is written, attached to a container, and seen on the page of a run', async () => {
  await page.goto(`${platform().url}/projects/${project.id}/scenarios`)
  await page.getByRole('link', { name: 'SLA profiles' }).click()
  await page.getByText('No SLA profiles yet').waitFor()
  await page.getByRole('button', { name: 'New SLA profile' }).click()
  await page.getByLabel('Name').fill('Checkout')
  const band = page.getByRole('group', { name: 'Band 1' })
  // Without an end it says nothing: the server says so at the field.
  await page.getByRole('button', { name: 'Save' }).click()
  await band.getByText('Give from, to, or both.').waitFor()
  await band.getByRole('textbox', { name: 'From (ms)' }).fill('30')
  await band.getByRole('textbox', { name: 'Seconds' }).fill('2')
  await page.getByRole('button', { name: 'Attach to a virtual user' }).click()
  await choose('What of it', 'checkout')
  await keepScreenshot(page, 'sla-profile-dialog')
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('row', { name: /Checkout/ })
  await row.getByText('critical: p95 duration >= 30 ms, for 2 s').waitFor()
  await row.getByText('Buyer, checkout').waitFor()
  await keepScreenshot(page, 'sla-profiles')
  expect(await violations()).toEqual([])

  const done = await project.run(await project.createScenario('Held'))
  await page.goto(`${platform().url}/projects/${project.id}/bench-results/${done.bench_result.id}`)
  const list = page.getByRole('list', { name: 'SLA profiles' })
  await list.getByText('critical').waitFor()
  await list.getByText(/^Checkout, Buyer, checkout: p95 duration was >= 30 ms/).waitFor()
  await keepScreenshot(page, 'bench-result-sla')

  await page.goto(`${platform().url}/projects/${project.id}/sla-profiles`)
  await page.getByRole('button', { name: 'More actions: Checkout' }).click()
  await page.getByRole('menuitem', { name: 'Change…' }).click()
  await page.getByRole('textbox', { name: 'From (ms)' }).fill('300')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('critical: p95 duration >= 300 ms, for 2 s').waitFor()
})

test('a notification is made, tried out, changed and deleted', async () => {
  await page.goto(`${platform().url}/workspaces/${person.workspaceId}/notifications`)
  await page.getByText('No notifications yet').waitFor()
  await page.getByRole('button', { name: 'New notification' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Our program')
  await choose('By', 'HTTP (signed)')
  await page.getByLabel('Address', { exact: true }).fill('https://hooks.invalid/load')
  await page.getByLabel('Users, at least').fill('50')
  await page.getByText('A load test has begun').click()
  await keepScreenshot(page, 'notification-dialog')
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'Create notification' }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Secret' }).inputValue()).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name: /Our program/ })
  await row.getByText('HTTP (signed) to hooks.invalid').waitFor()
  await row.getByText('started, failed, error').waitFor()
  await row.getByText('50 users or more').waitFor()
  await page.getByRole('button', { name: 'Test Our program' }).click()
  await page.getByRole('button', { name: 'Send a message' }).click()
  await page.getByText('not delivered').waitFor()
  await page.getByRole('dialog').getByText('Close').first().click()

  await page.getByRole('button', { name: 'New notification' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Mail')
  await page.getByLabel(/^Addresses of members/).fill('stranger@example.com')
  await page.getByRole('button', { name: 'Create notification' }).click()
  await page.getByText('mails go to members of the workspace only').waitFor()
  await page.getByLabel(/^Addresses of members/).fill(person.email)
  await page.getByRole('button', { name: 'Create notification' }).click()
  await page.getByRole('row', { name: /Mail/ }).waitFor()
  await keepScreenshot(page, 'notifications')
  expect(await violations()).toEqual([])

  await page.getByRole('button', { name: 'More actions: Our program' }).click()
  await page.getByRole('menuitem', { name: 'Deliveries…' }).click()
  await page.getByText('Nothing was sent in the last 30 days.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More actions: Our program' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Our program is deleted.').waitFor()
  const { notifications } = await person.client.call(operations.listNotifications, {
    workspace_id: person.workspaceId,
  })
  expect(notifications.map(({ name }) => name)).toEqual(['Mail'])
})
