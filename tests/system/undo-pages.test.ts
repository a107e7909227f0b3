import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillLogIn, launchBrowser } from './browser.ts'
import { platform, signUp, type Person } from './person.ts'

/** What was deleted in a page comes back by the button beside the words that say so, also where nothing else is left. */

let owner: Person
let browser: Browser
let page: Page
let projectId: string

beforeAll(async () => {
  owner = await signUp('Regretter')
  const { client, workspaceId } = owner
  const created = await client.call(operations.createProject, { workspace_id: workspaceId, name: 'Regret' })
  projectId = created.project.id
  await client.call(operations.createScenario, { project_id: projectId, name: 'Only scenario' })
  await client.call(operations.createReport, {
    project_id: projectId,
    name: 'Only report',
    trend: { name: { match: 'equals', text: 'Nightly' } },
  })
  await client.call(operations.setSlaProfile, {
    project_id: projectId,
    name: 'Only profile',
    bands: [{ severity: 'critical', metric: 'error_share', from: 1 }],
  })
  browser = await launchBrowser()
  page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, owner.email, owner.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
})
afterAll(() => browser?.close())

test.each([
  ['scenarios', 'Only scenario', false],
  ['reports', 'Only report', true],
  ['sla-profiles', 'Only profile', true],
])('%s: %s', async (path, name, isAsked) => {
  await page.goto(`${platform().url}/projects/${projectId}/${path}`)
  const more = page.getByRole('button', { name: `More actions: ${name}` })
  await more.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  if (isAsked) await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText(/is deleted\./).waitFor()
  await expect.poll(() => more.count()).toBe(0)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText(/is back\./).waitFor()
  await more.waitFor()
})
