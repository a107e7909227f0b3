import { afterAll, beforeAll, expect, test } from 'vitest'
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
  requestToken,
  startTestSite,
  tryToken,
  webClient,
} from './test-site.ts'
import type { Browser, TestClient, TestSite, TokenAnswer } from './test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.close())

const everything = { workspace_ids: null, toolsets: null, read_only: false }
const narrow = { workspace_ids: ['ws_usr_ada'], toolsets: ['benchmarks'], read_only: true }

interface Asked {
  uid: string
  client: TestClient
  browser: Browser
  finish: (allowance: unknown) => Promise<TokenAnswer>
  allow: (allowance: unknown) => Promise<Response>
  view: () => Promise<unknown>
}

/** Goes up to the consent page. */
async function ask(
  parameters: Record<string, string> = {},
  { client, browser = openBrowser(site) }: { client?: TestClient; browser?: Browser } = {},
): Promise<Asked> {
  const asking = client ?? (await registerClient(site, { ...nativeClient, client_name: crypto.randomUUID() }))
  await browser.logIn(ada)
  const request = requestAuthorization(site, asking, parameters)
  const { url } = await browser.visit(request.url)
  const uid = url.pathname.slice('/consent/'.length)
  const allow = (allowance: unknown) => browser.call('POST', `/auth/interactions/${uid}/allow`, allowance)
  return {
    uid,
    client: asking,
    browser,
    allow,
    view: async () => (await browser.call('GET', `/auth/interactions/${uid}`)).json(),
    finish: async (allowance) =>
      exchange(site, asking, request, await authorize(browser, await readRedirect(await allow(allowance)))),
  }
}

const limits = (token: string) => {
  const { wid, tsets, ro } = readClaims(token)
  return { wid, tsets, ro }
}

test('without choices a client gets what it asked for, everywhere', async () => {
  const { finish } = await ask()
  const tokens = await finish(undefined)
  expect(limits(tokens.access_token)).toEqual({})
  expect(tokens.scope).toBe('read')
})

test('choices are in the access token, also after a refresh, and the resource reads them', async () => {
  const { finish, client } = await ask()
  const tokens = await finish(narrow)
  const expected = { wid: ['ws_usr_ada'], tsets: ['benchmarks'], ro: true }
  expect(limits(tokens.access_token)).toEqual(expected)
  const next = await requestToken(site, client, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token ?? '',
  })
  expect(limits(next.access_token)).toEqual(expected)
  expect(
    await site.authenticator.authenticate(
      { method: 'POST', authorization: `Bearer ${next.access_token}` },
      { audience: `${site.issuer}/mcp` },
    ),
  ).toMatchObject({
    principal: { workspaceIds: ['ws_usr_ada'], toolsets: ['benchmarks'], isReadOnly: true },
  })
})

test('a scope that the client did not ask for can be added, and the client is told', async () => {
  const { finish, client } = await ask({ scope: 'openid read' })
  const tokens = await finish({ additional_scopes: ['write', 'run'] })
  expect(tokens.scope?.split(' ')).toEqual(expect.arrayContaining(['read', 'write', 'run']))
  expect(await tryToken(site, tokens.access_token)).toBe('read write run')
  const next = await requestToken(site, client, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token ?? '',
  })
  expect(await tryToken(site, next.access_token)).toBe('read write run')
})

test('a client that comes back is offered what was chosen before, from any browser', async () => {
  const first = await ask()
  await first.finish(narrow)
  const sameBrowser = await ask({ scope: 'read write' }, first)
  expect(await sameBrowser.view()).toMatchObject({
    choices: narrow,
    scopes: [{ scope: 'read' }, { scope: 'write' }],
  })
  const otherBrowser = await ask({}, { client: first.client })
  expect(await otherBrowser.view()).toMatchObject({ choices: narrow })
  const lifted = await sameBrowser.finish({ ...narrow, read_only: false })
  expect(limits(lifted.access_token).ro).toBeUndefined()
})

