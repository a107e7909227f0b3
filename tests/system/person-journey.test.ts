import { spawn, type ChildProcess } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeOn, rulesOfColours } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { type Person, platform, signUp } from './person.ts'
import { recordShopHar } from './sample-shop/record-shop-har.ts'
import { startSampleShop, type SampleShop } from './sample-shop/start-sample-shop.ts'
import { programEnv } from './program-env.ts'

// A person with a recording and nothing else, from the empty list of virtual users to a green validation, and on to a load test
// with a printed report. Each test goes on where the one before stopped; calls of operations only look at what the pages did.

const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
const agents: ChildProcess[] = []
let browser: Browser
let shop: SampleShop
let har: Buffer
let grace: Person
let projectId: string
let page: Page
const errors: string[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  shop = await startSampleShop()
  const path = join(tmpdir(), `flamegate-journey-${process.pid}.har`)
  await recordShopHar(browser, shop.url, path)
  har = await readFile(path)
  await rm(path)
  grace = await signUp('Grace')
  const { project } = await grace.client.call(operations.createProject, {
    workspace_id: grace.workspaceId,
    name: 'Shop',
  })
  projectId = project.id
  page = await (await browser.newContext({ viewport: { width: 1360, height: 900 } })).newPage()
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(`${platform().url}/log-in?return_to=/projects/${projectId}/virtual-users`)
  await fillLogIn(page, grace.email, grace.password)
})

afterAll(async () => {
  for (const agent of agents) agent.kill('SIGTERM')
  await browser?.close()
  await shop?.stop()
})

/** Nothing keeps anybody from using the page, and a picture of it in each of the two colour schemes. */
async function look(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    /* oxlint-disable no-await-in-loop -- there is one window */
    await page.emulateMedia({ colorScheme })
    const axe = axeOn(page)
    if (colorScheme === 'dark') axe.withRules(rulesOfColours)
    const { violations } = await axe.analyze()
    expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
    await keepScreenshot(page, `journey-${name}-${colorScheme}`)
    /* oxlint-enable no-await-in-loop */
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

async function virtualUser() {
  const { virtual_users } = await grace.client.call(operations.listVirtualUsers, { project_id: projectId })
  expect(virtual_users).toHaveLength(1)
  return virtual_users[0]!
}

const tab = (name: string) => page.getByRole('link', { name, exact: true }).click()
const viewer = () => page.getByRole('region', { name: 'Chosen action' })
const tree = () => page.getByRole('treegrid', { name: 'Actions' })

async function validate(button: string): Promise<void> {
  await page.getByRole('button', { name: button }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
  await page.waitForURL(/\/validations\/val_/)
}

test('a recording is uploaded, and its report says what was read', async () => {
  await page.getByText('No virtual users yet').waitFor()
  await page.getByRole('link', { name: 'Import' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'shop.har', mimeType: 'application/json', buffer: har })
  await page.getByRole('button', { name: /HAR, recorded by a browser/ }).waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Buyer')
  await page.getByRole('button', { name: 'Options' }).click()
  await page.getByText('Think times as they were recorded').click()
  await look('import')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: 'Import of shop.har' }).waitFor()
  const counts = await Promise.all(
    ['mapped', 'approximated', 'dropped'].map(async (outcome) =>
      Number.parseInt(await page.getByRole('button', { name: new RegExp(`^\\d+ ${outcome}$`) }).innerText()),
    ),
  )
  const [read = ''] = /^\d+/.exec(await page.getByText(/^\d+ elements read:$/).innerText()) ?? []
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Number(read))
  await page.getByRole('searchbox', { name: 'Find an element' }).fill('/api/orders')
  await page.getByRole('link', { name: /^Show the action of POST .*\/api\/orders$/ }).waitFor()
  await look('report')
})

