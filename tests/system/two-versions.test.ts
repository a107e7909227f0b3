import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { platform } from './person.ts'

// Pages while gateways of two versions stand behind one address: each has scripts and styles of its own.

let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** The first `times` requests for such a file come to a gateway that does not have it. Gives their addresses. */
async function lack(pattern: RegExp, times: number): Promise<string[]> {
  const refused: string[] = []
  page = await browser.newPage()
  await page.route(pattern, async (route) => {
    if (refused.length === times) return route.continue()
    refused.push(route.request().url())
    return route.fulfill({ status: 404, contentType: 'application/problem+json', body: '{}' })
  })
  return refused
}

test.each([
  ['its first script', /\/assets\/index-[\w-]+\.js$/],
  ['its style', /\/assets\/index-[\w-]+\.css$/],
  ['what it shows', /\/assets\/log-in-[\w-]+\.js$/],
])('a page that lacks %s is loaded anew until it is whole', async (_name, pattern) => {
  const refused = await lack(pattern, 2)
  await page.goto(`${platform().url}/log-in`)
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  await expect.poll(() => refused.length).toBe(2)
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  await page.close()
})
