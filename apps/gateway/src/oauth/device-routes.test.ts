import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { lookUpTogether } from './test-race.ts'
import {
  ada,
  bob,
  openBrowser,
  readClaims,
  registerClient,
  requestToken,
  startTestSite,
  tryToken,
} from './test-site.ts'
import type { Browser, TestSite, TokenAnswer } from './test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.close())

const cli = { client_id: 'flamegate-cli' }

const started = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.number(),
})

async function start(parameters: Record<string, string> = {}) {
  const body = new URLSearchParams({
    ...cli,
    scope: 'read write',
    resource: `${site.issuer}/v1`,
    ...parameters,
  })
  const response = await fetch(`${site.issuer}/oauth/device`, { method: 'POST', body })
  return started.parse(await response.json())
}

const poll = (device_code: string): Promise<TokenAnswer> =>
  requestToken(site, cli, { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code })

async function logIn(person = ada): Promise<Browser> {
  const browser = openBrowser(site)
  await browser.logIn(person)
  return browser
}

test('a program without a browser gets its tokens when its person has allowed it', async () => {
  const device = await start()
  expect(device).toMatchObject({
    user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
    verification_uri: `${site.issuer}/device`,
    verification_uri_complete: `${site.issuer}/device?user_code=${device.user_code}`,
    expires_in: 600,
  })
  expect(await poll(device.device_code)).toMatchObject({ status: 400, error: 'authorization_pending' })

  const browser = await logIn()
  // However it is typed.
  const typed = { user_code: device.user_code.toLowerCase().replace('-', ' ') }
  const view = await browser.call('POST', '/auth/device/find', typed)
  expect(await view.json()).toMatchObject({
    client: { client_id: 'flamegate-cli', name: 'Flamegate command line', verified: false },
    user_code: device.user_code,
    scopes: [{ scope: 'read' }, { scope: 'write' }],
    workspaces: [{ id: 'ws_usr_ada' }],
    choices: { workspace_ids: null, toolsets: null, read_only: false },
    user: { email: ada.email, name: ada.name },
  })
  const allowed = await browser.call('POST', '/auth/device/allow', { ...typed, additional_scopes: ['run'] })
  expect(allowed.status).toBe(204)

  const tokens = await poll(device.device_code)
  expect(await tryToken(site, tokens.access_token, '/v1')).toBe('read write run')
  expect(await tryToken(site, tokens.access_token)).toBe('The access token is for another resource.')
  const next = await requestToken(site, cli, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token ?? '',
  })
  expect(await tryToken(site, next.access_token, '/v1')).toBe('read write run')
  expect(site.identity.listGrants().at(-1)).toMatchObject({
    userId: 'usr_ada',
    clientName: 'Flamegate command line',
    scopes: ['read', 'write', 'run'],
  })
})

test('choices count for a program as for any client, and are offered again', async () => {
  const device = await start()
  const browser = await logIn()
  const { user_code } = device
  const choices = { workspace_ids: ['ws_usr_ada'], toolsets: ['profiles'], read_only: true }
  await browser.call('POST', '/auth/device/allow', { user_code, ...choices })
  const tokens = await poll(device.device_code)
  expect(readClaims(tokens.access_token)).toMatchObject({
    wid: ['ws_usr_ada'],
    tsets: ['profiles'],
    ro: true,
  })
  const again = await start()
  const view = await browser.call('POST', '/auth/device/find', { user_code: again.user_code })
  expect(await view.json()).toMatchObject({ choices })
})

test('every log-in of a program is ended alone', async () => {
  const browser = await logIn()
  const grantIds: unknown[] = []
  for (const device of [await start(), await start()]) {
    await browser.call('POST', '/auth/device/allow', { user_code: device.user_code })
    grantIds.push(readClaims((await poll(device.device_code)).access_token)['gid'])
  }
  expect(new Set(grantIds).size).toBe(2)
})

test('a program that asks too often is told to slow down, each time by 5 seconds more, and gets its tokens all the same', async () => {
  const browser = await logIn()
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { device_code, user_code } = await start()
  const other = await start()
  const after = async (seconds: number) => {
    vi.setSystemTime(Date.now() + seconds * 1000)
    return (await poll(device_code))['error']
  }
  expect(await after(0)).toBe('authorization_pending')
  expect(await after(5)).toBe('authorization_pending')
  expect(await after(4.2)).toBe('authorization_pending')
  expect(await after(1)).toBe('slow_down')
  expect(await after(5)).toBe('slow_down')
  expect(await after(10)).toBe('slow_down')
  expect(await after(20)).toBe('authorization_pending')
  expect(await poll(other.device_code)).toMatchObject({ error: 'authorization_pending' })
  await browser.call('POST', '/auth/device/allow', { user_code })
  expect((await poll(device_code)).status).toBe(200)
})

