import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ada, bob, siteUrl, startAccounts, tokenIn } from './test-accounts.ts'
import type { TestAccounts, TestBrowser } from './test-accounts.ts'

const dayMs = 86_400_000
const newEmail = 'ada@new.example'
const logIn = { email: ada.email, password: ada.password }

/** Ada, whose address is confirmed, logged in. */
async function setUp(): Promise<TestAccounts & { home: TestBrowser }> {
  const at = await startAccounts({ mailsArrive: true })
  const home = at.openBrowser()
  await home.call('POST', '/auth/sign-up', ada)
  await home.call('POST', '/auth/verify-email', { token: tokenIn(at.mails[0]) })
  await home.call('POST', '/auth/log-in', logIn)
  return { ...at, home }
}

/** The newest mail to an address, once there is one about this. */
async function mailTo({ mails }: TestAccounts, email: string, words: string) {
  const find = () => mails.findLast(({ to, text }) => to === email && text.includes(words))
  await vi.waitFor(() => expect(find()).toBeDefined())
  return find()
}

async function changeEmail(at: TestAccounts, { call }: TestBrowser, email = newEmail): Promise<number> {
  expect(await call('POST', '/auth/account/email', { email })).toMatchObject({ status: 202, body: { email } })
  const token = tokenIn(await mailTo(at, email, '/change-email?token='))
  return (await call('POST', '/auth/change-email', { token })).status
}

test('the address is changed by a link to the new one, and the old one is told', async () => {
  const at = await setUp()
  expect(await changeEmail(at, at.home)).toBe(200)
  expect(await at.home.call('GET', '/auth/account')).toMatchObject({
    body: { user: { email: newEmail }, is_email_confirmed: true },
  })
  expect(await mailTo(at, ada.email, `${siteUrl}/undo-email-change?token=`)).toBeDefined()
  const { call } = at.openBrowser()
  expect((await call('POST', '/auth/log-in', logIn)).status).toBe(401)
  expect((await call('POST', '/auth/log-in', { ...logIn, email: newEmail })).status).toBe(200)
})

test('no address is changed when the way back cannot be stored', async () => {
  const at = await setUp()
  const { tickets } = at.identity.accounts
  const add = tickets.add.bind(tickets)
  tickets.add = async (ticket) => {
    if (ticket.purpose === 'undo_email_change') throw new Error('the database went away')
    await add(ticket)
  }
  expect(await changeEmail(at, at.home)).toBe(500)
  expect(await at.home.call('GET', '/auth/account')).toMatchObject({ body: { user: { email: ada.email } } })
})

test('changing the address wants a fresh proof', async () => {
  const at = await setUp()
  at.pass(600_000)
  expect(await at.home.call('POST', '/auth/account/email', { email: newEmail })).toMatchObject({
    status: 403,
    body: { code: 'proof_needed' },
  })
})

test('asking does not tell whether the new address has an account; the mail to it does', async () => {
  const at = await setUp()
  const other = at.openBrowser()
  await other.call('POST', '/auth/sign-up', bob)
  await other.call('POST', '/auth/verify-email', { token: tokenIn(await mailTo(at, bob.email, 'token=')) })
  const ask = (email: string) => at.home.call('POST', '/auth/account/email', { email })
  const free = await ask(newEmail)
  expect(await ask(bob.email)).toEqual({ ...free, body: { email: bob.email } })
  const mail = await mailTo(at, bob.email, 'has an account of its own')
  expect(mail?.text).not.toContain('token=')
  expect(await ask(ada.email)).toMatchObject({ status: 400, body: { errors: [{ field: 'email' }] } })
})

test('an account that claims the address and never confirmed it loses it to whoever proves to own it', async () => {
  const at = await startAccounts()
  const squatter = at.openBrowser()
  await squatter.call('POST', '/auth/sign-up', { ...bob, email: newEmail })
  const stale = tokenIn(await mailTo(at, newEmail, '/verify-email?token='))
  const home = at.openBrowser()
  await home.call('POST', '/auth/sign-up', ada)
  const ask = (email: string) => home.call('POST', '/auth/account/email', { email })
  const free = await ask('nobody@new.example')
  expect(await ask(newEmail)).toEqual({ ...free, body: { email: newEmail } })
  expect(await changeEmail(at, home)).toBe(200)

  expect(await home.call('GET', '/auth/account')).toMatchObject({ body: { user: { email: newEmail } } })
  const { call } = at.openBrowser()
  expect((await call('POST', '/auth/log-in', { email: newEmail, password: bob.password })).status).toBe(401)
  expect((await call('POST', '/auth/log-in', { email: newEmail, password: ada.password })).status).toBe(200)
  expect((await call('POST', '/auth/verify-email', { token: stale, password: bob.password })).status).toBe(
    404,
  )
  // It is there still, and may give itself another address.
  expect(await squatter.call('GET', '/auth/account')).toMatchObject({
    body: { user: { email: expect.stringMatching(/@released\.invalid$/) }, is_email_confirmed: false },
  })
})

