import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { agentToken, type Person, platform, signUp } from './person.ts'
import { programEnv } from './program-env.ts'

/** Monitors as a person makes and reads them, in a real browser, with a real agent. */

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')

let browser: Browser
let person: Person
let page: Page
let projectId: string
let agent: ChildProcess

beforeAll(async () => {
  browser = await launchBrowser()
  person = await signUp('Monitor')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Shop',
  })
  projectId = project.id
  agent = spawn(
    process.execPath,
    [cli, 'monitor', '--group', 'near', '--workspace', person.workspaceId, '--name', 'near-1'],
    {
      env: {
        ...programEnv,
        FLAMEGATE_URL: platform().url,
        FLAMEGATE_TOKEN: await agentToken(person),
      },
      stdio: 'ignore',
    },
  )
  const context = await browser.newContext({ baseURL: platform().url })
  page = await context.newPage()
  await page.goto('/log-in')
  await fillLogIn(page, person.email, person.password)
  await page.waitForURL('/')
})
afterAll(async () => {
  agent?.kill('SIGKILL')
  await browser?.close()
})

test('a monitor is made, checked and its counters are seen', async () => {
  await page.goto(`/projects/${projectId}/scenarios`)
  await page.getByRole('link', { name: 'Monitors' }).click()
  await page.getByRole('heading', { name: 'Monitors', exact: true }).waitFor()
  await page.getByRole('table', { name: 'Agents that collect' }).getByText('online').waitFor()
  await page.getByRole('button', { name: 'New monitor' }).click()
  const dialog = page.getByRole('dialog', { name: 'New monitor' })
  await dialog.getByLabel('Name').fill('host')
  await dialog.getByLabel('Agent group').fill('near')
  await dialog.getByLabel('Seconds between two values').fill('0')
  await dialog.getByRole('button', { name: 'Add a threshold' }).click()
  const threshold = dialog.getByRole('group', { name: 'Threshold 1' })
  await threshold.getByLabel('Name').fill('busy')
  await threshold.getByLabel('Counters').fill('cpu.used')
  await threshold.getByLabel('Value', { exact: true }).fill('90')
  await dialog.getByRole('button', { name: 'Save' }).click()
  // What is wrong is said at the field.
  await dialog.getByText('Too small').waitFor()
  await dialog.getByLabel('Seconds between two values').fill('2')
  expect((await axeOn(page).analyze()).violations).toEqual([])
  await keepScreenshot(page, 'monitor-dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const check = page.getByRole('dialog', { name: 'host' })
  await check.getByText('reachable').first().waitFor()
  await check.getByRole('cell', { name: 'memory.used_share' }).waitFor()
  expect((await axeOn(page).analyze()).violations).toEqual([])
  await keepScreenshot(page, 'monitor-check')
  await check.getByRole('button', { name: 'Close' }).first().click()
  const table = page.getByRole('table', { name: 'Monitors' })
  await table.getByText('reachable').waitFor()
  await table.getByText('by near-1').waitFor()
  await table.getByText('busy').waitFor()
  expect((await axeOn(page).analyze()).violations).toEqual([])
  await keepScreenshot(page, 'monitors')
  const { monitors } = await person.client.call(operations.listMonitors, { project_id: projectId })
  expect(monitors).toMatchObject([
    {
      name: 'host',
      document: { interval_seconds: 2, thresholds: [{ name: 'busy', above: 90, occurrences: 1 }] },
    },
  ])
})

test('a monitor is changed, tells of its agents on a narrow screen, and is deleted', async () => {
  await page.setViewportSize({ width: 400, height: 800 })
  await page
    .getByRole('button', { name: 'More for host' })
    .or(page.getByRole('button', { name: /host/ }))
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change host' })
  await dialog.getByLabel('Counters', { exact: true }).first().fill('cpu.*\nload.1m')
  await keepScreenshot(page, 'monitor-dialog-narrow')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await keepScreenshot(page, 'monitors-narrow')
  const { monitors } = await person.client.call(operations.listMonitors, { project_id: projectId })
  expect(monitors).toMatchObject([{ version: 2, document: { counters: ['cpu.*', 'load.1m'] } }])
  await page.getByRole('button', { name: /host/ }).first().click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No monitors yet').waitFor()
})
