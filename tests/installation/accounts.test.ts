import { createHmac } from 'node:crypto'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeOn } from '../system/axe.ts'
import { fillLogIn, keepScreenshot, launchBrowser } from '../system/browser.ts'
import { startForeignIssuer, type ForeignIssuer } from './foreign-issuer.ts'
import { startOwnPlatform, type OwnPlatform } from './own-platform.ts'

/** Everything that one can log in with, in a real browser: from signing up to losing the phone. */

const email = 'ada@example.com'
const passwords = { first: 'correct horse battery', second: 'another horse entirely' }

let browser: Browser
let platform: OwnPlatform
let issuer: ForeignIssuer

beforeAll(async () => {
  browser = await launchBrowser()
  issuer = await startForeignIssuer({ sub: 'ada-there', email, name: 'Ada There' })
  platform = await startOwnPlatform({
    FLAMEGATE_OIDC_ISSUER: issuer.issuer,
    FLAMEGATE_OIDC_CLIENT_ID: issuer.clientId,
    FLAMEGATE_OIDC_CLIENT_SECRET: issuer.clientSecret,
    FLAMEGATE_OIDC_NAME: 'Acme',
  })
})
afterAll(async () => {
  await platform?.stop()
  issuer?.close()
  await browser?.close()
})

/** A code as an authenticator app shows it (RFC 6238). */
function showCode(secret: string, atMs = Date.now()): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)))
  const digest = createHmac('sha1', key).update(step).digest()
  const offset = digest.readUInt8(digest.length - 1) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** A browser whose device unlocks by itself, so that it answers for its passkeys. */
async function openDevice(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { context, page }
}

