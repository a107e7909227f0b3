import { hashSecret } from '@flamegate/auth'
import { describe, expect, test, vi } from 'vitest'
import { ada, bob, siteUrl, startAccounts, tokenIn } from './test-accounts.ts'

const dayMs = 86_400_000
const logIn = { email: ada.email, password: ada.password }

test('where mails arrive, signing up sends a link, and one logs in after it was followed', async () => {
  const { openBrowser, mails } = await startAccounts({ mailsArrive: true })
  const { call } = openBrowser()
  expect(await call('POST', '/auth/sign-up', ada)).toEqual({
    status: 202,
    cookies: [expect.stringContaining('__Host-fg_sign_up=')],
    location: undefined,
    body: { next: 'confirm_email', email: ada.email },
  })
  expect(mails.map(({ to }) => to)).toEqual([ada.email])
  expect(mails[0]?.text).toContain(`${siteUrl}/verify-email?token=`)
  expect(mails[0]?.text).not.toContain(ada.name)
  expect(await call('POST', '/auth/log-in', logIn)).toMatchObject({
    status: 401,
    body: { detail: expect.stringContaining('confirm') },
  })
  expect(mails).toHaveLength(2)
  expect(await call('POST', '/auth/verify-email', { token: tokenIn(mails[0]) })).toMatchObject({
    status: 200,
    body: { email: ada.email },
  })
  expect(await call('POST', '/auth/log-in', logIn)).toMatchObject({ status: 200 })
})

describe('somebody who signed up with the address of another', () => {
  const mallory = { ...ada, name: 'Mallory', password: 'known to mallory' }

  async function signUpInVain() {
    const at = await startAccounts({ mailsArrive: true })
    await at.openBrowser('192.0.2.66').call('POST', '/auth/sign-up', mallory)
    return { ...at, owner: at.openBrowser() }
  }

  test('has nothing by its owner following the link without care', async () => {
    const { owner, mails, openBrowser } = await signUpInVain()
    const token = tokenIn(mails[0])
    expect(await owner.call('POST', '/auth/verify-email', { token })).toMatchObject({
      status: 403,
      body: { code: 'proof_needed', detail: 'Enter the password you chose when signing up.' },
    })
    expect(await owner.call('POST', '/auth/verify-email', { token, password: ada.password })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'password' }] },
    })
    const { email, password } = mallory
    expect((await openBrowser().call('POST', '/auth/log-in', { email, password })).status).toBe(401)
  })

  test('does not keep the owner from signing up, whose own password counts then', async () => {
    const { owner, mails, identity, openBrowser } = await signUpInVain()
    expect(await owner.call('POST', '/auth/sign-up', ada)).toMatchObject({ status: 202 })
    expect((await owner.call('POST', '/auth/verify-email', { token: tokenIn(mails[1]) })).status).toBe(200)
    expect(await identity.findUserByEmail(ada.email)).toMatchObject({ name: ada.name })
    expect((await owner.call('POST', '/auth/log-in', logIn)).status).toBe(200)
    const late = openBrowser()
    const { email, password } = mallory
    expect((await late.call('POST', '/auth/log-in', { email, password })).status).toBe(401)
    // The link of the other sign-up is worth nothing any more, whoever follows it.
    const verify = { token: tokenIn(mails[0]), password }
    expect((await owner.call('POST', '/auth/verify-email', verify)).status).toBe(404)
    expect((await owner.call('POST', '/auth/log-in', logIn)).status).toBe(200)
  })

  test('does not make the owner’s link take another password by signing up once more', async () => {
    const { owner, mails, openBrowser } = await signUpInVain()
    await owner.call('POST', '/auth/sign-up', ada)
    await openBrowser('192.0.2.66').call('POST', '/auth/sign-up', mallory)
    const elsewhere = openBrowser()
    const verify = { token: tokenIn(mails[1]), password: ada.password }
    expect((await elsewhere.call('POST', '/auth/verify-email', verify)).status).toBe(200)
    expect((await elsewhere.call('POST', '/auth/log-in', logIn)).status).toBe(200)
  })

  test('does not keep the owner from signing up, however often', async () => {
    const { owner, mails, openBrowser } = await signUpInVain()
    for (let round = 0; round < 6; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await openBrowser('192.0.2.66').call('POST', '/auth/sign-up', mallory)
    }
    const before = mails.length
    expect(before).toBe(5)
    await owner.call('POST', '/auth/sign-up', ada)
    expect((await owner.call('POST', '/auth/verify-email', { token: tokenIn(mails[before]) })).status).toBe(
      200,
    )
  })

  test('has nothing by the link that somebody opens who is logged in to that account from before', async () => {
    const { mails, identity, openBrowser } = await startAccounts({ mailsArrive: true })
    await openBrowser().call('POST', '/auth/sign-up', ada)
    const userId = (await identity.findUserByEmail(ada.email))?.id ?? ''
    const session = { tokenHash: hashSecret('before'), userId, userAgent: '' }
    await identity.createSession({ ...session, expiresAt: new Date('2027-01-01') })
    await openBrowser('192.0.2.66').call('POST', '/auth/sign-up', mallory)
    const { call } = openBrowser()
    const cookie = '__Host-fg_session=before'
    const verify = (token: string) => call('POST', '/auth/verify-email', { token }, { cookie })
    expect(await verify(tokenIn(mails[1]))).toMatchObject({ status: 403, body: { code: 'proof_needed' } })
    expect((await verify(tokenIn(mails[0]))).status).toBe(200)
  })

  test('loses what they put in before a mail server was set', async () => {
    const { owner, mails, identity } = await signUpInVain()
    const userId = (await identity.findUserByEmail(ada.email))?.id ?? ''
    const expiresAt = new Date('2027-01-01')
    await identity.createSession({ tokenHash: 'mallory', userId, expiresAt, userAgent: '' })
    await owner.call('POST', '/auth/sign-up', ada)
    expect(await identity.findSession('mallory')).toBeDefined()
    await owner.call('POST', '/auth/verify-email', { token: tokenIn(mails[1]) })
    expect(await identity.findSession('mallory')).toBeUndefined()
  })
})