test('an account that confirms the address first keeps it', async () => {
  const at = await setUp()
  await at.openBrowser().call('POST', '/auth/sign-up', { ...bob, email: newEmail })
  await at.home.call('POST', '/auth/account/email', { email: newEmail })
  const token = tokenIn(await mailTo(at, newEmail, '/change-email?token='))
  const confirm = tokenIn(await mailTo(at, newEmail, '/verify-email?token='))
  await at.openBrowser().call('POST', '/auth/verify-email', { token: confirm, password: bob.password })
  expect((await at.home.call('POST', '/auth/change-email', { token })).status).toBe(409)
})

test('the link counts for whoever is logged in to that account, once, and only the latest one', async () => {
  const at = await setUp()
  await at.home.call('POST', '/auth/account/email', { email: 'ada@first.example' })
  const first = tokenIn(await mailTo(at, 'ada@first.example', 'token='))
  await at.home.call('POST', '/auth/account/email', { email: newEmail })
  const token = tokenIn(await mailTo(at, newEmail, 'token='))
  const stranger = at.openBrowser()
  expect((await stranger.call('POST', '/auth/change-email', { token })).status).toBe(401)
  await stranger.call('POST', '/auth/sign-up', bob)
  await stranger.call('POST', '/auth/verify-email', { token: tokenIn(await mailTo(at, bob.email, 'token=')) })
  await stranger.call('POST', '/auth/log-in', { email: bob.email, password: bob.password })
  expect((await stranger.call('POST', '/auth/change-email', { token })).status).toBe(409)
  const statusOf = async (link: string) =>
    (await at.home.call('POST', '/auth/change-email', { token: link })).status
  expect([await statusOf(first), await statusOf(token), await statusOf(token)]).toEqual([404, 200, 404])
})

test('a change is undone from the old mailbox: the address and nothing that came since, with a new password', async () => {
  const at = await setUp()
  await changeEmail(at, at.home)
  const { accounts } = at.identity
  const userId = (await at.identity.findUserByEmail(newEmail))?.id ?? ''
  at.pass(dayMs)
  await accounts.linkedSignIns.add({ issuer: 'https://id.example', subject: 'eve', userId, email: '' })
  const token = tokenIn(await mailTo(at, ada.email, '/undo-email-change?token='))
  const owner = at.openBrowser('192.0.2.9')
  const undone = await owner.call('POST', '/auth/undo-email-change', { token })
  expect(undone).toMatchObject({ status: 200, body: { email: ada.email } })
  expect((await at.home.call('GET', '/auth/session')).status).toBe(401)
  expect(await accounts.linkedSignIns.list(userId)).toEqual([])
  expect((await owner.call('POST', '/auth/log-in', logIn)).status).toBe(401)
  const { redirect_to: link } = z.object({ redirect_to: z.string() }).parse(undone.body)
  expect(link).toMatch(new RegExp(`^${siteUrl}/reset-password[?]token=`))
  const reset = { token: new URL(link).searchParams.get('token'), password: 'mine again' }
  expect((await owner.call('POST', '/auth/reset-password', reset)).status).toBe(200)
  expect((await owner.call('POST', '/auth/log-in', { ...logIn, password: 'mine again' })).status).toBe(200)
  expect((await owner.call('POST', '/auth/undo-email-change', { token })).status).toBe(404)
})

test('undoing leaves one-time codes that were in use before the change', async () => {
  const at = await setUp()
  const { accounts } = at.identity
  const userId = (await at.identity.findUserByEmail(ada.email))?.id ?? ''
  await accounts.totp.begin(userId, 'sealed')
  await accounts.totp.confirm(userId, [])
  at.pass(1)
  await changeEmail(at, at.home)
  const token = tokenIn(await mailTo(at, ada.email, '/undo-email-change?token='))
  await at.openBrowser().call('POST', '/auth/undo-email-change', { token })
  expect(await accounts.totp.find(userId)).toBeDefined()
})

test('a change can be undone for seven days', async () => {
  const at = await setUp()
  await changeEmail(at, at.home)
  at.pass(7 * dayMs)
  const token = tokenIn(await mailTo(at, ada.email, '/undo-email-change?token='))
  expect((await at.openBrowser().call('POST', '/auth/undo-email-change', { token })).status).toBe(404)
})

test('nobody takes the old address while the change can be undone', async () => {
  const at = await setUp()
  await changeEmail(at, at.home)
  const before = at.mails.length
  await at.openBrowser().call('POST', '/auth/sign-up', ada)
  expect(at.mails.slice(before).map(({ subject }) => subject)).toEqual([
    'You have a Flamegate account already',
  ])
  const token = tokenIn(await mailTo(at, ada.email, '/undo-email-change?token='))
  expect((await at.openBrowser().call('POST', '/auth/undo-email-change', { token })).status).toBe(200)
})

test('an old address that nobody had confirmed gets no way to take the account', async () => {
  const at = await startAccounts()
  const home = at.openBrowser()
  await home.call('POST', '/auth/sign-up', ada)
  expect(await changeEmail(at, home)).toBe(200)
  expect(at.mails.filter(({ text }) => text.includes('undo'))).toEqual([])
})

test.each(['account/email', 'change-email', 'undo-email-change'])(
  'pages elsewhere cannot call /auth/%s',
  async (path) => {
    const { openBrowser } = await startAccounts()
    const headers = { origin: 'https://evil.example' }
    expect((await openBrowser().call('POST', `/auth/${path}`, {}, headers)).status).toBe(403)
  },
)
