import { readFileSync } from 'node:fs'
import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeOn } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser, openSettled } from './browser.ts'
import { platform, signUp, type Person } from './person.ts'
import { uploadHeapSnapshot, waitForTask } from './world.ts'

/**
 * Two heap snapshots of a program with a cache that grows, as a person looks at them in a real browser: see
 * `packages/profiles/samples/make-heapsnapshot.mjs`.
 */

let browser: Browser
let page: Page
let person: Person
let projectId: string
let before: string
let after: string

beforeAll(async () => {
  browser = await launchBrowser()
  person = await signUp('Remembering')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Heaps',
  })
  projectId = project.id
  before = await upload('before')
  after = await upload('after')
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
})
afterAll(() => browser?.close())

async function upload(name: string): Promise<string> {
  const folder = `${import.meta.dirname}/../../packages/profiles/samples/heapsnapshot`
  const { task_id, profile_id } = await person.client.call(operations.createProfileUpload, {
    project_id: projectId,
    file_name: `${name}.heapsnapshot.gz`,
    content: readFileSync(`${folder}/node-${name}.heapsnapshot.gz`).toString('base64'),
    content_encoding: 'base64',
  })
  await waitForTask(person, task_id)
  return profile_id
}

const inAddress = (name: string) => new URL(page.url()).searchParams.get(name)
const open = (path: string) => page.goto(new URL(path, platform().url).href)
const rowsOf = (table: string) => page.getByRole('table', { name: table }).getByRole('row').allInnerTexts()
const classesInOrder = () =>
  page.getByRole('table', { name: 'Classes' }).getByRole('cell').getByRole('button').allInnerTexts()

test('classes are sorted and searched, and the address keeps it', async () => {
  await open(`/profiles/${after}`)
  await page.getByText('A frame is as wide as what would be freed').waitFor()
  await page.getByRole('tab', { name: 'Classes and objects' }).click()
  await expect.poll(() => inAddress('view')).toBe('classes')
  await page.getByText('1,098 objects of 13 classes, 302.6 KiB.').waitFor()
  const session = (await rowsOf('Classes')).find((row) => row.startsWith('Session'))
  expect(session?.split(/\s{2,}|\t|\n/).join(' ')).toContain('Session 250 9.766 KiB 3.2 % 291 KiB 96.2 %')
  await keepScreenshot(page, 'heap-classes')

  await page.getByRole('button', { name: 'Objects', exact: true }).click()
  await expect.poll(() => inAddress('sort')).toBe('-count')
  await expect.poll(async () => (await classesInOrder())[0]).toBe('(string)')
  await page.getByRole('searchbox', { name: 'Find a class' }).fill('array')
  await page.getByText('3 found.').waitFor()
  await expect.poll(() => inAddress('search')).toBe('array')
  await page.reload()
  await page.getByText('3 found.').waitFor()
})

test('an object asks for what keeps it one question after the other', async () => {
  const { objects } = await person.client.call(operations.getHeapRetainers, {
    profile_id: after,
    class_name: 'Session',
    top_n: 1,
  })
  let [count, atOnce, most] = [0, 0, 0]
  await page.route('**/retainers?*', async (route) => {
    count++
    most = Math.max(most, ++atOnce)
    const response = await route.fetch()
    atOnce--
    await route.fulfill({ response })
  })
  await open(`/profiles/${after}?view=classes&object=${objects[0]!.object_id}`)
  // Of the object, and of the three that are open.
  await expect.poll(() => count).toBeGreaterThanOrEqual(3)
  await page.waitForLoadState('networkidle')
  expect(most).toBe(1)
  await page.unroute('**/retainers?*')
})

test('from a class to an object, and to what keeps that, by keyboard, and back', async () => {
  await open(`/profiles/${after}?view=classes`)
  await page.getByRole('button', { name: 'Session', exact: true }).press('Enter')
  const objects = page.getByRole('table', { name: 'Objects of Session' })
  await page.getByText('250 objects, retaining 291 KiB. The 50 that retain most:').waitFor()
  await expect.poll(() => objects.getByRole('row').count()).toBe(51)
  expect((await rowsOf('Objects of Session'))[1]).toContain(
    '← {table} of Map ← .cache of Demo ← .demo of global',
  )
  await objects
    .getByRole('button', { name: /^Session @/ })
    .first()
    .press('Enter')

  const tree = page.getByRole('treegrid', { name: /^What keeps @\d+ alive$/ })
  const words = () => tree.getByRole('row').allInnerTexts()
  await expect.poll(async () => (await words()).length).toBe(5)
  // The shortest way is open to its root, and another reference is there to be opened.
  expect((await words())[3]).toMatch(/^\.demo of global @\d+\s+root/)
  expect((await words())[4]).toContain('variable session of system / Context')
  await keepScreenshot(page, 'heap-object')
  await tree.getByRole('row').last().focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => (await words())[5]).toContain('{context} of Function')
  await tree.getByRole('row').first().focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(async () => (await words()).length).toBe(3)

  const session = inAddress('object')
  await page.keyboard.press('Enter')
  await expect.poll(() => inAddress('object')).not.toBe(session)
  await page.goBack()
  await expect.poll(() => inAddress('object')).toBe(session)
  await page.getByRole('navigation', { name: 'Heap' }).getByRole('button', { name: 'Session' }).click()
  await objects.waitFor()
  await page.getByRole('button', { name: 'Dominators below it' }).click()
  await page.getByRole('button', { name: 'Only below Session' }).waitFor()
})