test('guessing the password of a sign-up is slowed down, and leaves the address unconfirmed', async () => {
  const passwordsPerPlace = { attempts: 3, firstWaitMs: 60_000, longestWaitMs: 60_000 }
  const { openBrowser, mails, identity } = await startAccounts({
    mailsArrive: true,
    limits: { passwordsPerPlace },
  })
  await openBrowser().call('POST', '/auth/sign-up', ada)
  const { call } = openBrowser()
  const statuses: number[] = []
  for (let guess = 0; guess < 4; guess++) {
    const verify = { token: tokenIn(mails[0]), password: `guess ${guess}` }
    statuses.push((await call('POST', '/auth/verify-email', verify)).status)
  }
  expect(statuses).toEqual([400, 400, 400, 429])
  expect(await identity.findUserByEmail(ada.email)).toMatchObject({ emailVerifiedAt: null })
})

test('a wrong password of an unconfirmed account gets the same answer as everywhere', async () => {
  const { openBrowser } = await startAccounts({ mailsArrive: true })
  const { call } = openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const wrong = await call('POST', '/auth/log-in', { ...logIn, password: 'wrong horse' })
  expect(wrong.status).toBe(401)
  expect(await call('POST', '/auth/log-in', { email: bob.email, password: 'wrong horse' })).toEqual(wrong)
})

test('where mails arrive, signing up does not tell whether an address has an account', async () => {
  const { identity, openBrowser, mails } = await startAccounts({ mailsArrive: true })
  const { call } = openBrowser()
  const first = await call('POST', '/auth/sign-up', ada)
  await call('POST', '/auth/verify-email', { token: tokenIn(mails[0]) })
  const before = await identity.findUserByEmail(ada.email)
  const second = await call('POST', '/auth/sign-up', { ...ada, name: 'Eve', password: 'of somebody else' })
  const secrets = /=[\w-]{43};/g
  const plain = ({ cookies, ...answer }: typeof first) => ({
    ...answer,
    cookies: cookies.map((line) => line.replaceAll(secrets, '=…;')),
  })
  expect(plain(second)).toEqual(plain(first))
  expect(plain(first).cookies).toHaveLength(1)
  expect(await identity.findUserByEmail(ada.email)).toEqual(before)
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Confirm your e-mail address for Flamegate',
    'You have a Flamegate account already',
  ])
})