async function expectAccessible(page: Page, name: string): Promise<void> {
  await keepScreenshot(page, name)
  const { violations } = await axeOn(page).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const goTo = (page: Page, path: string) => page.goto(platform.url + path)
const untilLoggedIn = (page: Page) => page.waitForURL((url) => url.pathname === '/')
const untilSaid = (page: Page, words: string) => page.getByText(words).first().waitFor()

async function signUp(page: Page, name: string, address: string): Promise<void> {
  await goTo(page, '/sign-up')
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('E-mail address').fill(address)
  await page.getByLabel('Password').fill(passwords.first)
  await press(page, 'Sign up')
  await untilLoggedIn(page)
}

async function logOut({ context }: { context: BrowserContext }): Promise<void> {
  await context.clearCookies()
}

test('from signing up to a lost phone: mail, password, passkey, codes and another service', async () => {
  const device = await openDevice()
  const { page } = device
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text())
  })

  // Signing up, and the link that confirms the address.
  await signUp(page, 'Ada Lovelace', email)
  await goTo(page, '/settings/account')
  await page.getByText('not confirmed').waitFor()
  const [link = ''] = platform.mailedLinks('/verify-email')
  await page.goto(link)
  await expectAccessible(page, 'verify-email')
  await press(page, 'Confirm')
  await untilSaid(page, 'Your e-mail address is confirmed')

  // A passkey, and logging in with it.
  await goTo(page, '/settings/account')
  await page.getByText('confirmed', { exact: true }).waitFor()
  await expectAccessible(page, 'account')
  await press(page, 'Add a passkey')
  await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
  await press(page, 'Continue')
  await page.getByRole('list', { name: 'Passkeys' }).getByText('Laptop').waitFor()
  await logOut(device)
  await goTo(page, '/log-in')
  await page.getByRole('button', { name: 'Continue with Acme' }).waitFor()
  await expectAccessible(page, 'log-in-all-ways')
  await press(page, 'Use a passkey')
  await untilLoggedIn(page)

  // One-time codes.
  await goTo(page, '/settings/account')
  await press(page, 'Turn on one-time codes')
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
  await expectAccessible(page, 'one-time-codes')
  await page.getByLabel('Code', { exact: true }).fill(showCode(secret))
  await press(page, 'Confirm')
  const recoveryCodes = await page.getByRole('textbox', { name: 'Recovery codes' }).inputValue()
  expect(recoveryCodes.split('\n')).toHaveLength(10)
  await press(page, 'I have kept them')
  await untilSaid(page, '10 recovery codes are left')

  // The password asks for a code now, and an old code does not do.
  await logOut(device)
  await goTo(page, '/log-in')
  await fillLogIn(page, email, passwords.first)
  await page.getByRole('heading', { name: 'Enter a code' }).waitFor()
  await expectAccessible(page, 'log-in-code')
  await page.getByLabel('Code').fill('000000')
  await press(page, 'Continue')
  await untilSaid(page, 'This code is not right')
  // The step of the enrolment's code is used up; clocks may be one step apart, so the next one is good already.
  await page.getByLabel('Code').fill(showCode(secret, Date.now() + 30_000))
  await press(page, 'Continue')
  await untilLoggedIn(page)

  // Another service, which knows the same confirmed address; the codes are asked for after it as well.
  const elsewhere = await openDevice()
  await goTo(elsewhere.page, '/log-in')
  await press(elsewhere.page, 'Continue with Acme')
  await elsewhere.page.getByRole('heading', { name: 'Enter a code' }).waitFor()
  await elsewhere.page.getByLabel('Code').fill(recoveryCodes.split('\n')[0] ?? '')
  await press(elsewhere.page, 'Continue')
  await untilLoggedIn(elsewhere.page)

  // Both are seen, and one ends the other.
  await goTo(page, '/settings/account')
  await untilSaid(page, '9 recovery codes are left')
  await page.getByText(`${email}, linked`).waitFor()
  await press(page, 'Log out everywhere else')
  await untilSaid(page, 'You are logged out everywhere else.')
  await goTo(elsewhere.page, '/settings/account')
  await elsewhere.page.waitForURL((url) => url.pathname === '/log-in')

  // A forgotten password.
  await goTo(elsewhere.page, '/forgot-password')
  await elsewhere.page.getByLabel('E-mail address').fill(email)
  await expectAccessible(elsewhere.page, 'forgot-password')
  await press(elsewhere.page, 'Send the link')
  await untilSaid(elsewhere.page, 'Look into your mailbox')
  await expect.poll(() => platform.mailedLinks('/reset-password')).toHaveLength(1)
  await elsewhere.page.goto(platform.mailedLinks('/reset-password')[0] ?? '')
  await elsewhere.page.getByLabel('New password').fill(passwords.second)
  await expectAccessible(elsewhere.page, 'reset-password')
  await press(elsewhere.page, 'Change password')
  await untilSaid(elsewhere.page, 'Your password is changed')
  await elsewhere.page.getByRole('link', { name: 'Log in and look at passkeys' }).waitFor()
  await elsewhere.page.getByRole('link', { name: 'Log in and look at connected apps' }).waitFor()
  await goTo(page, '/settings/account')
  await page.waitForURL((url) => url.pathname === '/log-in')

  // The phone is lost: a recovery code lets in, and a proof turns the codes off.
  await fillLogIn(page, email, passwords.second)
  await page.getByLabel('Code').fill(recoveryCodes.split('\n')[1] ?? '')
  await press(page, 'Continue')
  await page.waitForURL((url) => url.pathname === '/settings/account')
  await page.getByRole('button', { name: 'Turn off one-time codes' }).click()
  await press(page, 'Turn off')
  await untilSaid(page, 'One-time codes are off.')
  await page.getByRole('button', { name: 'Remove Laptop' }).click()
  await press(page, 'Remove')
  await untilSaid(page, 'Laptop does not log in any more.')
  expect(complaints).toEqual([])
  await Promise.all([device.context.close(), elsewhere.context.close()])
})

