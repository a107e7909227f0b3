import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { expectAccessible, openPageOf } from './dialogs.ts'
import { signUp, type Person } from './person.ts'

/** Webhooks as a person makes and changes them: their addresses hold secrets, which no page shows again. */

let browser: Browser
let owner: Person
let page: Page
let projectId: string

const secretPath = '/services/T0123456789'

beforeAll(async () => {
  ;[browser, owner] = await Promise.all([launchBrowser(), signUp('Teller')])
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Shop',
  })
  projectId = project.id
  page = await openPageOf(browser, owner)
})
afterAll(() => browser?.close())

async function webhooks() {
  return (await owner.client.call(operations.listWebhooks, { project_id: projectId })).webhooks
}

test('a webhook is made, with what is wrong said at its field, and shown by its host', async () => {
  await page.goto(`/projects/${projectId}/notifications`)
  await page.getByRole('button', { name: 'New webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'New webhook' })
  await dialog.getByLabel('Address').fill('http://hooks.invalid')
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await dialog.getByText('Give an https address.').waitFor()
  await expectAccessible(page, 'webhook-refused')
  await dialog.getByLabel('Address').fill(`https://hooks.invalid${secretPath}`)
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  const made = page.getByRole('dialog', { name: 'The webhook is on' })
  expect(await made.getByLabel('Secret', { exact: true }).inputValue()).toMatch(/^whsec_/)
  await made.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('table', { name: 'Webhooks' }).getByText('hooks.invalid').waitFor()
  expect(await page.content()).not.toContain(secretPath)
})

test('whoever changes it and types no address leaves that as it is', async () => {
  await page.getByRole('button', { name: 'More actions: hooks.invalid' }).click()
  await page.getByRole('menuitem', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change a webhook' })
  expect(await dialog.getByLabel('Address').inputValue()).toBe('')
  await dialog.getByText('Leave it empty to keep the one at hooks.invalid.').waitFor()
  await expectAccessible(page, 'webhook-change')
  await dialog.getByText('An alert was resolved').click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [changed] = await webhooks()
  expect(changed?.target).toBe('hooks.invalid')
  expect(changed?.events).not.toContain('alert.resolved')

  await page.getByRole('button', { name: 'More actions: hooks.invalid' }).click()
  await page.getByRole('menuitem', { name: 'Change…' }).click()
  await dialog.getByLabel('Address').fill('https://elsewhere.invalid/x')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('table', { name: 'Webhooks' }).getByText('elsewhere.invalid').waitFor()
})
