import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { launchBrowser as startBrowser } from '@flamegate/loadtest-engine'
import type { Browser, Page, Request } from 'playwright'

/** Where browser tests keep their screenshots; looked at by people, never committed. */
export const artefactsDir = join(import.meta.dirname, '../../test-artifacts')

/** What is waited for comes within moments, but for a machine that has much else to do. */
const patienceMs = 90_000

/** A real Chromium, which waits for as long as it takes. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await startBrowser()
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs))
  return browser
}

/** Keeps a picture of the page under that name, where there is somebody to look at it. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (process.env['CI'] !== undefined) return
  await mkdir(artefactsDir, { recursive: true })
  await page.screenshot({ path: join(artefactsDir, `${name}.png`), fullPage: true })
}

export async function fillLogIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/**
 * Opens an address, and waits until the page has all that it asks for and has painted it. As Playwright's `networkidle`,
 * which waits for half a second in which nothing happens.
 */
export async function openSettled(page: Page, url: string): Promise<void> {
  const open = new Set<Request>()
  const begin = (request: Request) => void open.add(request)
  const end = (request: Request) => void open.delete(request)
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end)
  await page.goto(url)
  await page.getByRole('heading').first().waitFor()
  // What one answer leads to is asked for within a frame or two.
  for (let quiet = 0; quiet < 3; quiet = open.size === 0 ? quiet + 1 : 0) await nextFrames(page)
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end)
}

/** Until what has changed is laid out and painted. */
export async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))',
  )
}

/**
 * Until colours have gone over into others, and what has come has faded in. What turns or pulses while something is waited for has no
 * end. It is looked again in each frame: of a movement that is called off because the window became narrower, `finished` never comes.
 */
export async function settle(page: Page): Promise<void> {
  await nextFrames(page)
  await page.evaluate(`(async () => {
    for (;;) {
      const moving = document.getAnimations().filter((each) =>
        each.playState === 'running' && each.effect.getComputedTiming().endTime < Infinity)
      if (moving.length === 0) return true
      await new Promise(requestAnimationFrame)
    }
  })()`)
}
