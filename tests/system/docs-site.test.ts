import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { axeOn, rulesOfColours } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser, settle } from './browser.ts'
import { platform } from './person.ts'

/** The documentation as the platform serves it, in a real browser. */

const looks = [
  { name: 'desktop-light', width: 1280, height: 900, colorScheme: 'light' },
  { name: 'desktop-dark', width: 1280, height: 900, colorScheme: 'dark' },
  { name: 'phone-light', width: 390, height: 844, colorScheme: 'light' },
  { name: 'phone-dark', width: 390, height: 844, colorScheme: 'dark' },
] as const

/** Of which pictures are kept. To paint a long page whole takes as long as all else that is done with it. */
const looksForPictures = new Set(['desktop-dark', 'phone-light'])

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
})

/** A page, and what its console says that should not be said, such as what the content security policy kept out. */
async function open({ width, height, colorScheme }: (typeof looks)[number]) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(error.message))
  return { page, faults }
}

async function isAsWideAsScreen(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth <= innerWidth')
}

test.each(looks)('pages are whole, readable and no wider than the screen: $name', async (look) => {
  const { page, faults } = await open(look)
  for (const path of ['', 'ci', 'reference/problems', 'tutorials/profile-an-mcp-server']) {
    await page.goto(`${platform().url}/docs/${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await settle(page)
    if (looksForPictures.has(look.name))
      await keepScreenshot(page, `docs-${path.replaceAll('/', '-') || 'front'}-${look.name}`)
    expect([path, await isAsWideAsScreen(page)]).toEqual([path, true])
    const axe = axeOn(page).include('#VPContent')
    if (look.colorScheme === 'dark') axe.withRules(rulesOfColours)
    const { violations } = await axe.analyze()
    expect(violations.map(({ id, nodes }) => [path, id, nodes[0]?.html])).toEqual([])
  }
  expect(faults).toEqual([])
})

test.each(looks)('so is the status page: $name', async (look) => {
  const { page, faults } = await open(look)
  await page.goto(`${platform().url}/status`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await isAsWideAsScreen(page)).toBe(true)
  expect((await axeOn(page).analyze()).violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  expect(faults).toEqual([])
})

test('the front page leads agents, people and programs on, and back to the app', async () => {
  const { page } = await open(looks[0])
  await page.goto(`${platform().url}/docs`)
  for (const [link, heading] of [
    ['Connect a client', 'Connect a client'],
    ['Begin with the concepts', 'Runs and comparison'],
    ['Benchmarks in CI', 'Benchmarks in CI'],
  ] as const) {
    await page.locator('.VPFeature', { hasText: link }).click()
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.goBack()
  }
  await page.getByRole('link', { name: 'To the app' }).first().click()
  await page.waitForURL(`${platform().url}/log-in**`)
  const { email, password } = platform().demo
  await fillLogIn(page, email, password)
  await page.getByRole('button', { name: /^\w+, account of/ }).click()
  await page.getByRole('menuitem', { name: 'Documentation' }).click()
  await page.waitForURL(`${platform().url}/docs/`)
})

test('a search finds what a page says, and opens it there', async () => {
  const { page, faults } = await open(looks[2])
  await page.goto(`${platform().url}/docs/ci`)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('coordinated omission')
  await page.locator('#localsearch-list li').first().click()
  await page.waitForURL(`${platform().url}/docs/concepts/load-models#coordinated-omission`)
  expect(faults).toEqual([])
})

test('what is not there is a page that says so', async () => {
  const { page } = await open(looks[0])
  const answer = await page.goto(`${platform().url}/docs/nothing`)
  expect(answer?.status()).toBe(404)
  await page.getByText('PAGE NOT FOUND').waitFor()
})