test('a double click on Allow makes one grant', async () => {
  const { user_code } = await start()
  const browser = await logIn()
  const before = site.identity.listGrants().length
  lookUpTogether(site, 'findByUserCode', 'DeviceCode', 3)
  await Promise.all([1, 2, 3].map(() => browser.call('POST', '/auth/device/allow', { user_code })))
  expect(site.identity.listGrants()).toHaveLength(before + 1)
})

test('denying tells the program so', async () => {
  const device = await start()
  const browser = await logIn()
  const denied = await browser.call('POST', '/auth/device/deny', { user_code: device.user_code })
  expect(denied.status).toBe(204)
  expect(await poll(device.device_code)).toMatchObject({ status: 400, error: 'access_denied' })
})

test('a code decides once, and a device code is worth tokens once', async () => {
  const device = await start()
  const browser = await logIn()
  const body = { user_code: device.user_code }
  await browser.call('POST', '/auth/device/allow', body)
  for (const path of ['find', 'allow', 'deny']) {
    expect((await browser.call('POST', `/auth/device/${path}`, body)).status).toBe(404)
  }
  const { access_token } = await poll(device.device_code)
  expect(await tryToken(site, access_token, '/v1')).toBe('read write')
  expect(await poll(device.device_code)).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect(await tryToken(site, access_token, '/v1')).toBe('The access token was revoked.')
})

test('a code works for ten minutes', async () => {
  const device = await start()
  const browser = await logIn()
  // The provider lets clocks be 15 seconds apart.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 620_000 })
  try {
    const found = await browser.call('POST', '/auth/device/find', { user_code: device.user_code })
    expect(found.status).toBe(404)
    expect(await poll(device.device_code)).toMatchObject({ status: 400, error: 'expired_token' })
  } finally {
    vi.useRealTimers()
  }
})

test.each(['find', 'allow', 'deny'])('%s is for people who are logged in, on our own pages', async (path) => {
  const { user_code } = await start()
  const url = `/auth/device/${path}`
  expect((await openBrowser(site).call('POST', url, { user_code })).status).toBe(401)
  const evil = { origin: 'https://evil.example' }
  expect((await (await logIn()).call('POST', url, { user_code }, evil)).status).toBe(403)
})

test.each([[{}], [{ user_code: '' }], [{ user_code: 7 }], ['text']])('%j is no code', async (body) => {
  const answer = await (await logIn()).call('POST', '/auth/device/find', body)
  expect(answer.status).toBe(400)
})

test('codes cannot be guessed: after 30 tries a person waits, also with the right one', async () => {
  const { user_code } = await start()
  const browser = await logIn(bob)
  const statuses: number[] = []
  for (let round = 0; round < 31; round++) {
    const guess = `BBBB-BBB${'BCDFGHJKLM'[round % 10]}`
    statuses.push((await browser.call('POST', '/auth/device/find', { user_code: guess })).status)
  }
  expect(statuses).toEqual([...Array<number>(30).fill(404), 429])
  const right = await browser.call('POST', '/auth/device/find', { user_code })
  expect(right.status).toBe(429)
  expect(await right.json()).toMatchObject({ code: 'rate_limited' })
})

test('only the command line may start this: other clients have redirects', async () => {
  const client = await registerClient(site, {
    client_name: 'Wants a code',
    redirect_uris: ['http://127.0.0.1:5000/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
  })
  const response = await fetch(`${site.issuer}/oauth/device`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: client.client_id, scope: 'read' }),
  })
  expect(response.status).toBe(400)
})

test('the device code is stored as its hash', async () => {
  const { device_code } = await start()
  expect(JSON.stringify(site.identity.listRecordIds('DeviceCode'))).not.toContain(device_code)
})

test('an address that starts without end is asked to wait', async () => {
  const crowded = await startTestSite()
  const statuses = new Set<number>()
  let last: unknown
  // One more is forgiven every twelve seconds.
  for (let round = 0; round < 400 && !statuses.has(429); round++) {
    const body = new URLSearchParams(cli)
    const answer = await fetch(`${crowded.issuer}/oauth/device`, { method: 'POST', body })
    statuses.add(answer.status)
    last = await answer.json()
  }
  expect([...statuses]).toEqual([200, 429])
  expect(last).toMatchObject({ error: 'temporarily_unavailable' })
  await crowded.close()
})
