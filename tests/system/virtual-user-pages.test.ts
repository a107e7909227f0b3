import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser, nextFrames, openSettled } from './browser.ts'
import { invite, type Person, platform, signUp } from './person.ts'
import { waitForTask } from './world.ts'

/** Virtual users as a person brings them in and changes them, in a real browser. */

let browser: Browser
let person: Person
let page: Page
let projectId: string

const commands = `curl 'https://shop.invalid/cart?page=1'
curl 'https://shop.invalid/login' -d 'user=ada'
curl https://shop.invalid/logout`

beforeAll(async () => {
  browser = await launchBrowser()
  person = await signUp('Rehearsing')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Shop',
  })
  projectId = project.id
  page = await pageOf(person)
})
afterAll(() => browser?.close())

async function pageOf({ email, password }: Person): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const own = await context.newPage()
  await own.goto(`${platform().url}/log-in`)
  await fillLogIn(own, email, password)
  await own.waitForURL((url) => url.pathname !== '/log-in')
  return own
}

/** A new virtual user with the requests `GET /cart`, `POST /login` and `GET /logout`. */
async function imported(name: string): Promise<string> {
  const { task_id } = await person.client.call(operations.importVirtualUser, {
    project_id: projectId,
    format: 'curl',
    name,
    content: commands,
  })
  await waitForTask(person, task_id)
  const { virtual_users } = await person.client.call(operations.listVirtualUsers, {
    project_id: projectId,
    search: name,
  })
  return virtual_users[0]!.id
}

const open = (path: string) => page.goto(new URL(path, platform().url).href)
const inAddress = (name: string) => new URL(page.url()).searchParams.get(name)
const tree = () => page.getByRole('treegrid', { name: 'Actions' })
const row = (name: string | RegExp) => tree().getByRole('row', { name })
/** Actions as the tree shows them, with a mark for each level that they are inside. */
const drawn = async () => {
  const rows = await tree().getByRole('row').all()
  return Promise.all(
    rows.map(async (each) => {
      const level = Number(await each.getAttribute('aria-level'))
      const words = ((await each.textContent()) ?? '').replace(/(?:GET|POST) shop\.invalid.*$/, '')
      return `${'· '.repeat(level - 1)}${words}`
    }),
  )
}
const saved = async (virtualUserId: string) =>
  (await person.client.call(operations.getVirtualUserDocument, { virtual_user_id: virtualUserId })).document
const save = (version: number) =>
  Promise.all([
    page.getByText(`Version ${version} is saved.`).first().waitFor(),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ])
const violationsOf = async () => (await axeOn(page).analyze()).violations.map(({ id }) => id)

test('text is pasted, recognised and imported, and the report tells of each element', async () => {
  await open(`/projects/${projectId}/virtual-users`)
  await page.getByText('No virtual users yet').waitFor()
  await page.getByRole('link', { name: 'Import' }).click()
  await page.getByRole('textbox', { name: 'Or paste text' }).fill(commands)
  await page.getByRole('button', { name: /cURL command lines/ }).waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Pasted')
  expect(await violationsOf()).toEqual([])
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('elements read').waitFor()
  const approximated = page.getByRole('button', { name: /\d+ approximated/ })
  await expect.poll(() => approximated.innerText()).toBe('3 approximated')
  await approximated.click()
  await expect.poll(() => inAddress('outcome')).toBe('approximated')
  await page.getByRole('searchbox', { name: 'Find an element' }).fill('logout')
  const elements = page.getByRole('table', { name: 'Elements' }).getByRole('row')
  await expect.poll(() => elements.count()).toBe(2)
  await expect.poll(() => elements.last().innerText()).toContain('shop.invalid is no verified target')
  expect(await violationsOf()).toEqual([])
  await keepScreenshot(page, 'import-report')
  await page.getByRole('link', { name: /^Show the action of/ }).click()
  await page.getByRole('heading', { name: 'GET /logout' }).waitFor()
  await page.getByText('shop.invalid is no verified target').waitFor()
})