test('where mails arrive, logging in does not tell either whether an address had an account before', async () => {
  const { openBrowser, mails } = await startAccounts({ mailsArrive: true })
  const limit = 10
  const probe = async (address: string, email: string) => {
    const { call } = openBrowser(address)
    await call('POST', '/auth/sign-up', { ...bob, email })
    const answers = []
    for (let attempt = 0; attempt <= limit; attempt++)
      answers.push(await call('POST', '/auth/log-in', { email, password: bob.password }))
    return answers
  }
  const home = openBrowser()
  await home.call('POST', '/auth/sign-up', ada)
  await home.call('POST', '/auth/verify-email', { token: tokenIn(mails[0]) })
  expect(await probe('192.0.2.7', bob.email)).toEqual(await probe('192.0.2.8', ada.email))
})

test.each(['invitation', 'invitation_id'])('an %s counts once the address is confirmed', async (name) => {
  const { identity, openBrowser, mails } = await startAccounts({ mailsArrive: true })
  const { call } = openBrowser()
  identity.addInvitation(hashSecret('secret'), { email: ada.email, workspaceId: 'ws_1', role: 'member' })
  const [invitation] = await identity.takeUnmailedInvitations()
  const value = name === 'invitation' ? 'secret' : invitation?.id
  expect(await call('POST', '/auth/sign-up', { ...ada, [name]: value })).toMatchObject({ status: 202 })
  expect(await call('POST', '/auth/verify-email', { token: tokenIn(mails[0]) })).toMatchObject({
    body: { email: ada.email, joined_workspace_id: 'ws_1' },
  })
  const user = await identity.findUserByEmail(ada.email)
  expect(await identity.acceptInvitation(user?.id ?? '', { tokenHash: hashSecret('secret') })).toBeUndefined()
})

test('a link to confirm an address is good once, for a day, and for nothing else', async () => {
  const { openBrowser, mails, pass } = await startAccounts()
  const { call } = openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const token = tokenIn(mails[0])
  const verify = () => call('POST', '/auth/verify-email', { token })
  expect(await call('POST', '/auth/reset-password', { token, password: 'new horses' })).toMatchObject({
    status: 404,
  })
  expect((await verify()).status).toBe(200)
  expect((await verify()).status).toBe(404)
  await call('POST', '/auth/sign-up', bob)
  pass(dayMs)
  expect(await call('POST', '/auth/verify-email', { token: tokenIn(mails[1]) })).toMatchObject({
    status: 404,
  })
})

test('a link to confirm the address does not bring back a password that was changed since', async () => {
  const { openBrowser, mails } = await startAccounts()
  const { call } = openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const change = { present_password: ada.password, new_password: 'another horse' }
  expect((await call('POST', '/auth/account/password', change)).status).toBe(204)
  const verify = { token: tokenIn(mails[0]), password: ada.password }
  expect((await openBrowser().call('POST', '/auth/verify-email', verify)).status).toBe(404)
})

test('the account page tells whether the address is confirmed, and sends the link again', async () => {
  const { openBrowser, mails } = await startAccounts()
  const { call } = openBrowser()
  await call('POST', '/auth/sign-up', ada)
  expect(await call('GET', '/auth/account')).toMatchObject({ body: { is_email_confirmed: false } })
  expect(await call('POST', '/auth/account/verification-mail')).toMatchObject({ status: 204 })
  expect(mails).toHaveLength(2)
  await call('POST', '/auth/verify-email', { token: tokenIn(mails[1]) })
  expect(await call('GET', '/auth/account')).toMatchObject({ body: { is_email_confirmed: true } })
  await call('POST', '/auth/account/verification-mail')
  expect(mails).toHaveLength(2)
})