test('what one person chose says nothing about another', async () => {
  const first = await ask()
  await first.finish(narrow)
  const browser = openBrowser(site)
  const tokens = await exchangeAs(bob, first.client, browser)
  expect(limits(tokens.access_token)).toEqual({})
})

async function exchangeAs(person: typeof ada, client: TestClient, browser: Browser): Promise<TokenAnswer> {
  const request = requestAuthorization(site, client)
  return exchange(site, client, request, await authorize(browser, request.url, person))
}

test.each<[string, unknown, string]>([
  ['no workspace', { workspace_ids: [] }, 'workspace_ids'],
  ['a workspace of somebody else', { workspace_ids: ['ws_usr_bob'] }, 'workspace_ids'],
  ['more workspaces than fit', { workspace_ids: Array.from({ length: 51 }, String) }, 'workspace_ids'],
  ['no toolset', { toolsets: [] }, 'toolsets'],
  ['an unknown toolset', { toolsets: ['everything'] }, 'toolsets.0'],
  ['an unknown scope', { additional_scopes: ['root'] }, 'additional_scopes.0'],
  ['a word for read-only', { read_only: 'yes' }, 'read_only'],
  ['a field that is not known', { readonly: true }, ''],
  ['no object', [], ''],
])('%s is refused, and the question stays', async (_what, allowance, field) => {
  const { allow, finish } = await ask()
  const answer = await allow(allowance)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ code: 'invalid_input', errors: [{ field }] })
  expect((await finish({})).status).toBe(200)
})

test('choices can be changed later and count at once: older tokens are refused, and refreshing gives others', async () => {
  const { finish, client, browser } = await ask()
  const tokens = await finish(everything)
  const path = `/auth/connected-apps/${String(readClaims(tokens.access_token)['gid'])}/choices`
  expect(await tryToken(site, tokens.access_token)).toBe('read')
  expect((await browser.call('PUT', path, narrow)).status).toBe(204)
  expect(await tryToken(site, tokens.access_token)).toContain('was changed')
  expect(await (await browser.call('GET', path)).json()).toMatchObject({
    choices: narrow,
    workspaces: [{ id: 'ws_usr_ada' }],
    toolsets: expect.arrayContaining([{ toolset: 'profiles', description: expect.any(String) }]),
  })
  const next = await requestToken(site, client, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token ?? '',
  })
  expect(limits(next.access_token)).toEqual({ wid: ['ws_usr_ada'], tsets: ['benchmarks'], ro: true })
  expect(await tryToken(site, next.access_token)).toBe('read')
  expect((await browser.call('PUT', path, narrow)).status).toBe(204)
  expect(await tryToken(site, next.access_token)).toBe('read')
})

test('choices are seen and changed by their person on our own pages, and by nobody else', async () => {
  const { finish, browser } = await ask()
  const tokens = await finish(narrow)
  const path = `/auth/connected-apps/${String(readClaims(tokens.access_token)['gid'])}/choices`
  const asBob = openBrowser(site)
  await asBob.logIn(bob)
  const elsewhere = { origin: 'https://evil.example' }
  const bearer = { authorization: `Bearer ${tokens.access_token}` }
  expect((await asBob.call('PUT', path, everything)).status).toBe(404)
  expect((await asBob.call('GET', path)).status).toBe(404)
  expect((await browser.call('PUT', path, everything, elsewhere)).status).toBe(403)
  expect((await openBrowser(site).call('PUT', path, everything, bearer)).status).toBe(401)
  expect((await browser.call('PUT', path, { ...narrow, additional_scopes: ['admin'] })).status).toBe(400)
  expect((await browser.call('PUT', path, null)).status).toBe(400)
  expect(site.identity.listGrants().at(-1)).toMatchObject({ choices: { isReadOnly: true } })
})

test('a hosted client that is not asked about again keeps what was chosen', async () => {
  const client = await registerClient(site, { ...webClient, client_name: 'Hosted and narrow' })
  const { finish, browser } = await ask({}, { client })
  await finish(narrow)
  const silent = await connect(site, client, {}, browser)
  expect(limits(silent.access_token)).toEqual({ wid: ['ws_usr_ada'], tsets: ['benchmarks'], ro: true })
})