test('a file is uploaded; one that cannot be read is told with its reason', async () => {
  await open(`/projects/${projectId}/virtual-users/import`)
  const choose = async (name: string, content: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
  await choose('broken.har', '{"log":{"entries":[')
  await page.getByRole('button', { name: /HAR, recorded by a browser/ }).waitFor()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('It could not be imported').waitFor()
  await page.getByRole('link', { name: 'Import something else' }).click()
  await choose('addresses.txt', 'https://shop.invalid/\nhttps://shop.invalid/cart\n')
  await page.getByRole('button', { name: /List of addresses/ }).waitFor()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: 'Import of addresses.txt' }).waitFor()
})

test('who leaves while a source is sent is not led to its report', async () => {
  await open(`/projects/${projectId}/virtual-users/import`)
  await page.getByRole('textbox', { name: 'Or paste text' }).fill(commands)
  const { promise: hasLeft, resolve: goOn } = Promise.withResolvers<void>()
  const imports = '**/v1/projects/*/virtual-users/imports'
  await page.route(imports, async (route) => {
    await hasLeft
    await route.continue()
  })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('button', { name: 'Importing…' }).waitFor()
  await page.getByRole('link', { name: 'Scenarios', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Scenarios', level: 1 }).waitFor()
  const answered = page.waitForResponse(imports)
  goOn()
  await (await answered).finished()
  await nextFrames(page)
  expect(new URL(page.url()).pathname).toBe(`/projects/${projectId}/scenarios`)
  await page.unroute(imports)
})

/** A thread group of a JMeter plan with one request. */
const threadGroup = (name: string, path: string) => `
  <ThreadGroup testclass="ThreadGroup" testname="${name}" enabled="true"/><hashTree>
    <HTTPSamplerProxy testclass="HTTPSamplerProxy" testname="${name} asks" enabled="true">
      <stringProp name="HTTPSampler.domain">shop.invalid</stringProp><stringProp name="HTTPSampler.protocol">https</stringProp>
      <stringProp name="HTTPSampler.path">${path}</stringProp><stringProp name="HTTPSampler.method">GET</stringProp>
    </HTTPSamplerProxy><hashTree/>
  </hashTree>`

test('each row of a report leads to its action, in whichever virtual user that is', async () => {
  await open(`/projects/${projectId}/virtual-users/import`)
  await page.getByRole('textbox', { name: 'Or paste text' })
    .fill(`<?xml version="1.0"?><jmeterTestPlan version="1.2"><hashTree>
      <TestPlan testclass="TestPlan" testname="Both" enabled="true"/><hashTree>
        ${threadGroup('Readers', '/read')}${threadGroup('Writers', '/write')}
      </hashTree></hashTree></jmeterTestPlan>`)
  await page.getByRole('button', { name: /JMeter test plan/ }).waitFor()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('elements read').waitFor()
  const report = page.url()
  for (const [name, path] of [
    ['Readers', '/read'],
    ['Writers', '/write'],
  ] as const) {
    /* oxlint-disable no-await-in-loop -- there is one window */
    await page.getByRole('link', { name: `Show the action of ${name} asks` }).click()
    await page.getByRole('heading', { level: 1, name: new RegExp(name) }).waitFor()
    await page.getByRole('region', { name: `${name} asks` }).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Path', exact: true }).inputValue()).toBe(path)
    await page.goto(report)
    /* oxlint-enable no-await-in-loop */
  }
})

/** An entry of a HAR, which began so many seconds after 10:00 UTC. */
const harEntry = (path: string, second: number) => ({
  startedDateTime: `2026-11-21T12:00:0${second}.000+02:00`,
  time: 1,
  request: { method: 'GET', url: `https://shop.invalid${path}`, httpVersion: 'HTTP/1.1', headers: [] },
  response: { status: 200, statusText: 'OK', httpVersion: 'HTTP/1.1', headers: [], content: { size: 0 } },
  timings: { send: 0, wait: 1, receive: 0 },
})

test('a recording is divided by the times that are given with it', async () => {
  await open(`/projects/${projectId}/virtual-users/import`)
  await page
    .getByRole('textbox', { name: 'Or paste text' })
    .fill(JSON.stringify({ log: { version: '1.2', entries: [harEntry('/in', 0), harEntry('/buy', 1)] } }))
  await page.getByRole('textbox', { name: 'Name' }).fill('Divided')
  await page.getByRole('button', { name: 'Options' }).click()
  const timeline = page.getByRole('textbox', { name: 'Containers by time' })
  await timeline.fill('at noon: Enter')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('Write it as 2026-11-21T10:00:00Z Name.').waitFor()
  expect(await violationsOf()).toEqual([])
  await timeline.fill('2026-11-21T12:00:00+02:00 Enter\n2026-11-21T10:00:01Z Pay for it')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('link', { name: 'Open Divided' }).click()
  await row('Pay for it').waitFor()
  await expect.poll(drawn).toEqual(['Enter', '· GET /in', 'Pay for it', '· GET /buy'])
})

test('actions are added, moved, undone and saved by keyboard', async () => {
  const id = await imported('By keyboard')
  await open(`/virtual-users/${id}`)
  await row(/GET \/cart/).click()
  await expect.poll(() => inAddress('action')).not.toBeNull()
  await page.getByRole('button', { name: 'Add', exact: true }).press('Enter')
  await page.getByRole('menuitem', { name: 'Container' }).press('Enter')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Visit')
  await expect.poll(drawn).toEqual(['GET /cart', 'Visit', 'POST /login', 'GET /logout'])

  await row(/POST/).click()
  await page.keyboard.press('Control+]')
  await expect.poll(drawn).toEqual(['GET /cart', 'Visit', '· POST /login', 'GET /logout'])
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => row(/logout/).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(drawn).toEqual(['GET /cart', 'GET /logout', 'Visit', '· POST /login'])
  await page.keyboard.press('Control+z')
  await expect.poll(drawn).toEqual(['GET /cart', 'Visit', '· POST /login', 'GET /logout'])
  await page.keyboard.press('Control+d')
  await expect.poll(async () => (await drawn()).length).toBe(5)
  await page.keyboard.press('Control+x')
  await row('Visit').click()
  await page.keyboard.press('Control+v')
  await expect.poll(drawn).toEqual(['GET /cart', 'Visit', '· POST /login', 'GET /logout', 'GET /logout'])
  await page.keyboard.press('Delete')
  await expect.poll(drawn).toEqual(['GET /cart', 'Visit', '· POST /login', 'GET /logout'])
  await page.getByRole('button', { name: 'Validate…' }).click()
  await page.getByRole('dialog').getByText('What you changed since is not saved').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('textbox', { name: 'Name of the version' }).fill('With a visit')
  await save(2)
  expect(await saved(id)).toMatchObject({
    actions: [
      { name: 'GET /cart' },
      { name: 'Visit', type: 'container', actions: [{ name: 'POST /login' }] },
      { name: 'GET /logout' },
    ],
  })
  expect(await page.getByRole('form', { name: 'Unsaved changes' }).count()).toBe(0)
})

test('a virtual user is called by its new name as soon as that is saved', async () => {
  const id = await imported('Called')
  await open(`/virtual-users/${id}`)
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Called anew')
  await save(2)
  await page.getByRole('heading', { name: 'Called anew', level: 1 }).waitFor()
})

test('an action is dragged to another place', async () => {
  const id = await imported('Dragged')
  // Rows are drawn anew when it is known who may move them, and where their servers are.
  await openSettled(page, new URL(`/virtual-users/${id}`, platform().url).href)
  await row(/logout/).hover()
  const [from, to] = [await row(/logout/).boundingBox(), await row(/cart/).boundingBox()]
  await page.mouse.down()
  await page.mouse.move(from!.x + 100, from!.y - 5, { steps: 4 })
  await page.mouse.move(to!.x + 100, to!.y + 3, { steps: 8 })
  await page.mouse.up()
  await expect.poll(drawn).toEqual(['GET /logout', 'GET /cart', 'POST /login'])
  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(drawn).toEqual(['GET /cart', 'POST /login', 'GET /logout'])
})

test('what is not valid is told at its place, in the form and in the JSON', async () => {
  const id = await imported('Not valid')
  await open(`/virtual-users/${id}`)
  await row(/POST/).click()
  await page.getByRole('button', { name: /Add an extractor/ }).click()
  await page.getByRole('option', { name: 'JSONPath' }).click()
  await page.getByRole('textbox', { name: 'Into the variable' }).fill('not a name')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('It was not saved').waitFor()
  await page.getByRole('group', { name: 'Extractors' }).getByText('Begin with a letter').waitFor()
  await row(/cart/).click()
  await page.getByRole('alert').getByRole('button', { name: 'POST /login' }).click()
  await page.getByRole('button', { name: 'JSON' }).click()
  const json = page.getByRole('textbox', { name: 'JSON of the action' })
  const line = await page.getByRole('button', { name: '/extractors/0/variable' }).innerText()
  const lines = (await json.inputValue()).split('\n')
  expect(lines[Number(/\d+/.exec(line)?.[0]) - 1]).toContain('not a name')
  expect(await violationsOf()).toEqual([])
  await keepScreenshot(page, 'virtual-user-json')
  const schema = await page.getByRole('link', { name: 'JSON Schema' }).getAttribute('href')
  expect(await (await fetch(new URL(schema ?? '', page.url()))).json()).toMatchObject({
    title: 'Virtual user',
  })
  await json.fill((await json.inputValue()).replace('not a name', 'order_id'))
  await save(2)
  expect(await saved(id)).toMatchObject({
    actions: [{}, { extractors: [{ type: 'json_path', variable: 'order_id' }] }, {}],
  })
})

test('changes come on top of a version that somebody else saved; versions are compared and restored', async () => {
  const id = await imported('Two at once')
  await open(`/virtual-users/${id}`)
  await row(/logout/).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('mine')
  await person.client.call(operations.patchVirtualUser, {
    virtual_user_id: id,
    patch: [
      {
        op: 'add',
        path: '/actions/0',
        value: {
          id: 'act_theirs',
          type: 'delay',
          name: 'Theirs',
          duration: { distribution: 'constant', ms: 1500 },
        },
      },
    ],
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const note = page.getByRole('alert', { name: 'A newer version' })
  await note.getByText('Theirs').waitFor()
  expect(await violationsOf()).toEqual([])
  await note.getByRole('button', { name: 'Apply mine on top' }).click()
  await expect.poll(drawn).toEqual(['Theirs1.5 s', 'GET /cart', 'POST /login', 'GET /logout'])
  await save(3)
  expect(await saved(id)).toMatchObject({ actions: [{ id: 'act_theirs' }, {}, {}, { comment: 'mine' }] })

  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('button', { name: 'Changes of version 2' }).click()
  await page.getByRole('heading', { name: 'From version 1 to 2' }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'added' }).getByText('Theirs').waitFor()
  expect(await violationsOf()).toEqual([])
  await keepScreenshot(page, 'virtual-user-versions')
  await page.getByRole('button', { name: 'Restore… version 1' }).click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('button', { name: 'Restore… version 3' }).waitFor()
  expect((await saved(id))['actions']).toHaveLength(3)
})

test('what is deleted from the list comes back', async () => {
  await imported('Deleted')
  await open(`/projects/${projectId}/virtual-users?search=Deleted`)
  await page.getByRole('button', { name: 'More actions: Deleted' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('No virtual users that fit.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'Deleted' }).waitFor()
  expect(await violationsOf()).toEqual([])
})

test('the pages fit a narrow window, and a viewer sees them without what changes them', async () => {
  const id = await imported('Narrow')
  await page.setViewportSize({ width: 400, height: 850 })
  for (const path of [
    `/projects/${projectId}/virtual-users`,
    `/projects/${projectId}/virtual-users/import`,
    `/virtual-users/${id}`,
    `/virtual-users/${id}/versions`,
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- there is one window
    await open(path)
    // oxlint-disable-next-line no-await-in-loop -- there is one window
    await page.getByRole('heading', { level: 1 }).waitFor()
    // oxlint-disable-next-line no-await-in-loop -- there is one window
    expect([path, await page.evaluate<number>('document.documentElement.scrollWidth')]).toEqual([path, 400])
  }
  const viewer = await pageOf(await invite(person, 'viewer', 'Watching'))
  await viewer.goto(new URL(`/virtual-users/${id}`, platform().url).href)
  await viewer.getByRole('row', { name: /POST/ }).click()
  await viewer.getByRole('heading', { name: 'POST /login' }).waitFor()
  await expect.poll(() => viewer.getByRole('textbox', { name: 'Path', exact: true }).isDisabled()).toBe(true)
  expect(await viewer.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0)
})