test('a forgotten password is chosen anew by a link, which ends every session', async () => {
  const { openBrowser, mails } = await startAccounts()
  const home = openBrowser()
  await home.call('POST', '/auth/sign-up', ada)
  const { call } = openBrowser()
  expect(await call('POST', '/auth/forgot-password', { email: ada.email })).toMatchObject({ status: 202 })
  await vi.waitFor(() => expect(mails).toHaveLength(2))
  expect(mails[1]?.text).toContain(`${siteUrl}/reset-password?token=`)
  const reset = { token: tokenIn(mails[1]), password: 'another horse' }
  expect(await call('POST', '/auth/reset-password', reset)).toMatchObject({
    status: 200,
    cookies: [],
    body: { email: ada.email },
  })
  expect(mails.at(-1)).toMatchObject({
    to: ada.email,
    text: expect.stringContaining('A new password was chosen for your Flamegate account'),
  })
  expect((await home.call('GET', '/auth/session')).status).toBe(401)
  expect((await call('POST', '/auth/log-in', logIn)).status).toBe(401)
  expect((await call('POST', '/auth/log-in', { ...logIn, password: 'another horse' })).status).toBe(200)
  expect((await call('POST', '/auth/reset-password', reset)).status).toBe(404)
})

test('a link for a new password is good for an hour, and no other one is good after it was used', async () => {
  const { openBrowser, mails, pass } = await startAccounts()
  const { call } = openBrowser()
  await call('POST', '/auth/sign-up', ada)
  for (let count = 2; count <= 4; count++) {
    await call('POST', '/auth/forgot-password', { email: ada.email })
    await vi.waitFor(() => expect(mails).toHaveLength(count))
    if (count === 2) pass(3_600_000)
  }
  const reset = async (index: number) => {
    const input = { token: tokenIn(mails[index]), password: 'another horse' }
    return (await call('POST', '/auth/reset-password', input)).status
  }
  expect([await reset(1), await reset(2), await reset(3)]).toEqual([404, 200, 404])
})

test('a password that is too short leaves the link good', async () => {
  const { openBrowser, mails } = await startAccounts()
  const { call } = openBrowser()
  await call('POST', '/auth/sign-up', ada)
  await call('POST', '/auth/forgot-password', { email: ada.email })
  await vi.waitFor(() => expect(mails).toHaveLength(2))
  const token = tokenIn(mails[1])
  expect(await call('POST', '/auth/reset-password', { token, password: 'short' })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'password' }] },
  })
  expect((await call('POST', '/auth/reset-password', { token, password: 'long enough' })).status).toBe(200)
})

test('asking for a new password does not tell whether an address has an account; the mail does', async () => {
  const { openBrowser, mails } = await startAccounts({ mailsArrive: true })
  const { call } = openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const known = await call('POST', '/auth/forgot-password', { email: ada.email })
  const unknown = await call('POST', '/auth/forgot-password', { email: bob.email })
  expect(unknown).toEqual({ ...known, body: { email: bob.email } })
  await vi.waitFor(() => expect(mails).toHaveLength(3))
  expect(mails.slice(1).map(({ to, subject }) => [to, subject])).toEqual([
    [ada.email, 'A new password for Flamegate'],
    [bob.email, 'There is no Flamegate account with this address'],
  ])
})

test('connected apps are cut off with the old password if the person wants that', async () => {
  const { identity, openBrowser, mails } = await startAccounts()
  const { call } = openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const user = await identity.findUserByEmail(ada.email)
  await identity.oauth.noteGrant({
    id: 'g1',
    userId: user?.id ?? '',
    clientId: 'c',
    clientName: 'Claude',
    verifiedDomain: null,
    scopes: ['read'],
    choices: {},
  })
  const reset = async (end_connected_apps: boolean) => {
    const count = mails.length + 1
    await call('POST', '/auth/forgot-password', { email: ada.email })
    await vi.waitFor(() => expect(mails).toHaveLength(count))
    const token = tokenIn(mails.at(-1))
    await call('POST', '/auth/reset-password', { token, password: 'another horse', end_connected_apps })
    return identity.listGrants().map(({ id }) => id)
  }
  expect(await reset(false)).toEqual(['g1'])
  expect(await reset(true)).toEqual([])
})

test('whoever shows that the address is theirs gets the account without what a stranger put into it', async () => {
  const { identity, openBrowser, mails } = await startAccounts({ mailsArrive: true })
  const { call } = openBrowser()
  await call('POST', '/auth/sign-up', ada)
  const userId = (await identity.findUserByEmail(ada.email))?.id ?? ''
  await identity.accounts.linkedSignIns.add({
    issuer: 'https://id.example',
    subject: 'eve',
    userId,
    email: '',
  })
  await call('POST', '/auth/forgot-password', { email: ada.email })
  await vi.waitFor(() => expect(mails).toHaveLength(2))
  const reset = { token: tokenIn(mails[1]), password: 'another horse' }
  expect((await call('POST', '/auth/reset-password', reset)).status).toBe(200)
  expect(await identity.accounts.linkedSignIns.list(userId)).toEqual([])
  expect((await call('POST', '/auth/log-in', { ...logIn, password: reset.password })).status).toBe(200)
})

