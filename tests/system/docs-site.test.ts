import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { axeOn, rulesOfColours } from './axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser, settle } from './browser.ts'
import { platform } from './person.ts'

/** The documentation as the platform serves it, in a real browser. */

const devices = [
  { name: 'desktop', width: 1280, height: 900 },
  { name: 'phone', width: 390, height: 844 },
] as const
const colorSchemes = ['light', 'dark'] as const
const looks = devices.flatMap(({ name, ...size }) =>
  colorSchemes.map((colorScheme) => ({ name: `${name}-${colorScheme}`, ...size, colorScheme })),
)

/** Of which pictures are kept. To paint a long page whole takes as long as all else that is done with it. */
const looksForPictures = new Set(['desktop-dark', 'phone-light'])

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
})

interface Look {
  width: number
  height: number
  colorScheme?: (typeof colorSchemes)[number]
}

/** A page, and what its console says that should not be said, such as what the content security policy kept out. */
async function open({ width, height, colorScheme = 'light' }: Look) {
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

const paths = ['', 'ci', 'reference/problems', 'tutorials/profile-an-mcp-server']

test.each(devices)('pages are whole, readable and no wider than the screen: $name', async (device) => {
  const { page, faults } = await open(device)
  for (const [index, path] of paths.entries()) {
    // Each is loaded in the one and goes over into the other, as where the system goes dark in the evening.
    const inTurn = index % 2 === 0 ? colorSchemes : colorSchemes.toReversed()
    let isOpen = false
    for (const colorScheme of inTurn) {
      await page.emulateMedia({ colorScheme })
      if (!isOpen) await page.goto(`${platform().url}/docs/${path}`)
      isOpen = true
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.locator(colorScheme === 'dark' ? 'html.dark' : 'html:not(.dark)').waitFor()
      await settle(page)
      const look = `${device.name}-${colorScheme}`
      if (looksForPictures.has(look))
        await keepScreenshot(page, `docs-${path.replaceAll('/', '-') || 'front'}-${look}`)
      expect([path, await isAsWideAsScreen(page)]).toEqual([path, true])
      const axe = axeOn(page).include('#VPContent')
      if (colorScheme === 'dark') axe.withRules(rulesOfColours)
      const { violations } = await axe.analyze()
      expect(violations.map(({ id, nodes }) => [path, id, nodes[0]?.html])).toEqual([])
    }
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
  const { page } = await open(devices[0])
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
  const { page, faults } = await open(devices[1])
  await page.goto(`${platform().url}/docs/ci`)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('coordinated omission')
  await page.locator('#localsearch-list li').first().click()
  await page.waitForURL(`${platform().url}/docs/concepts/load-models#coordinated-omission`)
  expect(faults).toEqual([])
})

test('what is not there is a page that says so', async () => {
  const { page } = await open(devices[0])
  const answer = await page.goto(`${platform().url}/docs/nothing`)
  expect(answer?.status()).toBe(404)
  await page.getByText('PAGE NOT FOUND').waitFor()
})