test('the secret that the report asks for is given where it is asked for', async () => {
  const asked = page.getByRole('region', { name: 'Secrets without a value' })
  await asked.getByRole('button', { name: 'Set ${password}…' }).click()
  await page.getByRole('dialog').getByLabel('Value', { exact: true }).fill('ann-password')
  await look('secret')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await asked.waitFor({ state: 'detached' })
  // The field that it was typed into goes with its dialog.
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain('ann-password')
  await page.getByRole('link', { name: 'Open Buyer' }).click()
  await tree()
    .getByRole('row', { name: /POST \/login/ })
    .waitFor()
  const containers = ['Shop', 'Log in', 'Catalog', 'Order {id}', 'POST /orders/{id}/attachments']
  const rows = await tree().getByRole('row', { level: 1 }).allInnerTexts()
  expect(rows.map((text) => containers.find((name) => text.includes(name)) ?? text)).toEqual(containers)
  await look('editor')
})

test('the server is one that may be aimed at', async () => {
  await page
    .getByRole('navigation', { name: 'Breadcrumb' })
    .getByRole('link', { name: 'Virtual users' })
    .click()
  await tab('HTTP servers')
  await page.getByRole('cell', { name: shop.url }).waitFor()
  await page.getByText('verified', { exact: true }).waitFor()
  await look('servers')
  await page
    .getByRole('navigation', { name: 'Load test design' })
    .getByRole('link', { name: 'Virtual users' })
    .click()
  await page.getByRole('link', { name: 'Buyer', exact: true }).click()
  await tree().waitFor()
})

test('replayed as it was recorded it fails, and the stale values are named', async () => {
  await validate('Validate…')
  await page.getByRole('heading', { name: 'Why it failed' }).waitFor()
  const values = page.getByRole('list', { name: 'Values that are the likely cause' }).getByRole('listitem')
  await expect.poll(() => values.first().innerText()).toMatch(/csrf_token/)
  await look('failed')
})

test('the suggestions tell their evidence, and are applied', async () => {
  await page.getByRole('link', { name: 'See all suggestions' }).click()
  const cards = page.getByRole('list', { name: 'Suggestions' })
  const card = cards.getByRole('listitem').filter({ hasText: '${csrf_token}' }).first()
  await card.getByText('GET /login').first().waitFor()
  await card.getByText('POST /login').first().waitFor()
  await look('suggestions')
  await page.getByRole('button', { name: 'Apply the selected…' }).click()
  const dialog = page.getByRole('dialog', { name: 'What would change' })
  await dialog.getByText('${csrf_token}', { exact: true }).waitFor()
  await look('apply')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByText(/taken from answers now, in version 2/).waitFor()
})

test('then it passes, and an exchange lies beside its recording', async () => {
  await validate('Validate')
  await page.getByText(/^All \d+ actions passed/).waitFor()
  expect(shop.requests.filter(({ path, status }) => path === '/api/orders' && status === 201)).toHaveLength(2)
  await look('passed')
  await page
    .getByRole('table', { name: 'Actions' })
    .getByRole('link', { name: 'POST /api/orders', exact: true })
    .click()
  await viewer().getByText('As it was recorded').waitFor()
  await viewer().getByRole('tab', { name: 'Request' }).click()
  const sides = await Promise.all(
    ['Recorded request', 'Replayed request'].map((name) =>
      viewer().getByRole('textbox', { name }).inputValue(),
    ),
  )
  for (const side of sides) expect(side).toContain('p-101')
  await look('exchange')
  await viewer().getByRole('tab', { name: 'Difference' }).click()
  await viewer()
    .getByText(/"id": "ord_/)
    .nth(1)
    .waitFor()
  await look('difference')
})

test('versions undo and redo it, and the rules of a framework find its token', async () => {
  const { id } = await virtualUser()
  const current = async () =>
    (await grace.client.call(operations.getVirtualUserDocument, { virtual_user_id: id })).document
  const correlated = await current()
  await tab('Versions')
  await page.getByRole('button', { name: 'Changes of version 2' }).click()
  await page.getByRole('heading', { name: 'From version 1 to 2' }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'csrf_token' }).first().waitFor()
  await look('versions')
  const restore = async (version: number, newest: number) => {
    await page.getByRole('button', { name: `Restore… version ${version}`, exact: true }).click()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByRole('button', { name: `Restore… version ${newest - 1}`, exact: true }).waitFor()
    expect((await virtualUser()).version).toBe(newest)
  }
  await restore(1, 3)
  expect(JSON.stringify(await current())).not.toContain('${csrf_token}')

  await tab('Correlations')
  await page.getByRole('button', { name: 'Rules of' }).click()
  await page.getByRole('option', { name: 'Ruby on Rails' }).click()
  await page.getByRole('button', { name: 'See what they find…' }).click()
  const dialog = page.getByRole('dialog', { name: 'What would change' })
  await dialog.getByRole('cell', { name: '${authenticity_token}' }).waitFor()
  await look('rules')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByText(/taken from answers now, in version 4/).waitFor()

  await tab('Versions')
  await restore(2, 5)
  expect(await current()).toEqual(correlated)
  expect(errors).toEqual([])
})