test('somebody changes their e-mail address, and their former mailbox undoes it', async () => {
  const { context, page } = await openDevice()
  const [former, next] = ['carol@example.com', 'carol@new.example']
  await signUp(page, 'Carol Shaw', former)
  await page.goto(platform.mailedLinks('/verify-email').at(-1) ?? '')
  await press(page, 'Confirm')
  await untilSaid(page, 'Your e-mail address is confirmed')
  await goTo(page, '/settings/account')
  await page.getByLabel('New e-mail address').fill(next)
  await press(page, 'Change address')
  await untilSaid(page, `A mail is on its way to ${next}`)
  await expect.poll(() => platform.mailedLinks('/change-email')).toHaveLength(1)
  await page.goto(platform.mailedLinks('/change-email')[0] ?? '')
  await expectAccessible(page, 'change-email')
  await press(page, 'Use this address')
  await untilSaid(page, 'Your e-mail address is changed')
  await goTo(page, '/settings/account')
  await page.getByText(next, { exact: true }).first().waitFor()

  const owner = await openDevice()
  await expect.poll(() => platform.mailedLinks('/undo-email-change')).toHaveLength(1)
  await owner.page.goto(platform.mailedLinks('/undo-email-change')[0] ?? '')
  await expectAccessible(owner.page, 'undo-email-change')
  await press(owner.page, 'Take it back')
  await owner.page.getByLabel('New password').fill(passwords.second)
  await press(owner.page, 'Change password')
  await untilSaid(owner.page, 'Your password is changed')
  await owner.page.getByRole('link', { name: 'Log in and look at passkeys' }).click()
  await fillLogIn(owner.page, former, passwords.second)
  await owner.page.waitForURL((url) => url.pathname === '/settings/account')
  await goTo(page, '/settings/account')
  await page.waitForURL((url) => url.pathname === '/log-in')
  await Promise.all([context.close(), owner.context.close()])
})

const turnOff = (...args: string[]) => platform.run('turn-off-one-time-codes.ts', args)

test('an operator turns off the codes of somebody who lost everything', async () => {
  const { context, page } = await openDevice()
  const address = 'dora@example.com'
  await signUp(page, 'Dora Bell', address)
  await goTo(page, '/settings/account')
  await press(page, 'Turn on one-time codes')
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
  await page.getByLabel('Code', { exact: true }).fill(showCode(secret))
  await press(page, 'Confirm')
  await press(page, 'I have kept them')
  await context.clearCookies()

  expect(await turnOff()).toEqual({ exitCode: 1, output: 'Say whose: --email ada@example.com\n' })
  expect(await turnOff('--email', 'nobody@example.com')).toMatchObject({ exitCode: 1 })
  const { exitCode, output } = await turnOff('--email', address)
  expect(output).toContain(`One-time codes are off for ${address}`)
  expect(output).toContain('turned off by an operator')
  expect(output).toContain(`Mail to ${address}`)
  expect(exitCode).toBe(0)
  expect(await turnOff('--email', address)).toMatchObject({ exitCode: 1 })
  await goTo(page, '/log-in')
  await fillLogIn(page, address, passwords.first)
  await untilLoggedIn(page)
  const events = await page.request.get(`${platform.url}/v1/security-events?action=turn_off_one_time_codes`)
  expect(await events.json()).toMatchObject({ security_events: [{ client_id: 'operator', outcome: 'ok' }] })
  await context.close()
})

test('a dangerous change asks for the password again when the log-in was long ago', async () => {
  const { context, page } = await openDevice()
  await signUp(page, 'Bob Martin', 'bob@example.com')
  await goTo(page, '/settings/account')
  // As ten minutes later: the server refuses the first try.
  let isRefused = false
  await page.route('**/auth/account/one-time-codes', async (route) => {
    if (isRefused) return route.fallback()
    isRefused = true
    const body = { code: 'proof_needed', status: 403, title: 'Prove it', detail: 'Prove it.' }
    return route.fulfill({ status: 403, json: body })
  })
  await press(page, 'Turn on one-time codes')
  const dialog = page.getByRole('dialog', { name: 'Is it still you?' })
  await dialog.getByLabel('Your password').fill('wrong horse')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('This is not your password.').waitFor()
  await expectAccessible(page, 'is-it-still-you')
  await dialog.getByLabel('Your password').fill(passwords.first)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('dialog', { name: 'Turn on one-time codes' }).waitFor()
  await context.close()
})
