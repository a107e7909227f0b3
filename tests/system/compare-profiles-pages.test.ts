import { operations } from '@flamegate/contract'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillLogIn, keepScreenshot, launchBrowser } from './browser.ts'
import { platform, signUp, type Person } from './person.ts'
import { uploadHeapSeries, waitForTask } from './world.ts'

/** Two profiles, and a series of heap profiles, as a person looks at them in a real browser. */

let browser: Browser
let page: Page
let person: Person
let projectId: string

beforeAll(async () => {
  browser = await launchBrowser()
  person = await signUp('Looking')
  const { project } = await person.client.call(operations.createProject, {
    workspace_id: person.workspaceId,
    name: 'Several profiles',
  })
  projectId = project.id
  for (const [name, content] of [
    ['before.txt', 'main;parse 3000\nmain;render 6000\nmain;slow 1000\n'],
    ['after.txt', 'main;parse 3000\nmain;match 11000\nmain;render 6000\n'],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- the one before the other
    const upload = await person.client.call(operations.createProfileUpload, {
      project_id: projectId,
      file_name: name!,
      content: content!,
    })
    // oxlint-disable-next-line no-await-in-loop
    await waitForTask(person, upload.task_id)
  }
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  page = await context.newPage()
  await page.goto(`${platform().url}/log-in`)
  await fillLogIn(page, person.email, person.password)
  await page.waitForURL((url) => url.pathname !== '/log-in')
})
afterAll(() => browser?.close())

const inAddress = (name: string) => new URL(page.url()).searchParams.get(name)
const functions = () =>
  page.getByRole('table', { name: 'Functions' }).getByRole('row').getByRole('button').allInnerTexts()

test('two profiles are ticked and compared, and everything about the view is in the address', async () => {
  await page.goto(`${platform().url}/projects/${projectId}/profiles`)
  await page.getByRole('checkbox', { name: 'Choose after.txt' }).press(' ')
  await page.getByRole('checkbox', { name: 'Choose before.txt' }).press(' ')
  await page.getByRole('link', { name: 'Compare', exact: true }).last().click()
  await page.waitForURL((url) => url.pathname === '/profiles/compare')
  // The earlier one is the base, whichever was ticked first.
  await page.getByText('10,000 → 20,000').first().waitFor()
  await page.getByRole('tree', { name: 'Differential flame graph' }).waitFor()
  await keepScreenshot(page, 'compare-profiles')

  await page.getByRole('button', { name: '1 Added' }).click()
  await expect.poll(() => inAddress('state')).toBe('added')
  await expect.poll(async () => (await functions()).includes('match')).toBe(true)
  expect(await functions()).not.toContain('parse')
  await page.getByRole('button', { name: /Scaled by/ }).click()
  await page.getByRole('option', { name: 'The total' }).click()
  await expect.poll(() => inAddress('normalize')).toBe('total')
  await page.getByText('10,000 → 10,000').first().waitFor()

  const base = inAddress('base')
  await page.getByRole('button', { name: 'Swap base and head' }).click()
  await expect.poll(() => inAddress('head')).toBe(base)
  await page.getByRole('button', { name: '1 Added' }).waitFor()
  await expect.poll(async () => (await functions()).includes('slow')).toBe(true)
  await page.reload()
  await expect.poll(async () => (await functions()).includes('slow')).toBe(true)
})

test('both flame graphs as one are saved as a picture', async () => {
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Picture' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^(before|after) difference\.png$/)
})

test('a frame of both flame graphs is told with both sides, and is found by its name', async () => {
  const tree = page.getByRole('tree', { name: 'Differential flame graph' })
  await tree.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect
    .poll(() => tree.getByRole('treeitem').innerText())
    .toMatch(/: total [\d,]+ → [\d,]+ \([+−±][\d,]+\)/)
  await page.getByRole('searchbox', { name: 'Find a function' }).fill('parse')
  await expect.poll(() => inAddress('search')).toBe('parse')
})

test('where the graph of both is zoomed to, and what its colours mean, is in the address', async () => {
  const tree = page.getByRole('tree', { name: 'Differential flame graph' })
  const path = page.getByRole('navigation', { name: 'Zoom' })
  await tree.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Colours by origin' }).click()
  await expect.poll(() => inAddress('colors')).toBe('origin')
  await expect.poll(() => inAddress('zoom')).not.toBeNull()
  const shown = await path.innerText()
  expect(shown).toContain('main')
  await page.reload()
  await expect.poll(() => path.innerText()).toBe(shown)
  await page.getByRole('button', { name: 'Colours by origin', pressed: true }).waitFor()
  // Another tree has other frames.
  await page.getByRole('button', { name: 'Swap base and head' }).click()
  await expect.poll(() => inAddress('zoom')).toBeNull()
  await expect.poll(() => path.innerText()).toBe('all')
})

test('a series of heap profiles shows what grows, and how sure that is', async () => {
  const ids = await uploadHeapSeries(person, projectId, [1e6, 2e6, 3e6, 4e6, 5e6])
  await page.goto(`${platform().url}/profiles/heap-series?ids=${ids.join(',')}`)
  await page.getByText(/A leak is sure: keep grew by 3\.815 MiB/).waitFor()
  await page.getByRole('img', { name: /Bytes in use over time/ }).waitFor()
  await page.getByRole('table', { name: 'Growing' }).getByRole('link', { name: 'keep' }).waitFor()
  await keepScreenshot(page, 'heap-series')
})
