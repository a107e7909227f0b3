import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { lookUpTogether } from './test-race.ts'
import {
  ada,
  authorize,
  bob,
  connect,
  exchange,
  nativeClient,
  openBrowser,
  readClaims,
  readRedirect,
  registerClient,
  requestAuthorization,
  startTestSite,
  webClient,
} from './test-site.ts'
import type { Browser, TestSite } from './test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.close())

async function reachConsent(browser: Browser, url: string, person = ada): Promise<string> {
  await browser.logIn(person)
  const { url: page } = await browser.visit(url)
  expect(page.pathname).toMatch(/^\/consent\//)
  return page.pathname.slice('/consent/'.length)
}

test('without a log-in the browser goes to the log-in page, and comes back', async () => {
  const client = await registerClient(site)
  const browser = openBrowser(site)
  const { url } = await browser.visit(requestAuthorization(site, client).url)
  expect(url.pathname).toBe('/log-in')
  await browser.logIn(ada)
  const next = await browser.visit(`/oauth/interaction/${url.searchParams.get('interaction')}`)
  expect(next.url.pathname).toMatch(/^\/consent\//)
})

test('the consent page learns who asks for what, and where the answer goes', async () => {
  const client = await registerClient(site, {
    ...nativeClient,
    client_uri: 'https://agent.example',
    logo_uri: 'http://agent.example/logo.png',
  })
  const browser = openBrowser(site)
  const uid = await reachConsent(browser, requestAuthorization(site, client, { scope: 'run read' }).url)
  const view = await (await browser.call('GET', `/auth/interactions/${uid}`)).json()
  expect(view).toEqual({
    client: { client_id: client.client_id, name: 'An agent', uri: 'https://agent.example', verified: false },
    redirect_host: '127.0.0.1:5000',
    is_loopback: true,
    scopes: [
      { scope: 'read', description: expect.any(String) },
      { scope: 'run', description: expect.any(String) },
    ],
    additional_scopes: [
      { scope: 'write', description: expect.any(String) },
      { scope: 'admin', description: expect.any(String) },
      { scope: 'upload', description: expect.any(String) },
    ],
    workspaces: [{ id: 'ws_usr_ada', name: ada.name }],
    toolsets: expect.arrayContaining([{ toolset: 'benchmarks', description: expect.any(String) }]),
    choices: { workspace_ids: null, toolsets: null, read_only: false },
    resource: `${site.issuer}/mcp`,
    user: { email: ada.email, name: ada.name },
    expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
  })
})

test('denying tells the client so', async () => {
  const client = await registerClient(site)
  const browser = openBrowser(site)
  const uid = await reachConsent(browser, requestAuthorization(site, client).url)
  const redirectTo = await readRedirect(await browser.call('POST', `/auth/interactions/${uid}/deny`, {}))
  const { url } = await browser.visit(redirectTo)
  expect(url.searchParams.get('error')).toBe('access_denied')
  expect(url.searchParams.get('code')).toBeNull()
})

test('a double click on Allow, also one that reaches two processes at once, makes one grant and leads to one place', async () => {
  const client = await registerClient(site, { ...nativeClient, client_name: 'Clicked twice' })
  const browser = openBrowser(site)
  const uid = await reachConsent(browser, requestAuthorization(site, client).url)
  const allow = async () =>
    readRedirect(await browser.call('POST', `/auth/interactions/${uid}/allow`, { read_only: true }))
  const grants = () => site.identity.listGrants().filter(({ clientId }) => clientId === client.client_id)
  lookUpTogether(site, 'find', 'Interaction', 3)
  const places = await Promise.all([allow(), allow(), allow()])
  expect(new Set([...places, await allow()]).size).toBe(1)
  expect(grants()).toHaveLength(1)
  const late = await browser.call('POST', `/auth/interactions/${uid}/deny`, {})
  expect(await readRedirect(late)).toBe(places[0])
  const { url } = await browser.visit(places[0] ?? '')
  expect(url.searchParams.get('code')).not.toBeNull()
  expect(grants()).toHaveLength(1)
})

test('nobody else can see or answer what a person is asked', async () => {
  const client = await registerClient(site)
  const uid = await reachConsent(openBrowser(site), requestAuthorization(site, client).url)
  const stranger = openBrowser(site)
  expect((await stranger.call('GET', `/auth/interactions/${uid}`)).status).toBe(401)
  await stranger.logIn(bob)
  expect((await stranger.call('GET', `/auth/interactions/${uid}`)).status).toBe(404)
  expect((await stranger.call('POST', `/auth/interactions/${uid}/allow`, {})).status).toBe(404)
})

test.each(['allow', 'deny'])('only our own pages can %s', async (decision) => {
  const client = await registerClient(site)
  const browser = openBrowser(site)
  const uid = await reachConsent(browser, requestAuthorization(site, client).url)
  const headers = { origin: 'https://evil.example' }
  const answer = await browser.call('POST', `/auth/interactions/${uid}/${decision}`, {}, headers)
  expect(answer.status).toBe(403)
  expect(answer.headers.get('content-type')).toContain('application/problem+json')
})

test('a request that somebody else started does not become one’s own', async () => {
  const client = await registerClient(site)
  const { url } = await openBrowser(site).visit(requestAuthorization(site, client).url)
  const victim = openBrowser(site)
  await victim.logIn(ada)
  const { response } = await victim.visit(`/oauth/interaction/${url.searchParams.get('interaction')}`)
  expect(response?.status).toBe(400)
  expect(await response?.text()).toContain('request_expired')
})

test('allowing is worth nothing in another browser of the same person', async () => {
  const client = await registerClient(site)
  const uid = await reachConsent(openBrowser(site), requestAuthorization(site, client).url)
  const other = openBrowser(site)
  await other.logIn(ada)
  const redirectTo = await readRedirect(await other.call('POST', `/auth/interactions/${uid}/allow`, {}))
  const { response } = await other.visit(redirectTo)
  expect(response?.status).toBe(400)
})

test('a hosted client that comes back with the same scopes is not asked about again, unless it wants to be', async () => {
  const client = await registerClient(site, webClient)
  const browser = openBrowser(site)
  const first = await connect(site, client, { scope: 'read write' }, browser)

  const request = requestAuthorization(site, client, { scope: 'read' })
  const { url: silent } = await browser.visit(request.url)
  expect(silent.origin).toBe('https://agent.example')
  const second = await exchange(site, client, request, silent)
  expect(second.scope).toBe('read')
  expect(readClaims(second.access_token)['gid']).toBe(readClaims(first.access_token)['gid'])

  const asked = [{ prompt: 'consent' }, { scope: 'read run' }].map(async (parameters) => {
    const { url } = await browser.visit(requestAuthorization(site, client, parameters).url)
    return url.pathname.split('/')[1]
  })
  expect(await Promise.all(asked)).toEqual(['consent', 'consent'])
})

test('a program on one’s own machine is asked about every time, for anybody could call themselves that', async () => {
  const client = await registerClient(site)
  const browser = openBrowser(site)
  const first = await connect(site, client, {}, browser)
  const { url } = await browser.visit(requestAuthorization(site, client).url)
  expect(url.pathname).toMatch(/^\/consent\//)
  const second = await connect(site, client, {}, browser)
  // It is the same grant again, and one entry in the list of connected apps.
  expect(readClaims(second.access_token)['gid']).toBe(readClaims(first.access_token)['gid'])
})

test('whoever logs out is asked to log in again, and may be somebody else', async () => {
  const client = await registerClient(site, webClient)
  const browser = openBrowser(site)
  await connect(site, client, {}, browser)
  await browser.call('POST', '/auth/log-out')
  const request = requestAuthorization(site, client)
  expect((await browser.visit(request.url)).url.pathname).toBe('/log-in')
  const tokens = await exchange(site, client, request, await authorize(browser, request.url, bob))
  expect(readClaims(tokens.access_token)['sub']).toBe('usr_bob')
})

test('when somebody else logs in while a page asks, the page is of no use any more', async () => {
  const client = await registerClient(site)
  const browser = openBrowser(site)
  const uid = await reachConsent(browser, requestAuthorization(site, client).url)
  await browser.logIn(bob)
  expect((await browser.call('POST', `/auth/interactions/${uid}/allow`, {})).status).toBe(404)
  expect((await browser.visit(`/oauth/interaction/${uid}`)).response?.status).toBe(400)
})

test('a client that wants a fresh log-in gets one, also by another person', async () => {
  const client = await registerClient(site, webClient)
  const browser = openBrowser(site)
  await connect(site, client, {}, browser)
  // Log-ins are compared by the second.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const request = requestAuthorization(site, client, { prompt: 'login' })
  expect((await browser.visit(request.url)).url.pathname).toBe('/log-in')
  const tokens = await exchange(site, client, request, await authorize(browser, request.url, bob))
  expect(readClaims(tokens.access_token)['sub']).toBe('usr_bob')
})

test('a log-in is as old as it is, and not as its first use by a client', async () => {
  const client = await registerClient(site, webClient)
  const browser = openBrowser(site)
  await browser.logIn(ada)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 })
  onTestFinished(() => void vi.useRealTimers())
  const scope = 'openid read'
  await connect(site, client, { scope }, browser)
  const arrive = async (max_age: string) =>
    (await browser.visit(requestAuthorization(site, client, { scope, max_age }).url)).url
  expect((await arrive('900')).searchParams.has('code')).toBe(true)
  expect((await arrive('60')).pathname).toBe('/log-in')
})

test('without a page to show, a client learns that a log-in is needed', async () => {
  const client = await registerClient(site, webClient)
  const { url } = await openBrowser(site).visit(requestAuthorization(site, client, { prompt: 'none' }).url)
  expect(url.searchParams.get('error')).toBe('login_required')
})
