import type { Browser, Page } from 'playwright'
import { expect } from 'vitest'
import { axeOn, rulesOfColours } from './axe.ts'
import { keepScreenshot } from './browser.ts'
import { platform, type Person } from './person.ts'

/** What pages are pressed through with, whatever they are about. */

const wide = { width: 1280, height: 900 }
const narrow = { width: 400, height: 900 }
const tabsMax = 100

/** A window of its own, in which that person is logged in, or nobody; addresses without a host are the platform's. */
export async function openPageOf(browser: Browser, person?: Person): Promise<Page> {
  const { url } = platform()
  const context = await browser.newContext({ viewport: wide, baseURL: url })
  const cookies = person?.cookie.split('; ') ?? []
  await context.addCookies(
    cookies.map((cookie) => {
      const [name = '', value = ''] = cookie.split('=', 2)
      return { name, value, url }
    }),
  )
  return context.newPage()
}

/**
 * Nothing keeps anybody from using what is on the page: looked at whole in the light, and by its colours in the dark on a narrow
 * screen, which it does not go beyond. Pictures of both are kept.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const faults = async (rules?: string[]) => {
    const look = axeOn(page)
    const { violations } = await (rules === undefined ? look : look.withRules(rules)).analyze()
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }
  expect(await faults()).toEqual([])
  await keepScreenshot(page, name)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(narrow)
  expect(await faults(rulesOfColours)).toEqual([])
  expect(
    await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
  ).toBeLessThanOrEqual(0)
  await keepScreenshot(page, `${name}-dark-narrow`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(wide)
}

/** Goes on from one thing to the next by the Tab key until that one has the focus, by its accessible name. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = []
  while (passed.length < tabsMax) {
    /* oxlint-disable no-await-in-loop -- one after the other */
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<string>(nameOfFocused)
    if (focused === name) return
    passed.push(focused)
    /* oxlint-enable no-await-in-loop */
  }
  throw new Error(`Tab does not lead to ${name}, but to: ${[...new Set(passed)].join(', ')}`)
}

/** Where a dialog began, the focus is back a moment after it is gone. */
export async function waitForFocus(page: Page, name: string): Promise<void> {
  await expect.poll(() => page.evaluate<string>(nameOfFocused)).toBe(name)
}

/** What is written beside, around or on it. */
const nameOfFocused = `(() => {
  const focused = document.activeElement
  const by = focused.getAttribute('aria-labelledby')?.split(' ').map((id) => document.getElementById(id))
  const label = by?.findLast((each) => each !== null && each !== focused) ?? focused.labels?.[0]
  return (focused.getAttribute('aria-label') ?? label?.textContent ?? focused.textContent ?? '').trim()
})()`