test('where mails do not arrive, a new password does not confirm the address: a link from the log proves nothing', async () => {
  const { openBrowser, mails } = await startAccounts()
  const { call } = openBrowser()
  await call('POST', '/auth/sign-up', ada)
  await call('POST', '/auth/forgot-password', { email: ada.email })
  await vi.waitFor(() => expect(mails).toHaveLength(2))
  const reset = { token: tokenIn(mails[1]), password: 'another horse' }
  expect((await call('POST', '/auth/reset-password', reset)).status).toBe(200)
  await call('POST', '/auth/log-in', { ...logIn, password: reset.password })
  expect(await call('GET', '/auth/account')).toMatchObject({ body: { is_email_confirmed: false } })
})

test.each(['sign-up', 'forgot-password'])(
  'mails that strangers cause by /auth/%s do not use up those that a person needs',
  async (path) => {
    const { openBrowser, mails } = await startAccounts({ mailsArrive: true })
    const { call } = openBrowser()
    const ofAda = () => mails.filter(({ to }) => to === ada.email).map(({ subject }) => subject)
    if (path === 'sign-up') {
      await call('POST', '/auth/sign-up', ada)
      await call('POST', '/auth/verify-email', { token: tokenIn(mails[0]) })
    }
    for (let index = 0; index < 6; index++) {
      const input = path === 'sign-up' ? ada : { email: ada.email }
      await openBrowser('192.0.2.66').call('POST', `/auth/${path}`, input)
    }
    await vi.waitFor(() => expect(ofAda().length).toBeGreaterThanOrEqual(5))
    if (path === 'sign-up') await call('POST', '/auth/forgot-password', { email: ada.email })
    else await call('POST', '/auth/sign-up', ada)
    const needed =
      path === 'sign-up' ? 'A new password for Flamegate' : 'Confirm your e-mail address for Flamegate'
    await vi.waitFor(() => expect(ofAda().at(-1)).toBe(needed))
  },
)

test('nobody’s mailbox is filled: after five mails of a kind in an hour there are no more, and nobody is told', async () => {
  const { openBrowser, mails, pass } = await startAccounts({ mailsArrive: true })
  await openBrowser().call('POST', '/auth/sign-up', ada)
  const ask = (address: string) =>
    openBrowser(address).call('POST', '/auth/forgot-password', { email: ada.email })
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => ask(`192.0.2.${index + 10}`)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  // Whatever is under way has arrived by the time that a mail to somebody else has.
  await openBrowser().call('POST', '/auth/sign-up', bob)
  await vi.waitFor(() => expect(mails.at(-1)?.to).toBe(bob.email))
  expect(mails.filter(({ subject }) => subject === 'A new password for Flamegate')).toHaveLength(5)
  pass(3_600_000)
  await ask('192.0.2.30')
  await vi.waitFor(() => expect(mails.at(-1)?.to).toBe(ada.email))
})

test('nobody sends mails to the whole world: an address that asks too often is refused', async () => {
  const minute = { attempts: 3, firstWaitMs: 60_000, longestWaitMs: 60_000 }
  const { openBrowser } = await startAccounts({ limits: { mailRequests: minute } })
  const { call } = openBrowser()
  const statuses: number[] = []
  for (let index = 0; index < 4; index++) {
    const { status } = await call('POST', '/auth/forgot-password', { email: `somebody-${index}@example.com` })
    statuses.push(status)
  }
  expect(statuses).toEqual([202, 202, 202, 429])
})

test.each(['verify-email', 'forgot-password', 'reset-password', 'account/verification-mail'])(
  'pages elsewhere cannot call /auth/%s',
  async (path) => {
    const { openBrowser } = await startAccounts()
    const headers = { origin: 'https://evil.example' }
    expect((await openBrowser().call('POST', `/auth/${path}`, {}, headers)).status).toBe(403)
  },
)
