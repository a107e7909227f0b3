import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { type Person, platform, signUp } from './person.ts'
import { recordShopHar } from './sample-shop/record-shop-har.ts'
import { startSampleShop, type SampleShop } from './sample-shop/start-sample-shop.ts'
import { waitForTask } from './world.ts'

let browser: Browser
let shop: SampleShop
let ada: Person
let page: Page
let virtualUserId: string
const errors: string[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  shop = await startSampleShop()
  const path = join(tmpdir(), `flamegate-pages-${process.pid}.har`)
  await recordShopHar(browser, shop.url, path)
  const har = await readFile(path)
  await rm(path)
  ada = await signUp('Validator')
  virtualUserId = await importHar(har)
  page = await (await browser.newContext({ viewport: { width: 1360, height: 900 } })).newPage()
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(`${platform().url}/log-in?return_to=/virtual-users/${virtualUserId}/validations`)
  await fillLogIn(page, ada.email, ada.password)
})

afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

async function importHar(har: Buffer): Promise<string> {
  const { project } = await ada.client.call(operations.createProject, {
    workspace_id: ada.workspaceId,
    name: 'Shop',
  })
  const { upload, task_id } = await ada.client.call(operations.importVirtualUser, {
    project_id: project.id,
    format: 'har',
    file_name: 'shop.har',
    size_bytes: har.length,
    name: 'Buyer',
    think_time_max_ms: 0,
  })
  if (upload === null) throw new Error('An upload was wanted')
  const { url, method, headers } = upload
  expect((await fetch(url, { method, headers, body: new Uint8Array(har) })).status).toBeLessThan(300)
  await waitForTask(ada, task_id)
  await ada.client.call(operations.createVariable, {
    project_id: project.id,
    name: 'password',
    type: 'secret',
    value: 'ann-password',
  })
  const { virtual_users } = await ada.client.call(operations.listVirtualUsers, { project_id: project.id })
  return virtual_users[0]?.id ?? ''
}

async function validate(button: string, iterations: string): Promise<void> {
  await page.getByRole('button', { name: button }).first().click()
  await page.getByLabel('Iterations').fill(iterations)
  await page.getByRole('button', { name: 'Start' }).click()
  await page.waitForURL(/\/validations\/val_/)
}

