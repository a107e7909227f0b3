import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillLogIn, launchBrowser } from './browser.ts'
import { openMailbox, type Mailbox } from './mailbox.ts'
import { startOwnPlatform, type OwnPlatform } from './own-platform.ts'

/** A platform that knows a mail server. */

const password = 'correct horse battery'
let browser: Browser
let mailbox: Mailbox
let platform: OwnPlatform

beforeAll(async () => {
  browser = await launchBrowser()
  mailbox = await openMailbox()
  platform = await startOwnPlatform({ SMTP_URL: mailbox.url })
})
afterAll(async () => {
  await platform?.stop()
  mailbox?.close()
  await browser?.close()
})

test('where a mail server is set, one confirms the address before one can log in', async () => {
  const email = 'ada@example.com'
  const page = await browser.newPage()
  await page.goto(`${platform.url}/sign-up?return_to=%2Fconnect`)
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('Look into your mailbox').first().waitFor()
  await page.getByRole('link', { name: 'Log in' }).click()
  await fillLogIn(page, email, password)
  await page.getByText('Confirm your e-mail address first').waitFor()

  // One of signing up, one of trying to log in.
  await expect.poll(() => mailbox.links(email, '/verify-email')).toHaveLength(2)
  const mail = await browser.newPage()
  await mail.goto(mailbox.links(email, '/verify-email')[0] ?? '')
  await mail.getByRole('button', { name: 'Confirm' }).click()
  await mail.getByText('Your e-mail address is confirmed').first().waitFor()

  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((url) => url.pathname === '/connect')
})

test('the demo’s account needs no confirmation, because nobody reads its mail', async () => {
  const page = await browser.newPage()
  await page.goto(`${platform.url}/log-in`)
  await fillLogIn(page, platform.demo.email, platform.demo.password)
  await page.waitForURL((url) => url.pathname === '/')
  expect(mailbox.links(platform.demo.email, '/verify-email')).toEqual([])
})