test('from a frame of the dominators to the objects of its class', async () => {
  await open(`/profiles/${after}`)
  const graph = page.getByRole('tree', { name: /^Flame graph/ })
  await graph.focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
  await page.getByRole('button', { name: 'Objects', exact: true }).press('Enter')
  await page.getByRole('table', { name: 'Objects of Map' }).waitFor()
  expect([inAddress('view'), inAddress('function')]).toEqual(['classes', 'Map'])
})

test('two snapshots are compared by their classes, what grew most first', async () => {
  await open(`/profiles/compare?base=${before}&head=${after}`)
  await page.getByRole('link', { name: 'Compare classes' }).click()
  await page.getByText('since the baseline +235.9 KiB, +710 objects.').waitFor()
  expect(inAddress('baseline')).toBe(before)
  expect((await classesInOrder()).slice(0, 3)).toEqual([
    'system / JSArrayBufferData',
    'ArrayBuffer',
    'Session',
  ])
  const strings = (await rowsOf('Classes')).find((row) => row.startsWith('(string)'))
  expect(strings?.split(/\s+/).slice(1, 5)).toEqual(['252', '+200', '−50', '+150'])
  await keepScreenshot(page, 'heap-compare')
  await page.getByRole('button', { name: /Compared with/ }).click()
  await page.getByRole('option', { name: 'Nothing' }).click()
  await expect.poll(() => inAddress('baseline')).toBeNull()
  await page.getByRole('button', { name: 'Retained size' }).waitFor()
})

test('an answer of a tool leads to the page that shows it', async () => {
  const retainers = await person.client.call(operations.getHeapRetainers, {
    profile_id: after,
    class_name: 'Sessio',
    top_n: 1,
  })
  await open(retainers.url)
  await page.getByRole('table', { name: 'Objects of Session' }).waitFor()
  const object = await person.client.call(operations.getHeapRetainers, {
    profile_id: after,
    object_id: retainers.objects[0]!.object_id,
  })
  await open(object.url)
  await page.getByRole('treegrid').waitFor()
  const classes = await person.client.call(operations.getHeapSnapshotClasses, {
    profile_id: after,
    baseline_profile_id: before,
  })
  await open(classes.url)
  await page.getByText('since the baseline').waitFor()
})

test('the largest of many objects are shown, and what the address names but the snapshot has not is said', async () => {
  const small = await uploadHeapSnapshot(person, projectId, 60)
  await open(`/profiles/${small}?view=classes&function=Item`)
  await page.getByText('60 objects, retaining 5.859 KiB. The 50 that retain most:').waitFor()
  await open(`/profiles/${small}?view=classes&function=Session`)
  await page.getByText('Session is no class of this snapshot').waitFor()
  await open(`/profiles/${small}?view=classes&object=soon`)
  await page.getByText('@soon is no object of this snapshot').waitFor()
  await page.getByRole('button', { name: 'Show all classes' }).click()
  await page.getByRole('button', { name: 'Item', exact: true }).waitFor()
})

test.each([390, 1280])(
  'no heap page is wider than %i pixels, or hard to use without seeing it',
  async (width) => {
    await page.setViewportSize({ width, height: 900 })
    const [session] = (
      await person.client.call(operations.getHeapRetainers, {
        profile_id: after,
        class_name: 'Session',
        top_n: 1,
      })
    ).objects
    const found: string[] = []
    for (const query of [
      '',
      '?view=classes',
      `?view=classes&baseline=${before}`,
      '?view=classes&function=Session',
      `?view=classes&object=${session!.object_id}`,
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one browser, one page
      await openSettled(page, `${platform().url}/profiles/${after}${query}`)
      // oxlint-disable-next-line no-await-in-loop
      const isTooWide = await page.evaluate<boolean>(
        `[document.documentElement, ...document.querySelectorAll(':has(> table)')]
        .some((box) => box.scrollWidth > box.clientWidth)`,
      )
      if (isTooWide) found.push(`${query} is too wide`)
      // oxlint-disable-next-line no-await-in-loop
      const { violations } = await axeOn(page).analyze()
      for (const { id, impact, nodes } of violations) {
        if (impact === 'serious' || impact === 'critical') found.push(`${query}: ${id} ${nodes[0]?.html}`)
      }
    }
    expect(found).toEqual([])
  },
)
