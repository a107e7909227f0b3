import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { invite, type Person, platform, signUp } from './person.ts'

/** Scenarios as a person makes and changes them, in a real browser. */

let browser: Browser
let person: Person
let page: Page
let projectId: string

beforeAll(async () => {
  browser = await launchBrowser()
  person = await signUp('Staging')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Shop',
  })
  projectId = project.id
  await makeUser('Buyer')
  page = await pageOf(person)
})
afterAll(() => browser?.close())

async function pageOf({ email, password }: Person): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const own = await context.newPage()
  await own.goto(`${platform().url}/log-in`)
  await fillLogIn(own, email, password)
  await own.waitForURL((url) => url.pathname !== '/log-in')
  return own
}

async function makeUser(name: string): Promise<string> {
  const { http_server } = await person.client.call(operations.createHttpServer, {
    project_id: projectId,
    name: `Server of ${name}`,
    base_url: 'https://shop.invalid',
  })
  const request = { type: 'http_request', id: 'act_1', method: 'GET', server_id: http_server.id, path: '/' }
  const actions = [{ type: 'container', id: 'act_0', name: 'checkout', actions: [request] }]
  const { virtual_user } = await person.client.call(operations.createVirtualUser, {
    project_id: projectId,
    name,
    document: { actions },
  })
  return virtual_user.id
}

async function made(name: string): Promise<string> {
  const { scenario } = await person.client.call(operations.createScenario, {
    project_id: projectId,
    name,
    virtual_user_ids: [await makeUser(`User of ${name}`)],
    load: { type: 'ramp_up', users: 50, ramp_up_ms: 30_000, plateau_ms: 60_000 },
  })
  return scenario.id
}

const open = (path: string) => page.goto(new URL(path, platform().url).href)
const saved = async (id: string) =>
  (await person.client.call(operations.getScenario, { scenario_id: id })).document
const save = (version: number) =>
  Promise.all([
    page.getByText(`Version ${version} is saved.`).first().waitFor(),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ])
const violationsOf = async () => (await axeOn(page).analyze()).violations.map(({ id }) => id)
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const chart = (unit: string) => page.getByRole('img', { name: new RegExp(`^${unit} over`) })

test('a scenario of a virtual user is made from the list, and opens', async () => {
  await open(`/projects/${projectId}/scenarios`)
  await page.getByText('No scenarios yet').waitFor()
  expect(await violationsOf()).toEqual([])
  await page.getByRole('button', { name: 'New scenario' }).click()
  await field('Name').fill('Sale')
  await page.getByRole('button', { name: /^Buyer/ }).waitFor()
  expect(await violationsOf()).toEqual([])
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Sale', level: 1 }).waitFor()
  // Not lost with the dialog that led here.
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
  await expect.poll(() => chart('Users').getAttribute('aria-label')).toBe('Users over 5 min, at most 10')
})

test('pacing, line, connections, protocol and proxy of a profile are set on its card', async () => {
  const id = await made('Far')
  await open(`/scenarios/${id}`)
  await page.getByRole('button', { name: 'More settings of User of Far' }).click()
  const choose = async (select: RegExp, choice: string) => {
    await page.getByRole('button', { name: select }).click()
    await page.getByRole('option', { name: choice, exact: true }).click()
  }
  await choose(/Kind of pacing/, 'Always the same')
  await field('Time (ms)').fill('5000')
  await field('Download, bits per second').fill('1600000')
  await field('Upload, bits per second').fill('768000')
  await field('Added round trip (ms)').fill('150')
  await page.getByText('Keep connections alive').click()
  await choose(/Protocol/, 'HTTP/2')
  await field('Proxy').fill('http://ann:${password}@proxy.example.com:3128')
  expect(await violationsOf()).toEqual([])
  await keepScreenshot(page, 'scenario-reaching-servers')
  await save(2)
  expect(await saved(id)).toMatchObject({
    profiles: [
      {
        pacing: { distribution: 'constant', ms: 5000 },
        network: {
          download_bits_per_second: 1_600_000,
          upload_bits_per_second: 768_000,
          latency_ms: 150,
        },
        keep_alive: false,
        http_version: 'h2',
        proxy_url: 'http://ann:${password}@proxy.example.com:3128',
      },
    ],
  })
})