test('a scenario of 50 users that ramp up over 30 s is made of it', async () => {
  await page
    .getByRole('navigation', { name: 'Project' })
    .getByRole('link', { name: 'Scenarios', exact: true })
    .click()
  await page.getByRole('button', { name: 'New scenario' }).click()
  const dialog = page.getByRole('dialog', { name: 'New scenario' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Sale')
  await dialog.getByRole('button', { name: /^Buyer/ }).waitFor()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Sale', level: 1 }).waitFor()
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  await field('Users').fill('50')
  await field('Ramp-up').fill('30 s')
  await field('Plateau').fill('5 s')
  await page.getByRole('img', { name: 'Users over 35 s, at most 50' }).waitFor()
  await page.getByRole('button', { name: 'Add a threshold' }).click()
  await field('Threshold 1').fill('error share < 1 %')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Version 2 is saved.').first().waitFor()
  await look('scenario')
})

test('it runs on two agents that the page gave the command for', async () => {
  await page.goto(`${platform().url}/workspaces/${grace.workspaceId}/load-generators`)
  await page.getByRole('button', { name: 'Add an agent' }).first().click()
  await page.getByRole('button', { name: 'Make the command' }).click()
  const command = await page.getByRole('textbox', { name: 'Command' }).inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  const [, url, token, rest = ''] =
    /^FLAMEGATE_URL=(\S+) FLAMEGATE_TOKEN=(\S+) flamegate (.+)$/.exec(command) ?? []
  for (const name of ['berlin', 'paris'])
    agents.push(
      spawn(process.execPath, [cli, ...rest.split(' '), '--name', name], {
        env: { ...programEnv, FLAMEGATE_URL: url, FLAMEGATE_TOKEN: token },
        stdio: 'ignore',
      }),
    )
  for (const name of ['berlin', 'paris'])
    await page.getByRole('row').filter({ hasText: name }).getByText('online').waitFor()
  await look('agents')
  await page.goto(`${platform().url}/projects/${projectId}/scenarios`)
  await page.getByRole('link', { name: /^Sale/ }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  shop.requests.length = 0
  await page.getByRole('dialog', { name: 'Run “Sale”' }).getByRole('button', { name: 'Start' }).click()
  await page.getByText('running', { exact: true }).first().waitFor()
  await page.getByRole('figure', { name: 'Users and requests', exact: true }).waitFor()
  await look('run-live')
  await page.getByText('finished', { exact: true }).first().waitFor()
  const row = page
    .getByRole('table', { name: 'Results' })
    .getByRole('row')
    .filter({ hasText: 'POST /api/orders' })
  const stored = shop.requests.filter(({ path, status }) => path === '/api/orders' && status === 201).length
  expect(stored).toBeGreaterThan(20)
  await expect
    .poll(async () => (await row.getByRole('cell').allInnerTexts())[1])
    .toBe(stored.toLocaleString('en'))
  await look('run')
})

test('its report is read, and saved as PDF', async () => {
  await page.getByRole('link', { name: 'Report', exact: true }).first().click()
  await page.waitForURL(/\/reports\/rep_/)
  await page.getByRole('heading', { name: 'Users and requests' }).waitFor()
  // What is far below is asked for when it comes near.
  const results = page.getByRole('table', { name: 'Results' }).first()
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 400)
      return results.isVisible()
    })
    .toBe(true)
  await look('report-of-run')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /PDF/ }).click()
  const download = await saved
  expect(download.suggestedFilename()).toMatch(/\.pdf$/)
  const bytes = await readFile(await download.path())
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(errors).toEqual([])
})
