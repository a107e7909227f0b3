import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillLogIn, keepScreenshot, launchBrowser } from '../system/browser.ts'
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
  await page.getByLabel('E-mail address').fill(email)
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
  // Another browser than the one that signed up.
  await mail.getByText('Enter the password you chose when signing up.').waitFor()
  await mail.getByLabel('Password').fill('a guess of somebody')
  await mail.getByRole('button', { name: 'Confirm' }).click()
  await mail.getByText('This is not the password that was chosen').waitFor()
  await keepScreenshot(mail, 'verify-email-elsewhere')
  await mail.getByLabel('Password').fill(password)
  await mail.getByRole('button', { name: 'Confirm' }).click()
  await mail.getByText('Your e-mail address is confirmed').first().waitFor()

  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL((url) => url.pathname === '/connect')
})

test('whoever is invited gets a mail, signs up from it, and is a member once the address is confirmed', async () => {
  const email = 'guest@example.com'
  const owner = await browser.newPage()
  await owner.goto(`${platform.url}/log-in`)
  await fillLogIn(owner, platform.demo.email, platform.demo.password)
  await owner.waitForURL((url) => url.pathname === '/')
  await owner.getByRole('link', { name: 'Members' }).first().click()
  await owner.getByRole('button', { name: 'Add a member' }).click()
  await owner.getByRole('dialog').getByLabel('E-mail address').fill(email)
  await owner.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await owner.getByRole('button', { name: 'Done' }).click()
  await owner.getByText('invited').first().waitFor()

  await expect.poll(() => mailbox.links(email, '/join')).toHaveLength(1)
  const page = await browser.newPage()
  await page.goto(mailbox.links(email, '/join')[0] ?? '')
  await page.getByLabel('Name').fill('Grace Guest')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.getByText('Look into your mailbox').first().waitFor()
  await expect.poll(() => mailbox.links(email, '/verify-email')).toHaveLength(1)
  await page.goto(mailbox.links(email, '/verify-email')[0] ?? '')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Your e-mail address is confirmed').first().waitFor()
  await owner.reload()
  await owner.getByText('Grace Guest').first().waitFor()
})

test('the demo’s account needs no confirmation, because nobody reads its mail', async () => {
  const page = await browser.newPage()
  await page.goto(`${platform.url}/log-in`)
  await fillLogIn(page, platform.demo.email, platform.demo.password)
  await page.waitForURL((url) => url.pathname === '/')
  expect(mailbox.links(platform.demo.email, '/verify-email')).toEqual([])
})