test('the curve is drawn while it is written, and what is saved is what was written', async () => {
  const id = await made('Drawn')
  await open(`/scenarios/${id}`)
  await chart('Users').waitFor()
  await field('Users').fill('80')
  await field('Plateau').fill('2 min')
  await expect.poll(() => chart('Users').getAttribute('aria-label')).toBe('Users over 2 min 30 s, at most 80')
  await field('Ramp-up').fill('soon')
  await page.getByText('Not drawn: User of Drawn.').waitFor()
  await field('Ramp-up').fill('1 min')
  await page.getByRole('button', { name: 'More settings of User of Drawn' }).click()
  await field('Variables of this profile').fill('currency=EUR\nempty=')
  await field('Starts after').fill('5 s')
  await page.getByRole('button', { name: 'Add a threshold' }).click()
  await field('Threshold 1').fill('p95 latency < 4')
  await page.getByText(/^Name a metric here/).waitFor()
  await field('Threshold 1').fill('p95 duration of container checkout < 400 ms')
  await page.getByText(/^Name a metric here/).waitFor({ state: 'detached' })
  expect(await violationsOf()).toEqual([])
  await save(2)
  const document = await saved(id)
  expect(document).toMatchObject({
    profiles: [
      {
        load: { type: 'ramp_up', users: 80, ramp_up_ms: 60_000, plateau_ms: 120_000 },
        start_delay_ms: 5000,
        variables: { currency: 'EUR', empty: '' },
      },
    ],
    thresholds: [
      {
        metric: 'duration',
        statistic: 'p95',
        scope: { type: 'container', name: 'checkout' },
        operator: '<',
        value: 400,
      },
    ],
  })
  await expect
    .poll(() => field('Threshold 1').inputValue())
    .toBe('p95 duration of container "checkout" < 400 ms')
})

test('profiles are added with another load, undone and done again', async () => {
  const id = await made('Two')
  // A profile is added for one of the virtual users: not before it is known which there are.
  const { promise: isSeen, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/v1/projects/*/virtual-users?*', async (route) => {
    await isSeen
    await route.continue()
  })
  await open(`/scenarios/${id}`)
  await chart('Users').waitFor()
  const add = page.getByRole('button', { name: 'Add a profile' })
  await expect.poll(() => add.isDisabled()).toBe(true)
  goOn()
  await add.click()
  await page.unroute('**/v1/projects/*/virtual-users?*')
  const second = page.getByRole('listitem').filter({ hasText: 'ramp up, 10 users, 5 min' }).last()
  await second.getByRole('button', { name: /Kind of load/ }).click()
  await page.getByRole('option', { name: 'Spikes of arrivals' }).click()
  await chart('Iterations per second').waitFor()
  await expect
    .poll(() => chart('Iterations per second').getAttribute('aria-label'))
    .toBe('Iterations per second over 5 min, at most 50')
  await page.getByRole('button', { name: /^Undo/ }).click()
  await chart('Iterations per second').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Redo/ }).click()
  await chart('Iterations per second').waitFor()
  await save(2)
  expect(await saved(id)).toMatchObject({
    profiles: [{ id: 'profile_1' }, { id: 'profile_2', load: { type: 'spikes', users_max: 1000 } }],
  })
  await keepScreenshot(page, 'scenario-editor')
  await page.emulateMedia({ colorScheme: 'dark' })
  await keepScreenshot(page, 'scenario-editor-dark')
  expect(await violationsOf()).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
})

test('what cannot be is told at its place, and stays unsaved', async () => {
  const id = await made('Refused')
  await open(`/scenarios/${id}`)
  await field('Users').fill('many')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const alert = page.getByRole('alert')
  await alert.getByText('It was not saved').waitFor()
  await expect.poll(() => alert.innerText()).toMatch(/User of Refused \/load\/users/)
  expect(await saved(id)).toMatchObject({ profiles: [{ load: { users: 50 } }] })
  expect(await violationsOf()).toEqual([])
})

test('who saves too late sees what was saved, and puts theirs on top', async () => {
  const id = await made('Late')
  await open(`/scenarios/${id}`)
  await field('Users').fill('70')
  await person.client.call(operations.patchScenario, {
    scenario_id: id,
    patch: [{ op: 'replace', path: '/description', value: 'By somebody else' }],
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const note = page.getByRole('alert', { name: 'A newer version' })
  await note.getByText('"By somebody else"').waitFor()
  expect(await violationsOf()).toEqual([])
  await note.getByRole('button', { name: 'Apply mine on top' }).click()
  await save(3)
  expect(await saved(id)).toMatchObject({
    description: 'By somebody else',
    profiles: [{ load: { users: 70 } }],
  })
})

test('what is being saved is no newer version of somebody else, however long the pre-flight takes', async () => {
  const id = await made('Slow to check')
  await open(`/scenarios/${id}`)
  await page.getByText('It cannot run yet').waitFor()
  const { promise: isSeen, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/v1/scenarios/*/preflight*', async (route) => {
    await isSeen
    await route.continue()
  })
  await field('Users').fill('70')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(/^Version 2/).waitFor()
  expect(await page.getByRole('alert', { name: 'A newer version' }).count()).toBe(0)
  goOn()
  await page.getByText('Version 2 is saved.').first().waitFor()
  await page.unroute('**/v1/scenarios/*/preflight*')
})

