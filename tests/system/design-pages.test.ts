import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, launchBrowser } from './browser.ts'
import { invite, type Person, platform, signUp } from './person.ts'
import { waitForTask } from './world.ts'

let browser: Browser
let grace: Person
let viewer: Person
let projectId: string
let page: Page
const errors: string[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  grace = await signUp('Designer')
  viewer = await invite(grace, 'viewer', 'Onlooker')
  const { project } = await grace.client.call(operations.createProject, {
    workspace_id: grace.workspaceId,
    name: 'Design',
  })
  projectId = project.id
  page = await open(grace, 'variables')
})
afterAll(() => browser?.close())

async function open(person: Person, name: string): Promise<Page> {
  const opened = await (await browser.newContext()).newPage()
  opened.on('pageerror', (error) => errors.push(error.message))
  await opened.goto(`${platform().url}/log-in?return_to=/projects/${projectId}/${name}`)
  await fillLogIn(opened, person.email, person.password)
  await opened.getByRole('heading', { level: 1 }).waitFor()
  return opened
}

const goTo = (name: string) => page.goto(`${platform().url}/projects/${projectId}/${name}`)

async function choose(label: string, option: string): Promise<void> {
  await page.getByRole('button', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

async function moreOf(name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More actions: ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

async function expectNoBarriers(): Promise<void> {
  const { violations } = await axeOn(page).analyze()
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
}

async function variables() {
  return (await grace.client.call(operations.listVariables, { project_id: projectId })).variables
}

test('a variable is made, changed, deleted and brought back; a mistake is told at its field', async () => {
  await page.getByText('No variables yet').waitFor()
  await page.getByRole('button', { name: 'New variable' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('7th')
  await choose('Type', 'Random number')
  await dialog.getByLabel('At most').fill('9')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog
    .getByText(/Begin with a letter/)
    .first()
    .waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('dice')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('1 to 9').waitFor()

  await moreOf('dice', 'Change…')
  await dialog.getByLabel('At most').fill('6')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('1 to 6').waitFor()
  expect(await variables()).toMatchObject([{ name: 'dice', version: 2, settings: { min: 1, max: 6 } }])
  await expectNoBarriers()

  await moreOf('dice', 'Delete…')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No variables yet').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('1 to 6').waitFor()
})

test('the value of a secret is given once and never shown', async () => {
  await page.getByRole('button', { name: 'New variable' }).click()
  const dialog = page.getByRole('dialog')
  await choose('Type', 'Secret')
  await dialog.getByLabel('Name', { exact: true }).fill('api_token')
  await dialog.getByLabel('Value', { exact: true }).fill('sesame')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('••••••').waitFor()
  await moreOf('api_token', 'Change…')
  await expect.poll(() => dialog.getByLabel('New value').inputValue()).toBe('')
  await dialog.getByLabel('New value').fill('open sesame')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain('sesame')
  expect((await variables()).find(({ name }) => name === 'api_token')?.version).toBe(2)
})

test('a server is made, gets its authentication, and leads to proving its host', async () => {
  await goTo('http-servers')
  await page.getByRole('button', { name: 'New server' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('shop')
  await dialog.getByLabel('Base URL').fill('https://shop.invalid')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Change shop' }).waitFor()
  await choose('Kind of authentication', 'Bearer token')
  await dialog.getByRole('textbox', { name: 'Token' }).fill('${api_token}')
  await dialog.getByRole('button', { name: 'Add a header' }).click()
  await dialog.getByRole('group', { name: 'Headers of every request' }).getByLabel('Name').fill('x-test')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'bearer' }).waitFor()
  const { http_servers } = await grace.client.call(operations.listHttpServers, { project_id: projectId })
  expect(http_servers).toMatchObject([{ authentication: 'bearer', header_names: ['x-test'] }])
  await expectNoBarriers()

  // A secret that a server names is in use.
  await goTo('variables')
  await moreOf('api_token', 'Delete…')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page
    .getByRole('alert')
    .getByText(/is used by shop/)
    .waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()

  await goTo('http-servers')
  await page.getByRole('link', { name: 'Verify shop' }).click()
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await dialog.getByLabel('Token', { exact: true }).waitFor()
  await expect.poll(() => dialog.getByLabel('Token', { exact: true }).inputValue()).toMatch(/^flamegate-/)
  await dialog.getByRole('button', { name: 'Check now' }).click()
  await dialog.getByText(/^Not found yet:/).waitFor()
  await dialog.getByRole('button', { name: 'Later' }).click()
  await page.getByText('not verified', { exact: true }).waitFor()
  await expectNoBarriers()
  await moreOf('shop.invalid', 'Remove…')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No targets yet').waitFor()
})

test('a rule is made and switched off', async () => {
  await goTo('correlation-rules')
  await page.getByText('Ruby on Rails').waitFor()
  await page.getByRole('button', { name: 'New rule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('CSRF')
  await dialog.getByLabel('Variable').fill('csrf')
  await dialog.getByLabel('Pattern').fill('csrf="(')
  await dialog.getByText('Paths').click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Pattern').fill('csrf="(.+?)"')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('regex csrf="(.+?)"').waitFor()
  await page.getByText('CSRF is on').locator('..').click()
  await expect
    .poll(async () => {
      const { rules } = await grace.client.call(operations.listCorrelationRules, { project_id: projectId })
      return rules.map(({ enabled, targets }) => [enabled, targets.join()])
    })
    .toEqual([[false, 'query,header,body']])
  await expectNoBarriers()
})

/** The values of a field before and after, as the page shows them. */
async function shownChange(pointer: string): Promise<string[]> {
  const change = page.locator('dl > div', { has: page.getByText(pointer, { exact: true }) })
  await change.waitFor()
  return change.locator('code').allInnerTexts()
}

const versionsOf = (name: string) => page.getByRole('link', { name: new RegExp(`^Version \\d+ of ${name}$`) })

const restore = async (version: number) => {
  await page.getByRole('button', { name: `Restore… version ${version}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore', exact: true }).click()
}

test('two versions of a variable are compared, and one is gone back to, as a new one', async () => {
  await goTo('variables')
  await versionsOf('dice').click()
  await page.getByRole('heading', { level: 1, name: 'Versions of dice' }).waitFor()
  const table = page.getByRole('table', { name: 'Versions' })
  await page.getByRole('heading', { name: 'From version 1 to 2' }).waitFor()
  await expect.poll(() => table.getByRole('row').count()).toBe(3)
  expect(await shownChange('/max')).toEqual(['9', '6'])
  await expectNoBarriers()

  await restore(1)
  await page.getByText('Version 3 is as version 1 was.').waitFor()
  await table.getByText('Back to version 1').waitFor()
  await page.getByRole('heading', { name: 'From version 2 to 3' }).waitFor()
  // The heading may be there before the change is another one.
  await expect.poll(() => shownChange('/max')).toEqual(['6', '9'])
  expect((await variables()).find(({ name }) => name === 'dice')).toMatchObject({
    version: 3,
    settings: { max: 9 },
  })

  await choose('Earlier version', 'Version 1')
  await page.getByText('They are the same.').waitFor()
  expect(new URL(page.url()).search).toBe('?compare=1&with=3')
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Variables' }).click()
  await page.getByText('1 to 9').waitFor()
})

test('a server and a rule have their versions too', async () => {
  await goTo('http-servers')
  await versionsOf('shop').click()
  expect(await shownChange('/authentication/type')).toEqual(['"none"', '"bearer"'])
  expect(await shownChange('/authentication/token')).toEqual(['"${api_token}"'])
  await restore(1)
  await page.getByText('Version 3 is as version 1 was.').waitFor()
  const { http_servers } = await grace.client.call(operations.listHttpServers, { project_id: projectId })
  expect(http_servers).toMatchObject([{ authentication: 'none', header_names: [], version: 3 }])

  await goTo('correlation-rules')
  await versionsOf('CSRF').click()
  expect(await shownChange('/enabled')).toEqual(['true', 'false'])
  await expectNoBarriers()
})

test('what is deleted keeps its versions, and comes back from there', async () => {
  const { variable } = await grace.client.call(operations.createVariable, {
    project_id: projectId,
    name: 'gone',
    type: 'constant',
    value: '1',
  })
  await grace.client.call(operations.patchDesignObject, {
    object_id: variable.id,
    patch: [{ op: 'replace', path: '/value', value: '2' }],
  })
  await grace.client.call(operations.deleteVariable, { variable_id: variable.id })
  await page.goto(`${platform().url}/design-objects/${variable.id}/versions`)
  await page.getByText('gone is deleted. Its versions stay.').waitFor()
  expect(await shownChange('/value')).toEqual(['"1"', '"2"'])
  expect(await page.getByRole('button', { name: /^Restore/ }).count()).toBe(0)
  await expectNoBarriers()
  await page.getByRole('button', { name: 'Bring back' }).click()
  await page.getByText('gone is back.').waitFor()
  await page.getByText('gone is deleted. Its versions stay.').waitFor({ state: 'detached' })
  expect((await variables()).map(({ name }) => name)).toContain('gone')
  await page.getByRole('button', { name: 'Restore… version 1' }).waitFor()
})

test('a file is uploaded into a folder, replaced, deleted and brought back', async () => {
  await goTo('files')
  await page.getByText('No files yet').waitFor()
  await page.getByLabel('Folder').fill('data')
  const upload = async (text: string) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload files…' }).click()
    await (await chooser).setFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  }
  await upload('name\nada\n')
  await page.getByRole('table', { name: 'Files' }).getByText('data/users.csv').waitFor()
  await upload('name\nada\ngrace\n')
  await page.getByRole('button', { name: '2 versions of data/users.csv' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use this one: 9 B' }).click()
  await page.getByText('data/users.csv is back.').waitFor()
  expect((await files())[0]?.size).toBe(9)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expectNoBarriers()
  await moreOf('data/users.csv', 'Delete…')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('deleted', { exact: true }).waitFor()
  await moreOf('data/users.csv', 'Bring back')
  await page.getByText('deleted', { exact: true }).waitFor({ state: 'detached' })
  expect((await files())[0]?.size).toBeDefined()
})

async function files() {
  const listed = await grace.client.call(operations.listProjectFiles, { project_id: projectId })
  return listed.files.map(({ file_id, versions }) => ({
    size: versions.find((version) => version.file_id === file_id)?.size_bytes,
  }))
}

test('a viewer sees all of it and changes nothing', async () => {
  const { task_id } = await grace.client.call(operations.uploadProjectFile, {
    project_id: projectId,
    path: 'seen.csv',
    content: 'a\n',
  })
  await waitForTask(grace, task_id)
  const seen = await open(viewer, 'files')
  await seen.getByText('seen.csv').waitFor()
  expect(await seen.getByRole('button', { name: 'Upload files…' }).count()).toBe(0)
  await seen.getByRole('link', { name: 'Variables' }).click()
  await seen.getByText('${dice}').waitFor()
  expect(await seen.getByRole('button', { name: /New variable|More actions/ }).count()).toBe(0)
  await seen.getByRole('link', { name: 'Version 3 of dice' }).click()
  await seen.getByRole('heading', { name: 'From version 2 to 3' }).waitFor()
  expect(await seen.getByRole('button', { name: /^Restore/ }).count()).toBe(0)
  expect(errors).toEqual([])
})