async function expectNoBarriers(): Promise<void> {
  const { violations } = await axeOn(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
}

test('a validation that fails says why, and lays what was sent beside the recording', async () => {
  await page.getByText('Never validated yet').waitFor()
  await validate('Validate it now', '1')
  await page.getByRole('heading', { name: 'Why it failed' }).waitFor()
  await page.getByText('Values that are the likely cause').waitFor()

  const table = page.getByRole('table', { name: 'Actions' })
  await table.getByRole('link', { name: 'GET /login' }).waitFor()
  await page.getByRole('button', { name: 'Outcome' }).click()
  await page.getByRole('option', { name: 'Failed' }).click()
  await table.getByRole('link', { name: 'GET /login' }).waitFor({ state: 'detached' })
  await table.getByRole('link', { name: 'POST /login' }).click()

  const viewer = page.getByRole('region', { name: 'Chosen action' })
  await viewer.getByText('As it was recorded').waitFor()
  await viewer.getByRole('tab', { name: 'Request' }).click()
  await viewer.getByRole('textbox', { name: 'Recorded request' }).waitFor()
  const recorded = await viewer.getByRole('textbox', { name: 'Recorded request' }).inputValue()
  expect(recorded).toContain('csrf_token')
  // The very request, and not what its redirect led to; where the secret is sent, it is dots.
  expect(recorded).toContain('user = ann')
  expect(await viewer.getByRole('textbox', { name: 'Replayed request' }).inputValue()).not.toContain(
    'ann-password',
  )
  await viewer.getByRole('tab', { name: 'Difference' }).click()
  await viewer.getByText('The form has expired').first().waitFor()
  await expectNoBarriers()
  await keepScreenshot(page, 'validation')

  // The address says all of it.
  await page.reload()
  await viewer.getByRole('tab', { name: 'Difference', selected: true }).waitFor()
  await viewer.getByRole('button', { name: 'Close' }).click()
  await viewer.waitFor({ state: 'detached' })
})

test('suggestions are shown with evidence, tried, applied, and undone', async () => {
  await page.getByRole('link', { name: 'See the suggestion' }).first().click()
  await page.waitForURL(/\/correlations\?suggestion=/)
  const cards = page.getByRole('list', { name: 'Suggestions' })
  await cards.getByText('${csrf_token}', { exact: true }).waitFor()
  await page.getByText(/^1 of \d+ selected$/).click()
  await expectNoBarriers()
  await keepScreenshot(page, 'correlations')
  const apply = async () => {
    await page.getByRole('button', { name: 'Apply the selected…' }).click()
    const dialog = page.getByRole('dialog', { name: 'What would change' })
    await dialog.getByRole('table').getByText('${csrf_token}', { exact: true }).waitFor()
    expect(await versionNow()).toBe(1 + applied)
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText(/taken from answers now/).waitFor()
  }
  let applied = 0
  await apply()
  await page.getByText('Nothing that looks dynamic').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('It is again as version 1 was.').waitFor()
  await cards.getByText('${csrf_token}', { exact: true }).waitFor()
  applied = 2
  if (await page.getByText(/^1 of \d+ selected$/).isVisible())
    await page.getByText(/^1 of \d+ selected$/).click()
  await apply()
})

async function versionNow(): Promise<number> {
  const { virtual_user } = await ada.client.call(operations.getVirtualUser, {
    virtual_user_id: virtualUserId,
  })
  return virtual_user.version
}

test('then it passes, in every iteration', async () => {
  await validate('Validate', '2')
  await page.getByText(/^All \d+ actions passed/).waitFor()
  const table = page.getByRole('table', { name: 'Actions' })
  await table.getByText('Iteration 2').waitFor()
  await page.getByRole('button', { name: 'Iteration' }).click()
  await page.getByRole('option', { name: 'Iteration 2' }).click()
  await table.getByText('Iteration 1').waitFor({ state: 'detached' })
  await table.getByRole('link', { name: 'GET /login' }).click()
  const viewer = page.getByRole('region', { name: 'Chosen action' })
  await viewer.getByText(/^Iteration 2,/).waitFor()
  const address = new URL(page.url())
  const detail = await ada.client.call(operations.getValidationFailureDetail, {
    validation_id: address.pathname.split('/').at(-1) ?? '',
    action_id: address.searchParams.get('action') ?? '',
  })
  expect(detail.action.iteration).toBe(1)
  await viewer.getByText(/^\$\{csrf_token\} = /).waitFor()

  await page.getByRole('link', { name: 'Validations' }).click()
  await page.getByRole('table', { name: 'Validations' }).getByText('passed', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Design check' }).click()
  await page.getByText('It never waits between requests.').waitFor()
})

test('the list of virtual users tells how the newest ended, without asking for each', async () => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page
    .getByRole('navigation', { name: 'Breadcrumb' })
    .getByRole('link', { name: 'Virtual users' })
    .click()
  const passed = page.getByRole('table', { name: 'Virtual users' }).getByRole('link', { name: 'passed' })
  await passed.waitFor()
  expect(asked.filter((path) => path.endsWith('/validations'))).toEqual([])
  await passed.click()
  await page.getByText(/^All \d+ actions passed/).waitFor()
})

test('a validation that runs shows how far it is, and is cancelled', async () => {
  const { virtual_user } = await ada.client.call(operations.getVirtualUser, {
    virtual_user_id: virtualUserId,
  })
  const minute = { type: 'delay', duration: { distribution: 'constant', ms: 60_000 } }
  await ada.client.call(operations.patchVirtualUser, {
    virtual_user_id: virtualUserId,
    patch: [{ op: 'add', path: '/actions/-', value: { id: 'act_last', name: 'Wait', ...minute } }],
    if_version: virtual_user.version,
  })
  await page.goto(`${platform().url}/virtual-users/${virtualUserId}/validations`)
  await validate('Validate', '1')
  await page.getByText('running', { exact: true }).waitFor()
  await page.getByRole('table', { name: 'Actions' }).getByRole('link', { name: 'GET /login' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('cancelled', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Validate again' }).waitFor()
  await page
    .getByRole('navigation', { name: 'Breadcrumb' })
    .getByRole('link', { name: 'Virtual users' })
    .click()
  await page.getByRole('table', { name: 'Virtual users' }).getByRole('link', { name: 'cancelled' }).waitFor()
  expect(errors).toEqual([])
})