test('the pre-flight tells what is missing, with the way to mend it', async () => {
  const id = await made('Checked')
  await open(`/scenarios/${id}`)
  await page.getByText('It cannot run yet').waitFor()
  await page.getByText('shop.invalid is not verified.').waitFor()
  await page.getByText('No agent of the group default is online.').waitFor()
  await page.getByRole('link', { name: 'Verify the host' }).click()
  await page.getByRole('heading', { name: 'Targets', level: 1 }).waitFor()
})

test('an earlier version comes back', async () => {
  const id = await made('Back')
  await person.client.call(operations.patchScenario, {
    scenario_id: id,
    patch: [{ op: 'replace', path: '/profiles/0/load/users', value: 9 }],
  })
  await open(`/scenarios/${id}/versions`)
  await page.getByText('/load/users', { exact: true }).waitFor()
  expect(await violationsOf()).toEqual([])
  await page.getByRole('button', { name: 'Restore… version 1' }).click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('Version 3 is as version 1 was.').first().waitFor()
  expect(await saved(id)).toMatchObject({ profiles: [{ load: { users: 50 } }] })
})

test('the list finds, duplicates, deletes and brings back', async () => {
  await made('Listed')
  await open(`/projects/${projectId}/scenarios?search=Listed`)
  const rows = page.getByRole('table', { name: 'Scenarios' }).getByRole('row')
  await expect.poll(() => rows.count()).toBe(2)
  await expect.poll(() => rows.last().innerText()).toContain('ramp up, 50 users, 1 min 30 s')
  await page.getByRole('button', { name: 'More actions: Listed' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.getByRole('button', { name: 'More actions: Listed (2)' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('“Listed (2)” is deleted.').first().waitFor()
  await page.getByRole('button', { name: 'Deleted', exact: true }).click()
  await page.getByRole('button', { name: 'Bring back Listed (2)' }).click()
  await page.getByText('“Listed (2)” is back.').first().waitFor()
  await open(`/projects/${projectId}/scenarios`)
  await page.getByRole('table', { name: 'Scenarios' }).waitFor()
  expect(await violationsOf()).toEqual([])
  await keepScreenshot(page, 'scenarios')
})

test('who may only read sees it, and nothing to change it with', async () => {
  const id = await made('Read only')
  const viewer = await invite(person, 'viewer', 'Watcher')
  const own = await pageOf(viewer)
  await own.goto(new URL(`/scenarios/${id}`, platform().url).href)
  await own.getByRole('img', { name: /^Users over/ }).waitFor()
  expect(await own.getByRole('button', { name: 'Add a profile' }).count()).toBe(0)
  await expect.poll(() => own.getByRole('textbox', { name: 'Users', exact: true }).isDisabled()).toBe(true)
  await own.getByRole('button', { name: 'More settings of User of Read only' }).click()
  await expect.poll(() => own.getByRole('textbox', { name: 'Think time factor' }).isDisabled()).toBe(true)
  await own.context().close()
})

test('fits a narrow screen', async () => {
  const id = await made('Narrow')
  const context = await browser.newContext({
    viewport: { width: 390, height: 800 },
    storageState: await page.context().storageState(),
  })
  const own = await context.newPage()
  await own.goto(new URL(`/scenarios/${id}`, platform().url).href)
  await own.getByRole('img', { name: /^Users over/ }).waitFor()
  expect(await own.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  await keepScreenshot(own, 'scenario-editor-narrow')
  await context.close()
})
