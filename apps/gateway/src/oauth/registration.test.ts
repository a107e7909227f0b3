import { hashSecret } from '@flamegate/auth'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { rate } from '../accounts/counted-attempts.ts'
import {
  connect,
  nativeClient,
  openBrowser,
  refresh,
  register,
  registerClient,
  requestAuthorization,
  startTestSite,
  tryToken,
  webClient,
} from './test-site.ts'
import type { TestSite } from './test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.close())

test('a hosted client comes back only to what it registered', async () => {
  const client = await registerClient(site, { redirect_uris: ['https://agent.example/callback'] })
  const { url } = requestAuthorization(site, client, { redirect_uri: 'https://agent.example/elsewhere' })
  expect((await openBrowser(site).visit(url)).response?.status).toBe(400)
})

test.each<[string, unknown]>([
  ['no redirect URI', { client_name: 'x' }],
  ['a script as a redirect URI', { ...nativeClient, redirect_uris: ['javascript:alert(1)'] }],
  ['a fragment', { ...nativeClient, redirect_uris: ['https://agent.example/#x'] }],
  ['plain http to another machine', { ...webClient, redirect_uris: ['http://agent.example/callback'] }],
  [
    'plain http to another machine beside a port of one’s own',
    { ...nativeClient, redirect_uris: ['http://127.0.0.1:5000/callback', 'http://10.0.0.1/callback'] },
  ],
  ['no URI at all', { ...nativeClient, redirect_uris: ['callback'] }],
  [
    'no URI at all, for people who are somebody else to each client',
    { ...nativeClient, redirect_uris: ['callback'], subject_type: 'pairwise' },
  ],
  ['a list instead of an object', []],
])('%s cannot be registered', async (_what, metadata) => {
  const response = await register(site, metadata)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^invalid_/) })
})

const { redirect_uris: _redirects, ...unredirected } = nativeClient

test.each(
  [
    'ms-settings:privacy',
    'MS-Settings:privacy',
    'ms-msdt:/id',
    'search-ms:query',
    'ftp://agent.example/callback',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://agent.example/x',
    'vbscript:x',
    'about:blank',
    'ws://agent.example/callback',
    'wss://agent.example/callback',
    'view-source:https://agent.example/',
    'mailto:ada@example.com',
    'smb://agent.example/share',
    'intent://agent.example/#Intent;end',
  ].map((redirect) => [redirect]),
)('%s is no way back to an app, alone or beside one', async (redirect) => {
  for (const redirects of [[redirect], ['http://127.0.0.1:5000/callback', redirect]]) {
    const response = await register(site, { ...unredirected, redirect_uris: redirects })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_redirect_uri' })
  }
})

test.each([
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://x.y/cb',
  'com.example.app:/callback',
  'zed:/cb',
])('%s, an app’s own scheme, is one', async (redirect) => {
  const client = await registerClient(site, { ...unredirected, redirect_uris: [redirect] })
  expect(client.redirect_uris).toEqual([redirect])
})

test('a client has 30 redirect URIs at most', async () => {
  const redirects = Array.from({ length: 31 }, (_, index) => `https://agent.example/${index}`)
  const count = async (length: number) =>
    register(site, { ...webClient, redirect_uris: redirects.slice(0, length) })
  expect((await count(30)).status).toBe(201)
  const refused = await count(31)
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'invalid_redirect_uri' }])
})

test.each([
  ['client_uri', { client_uri: `https://agent.example/${'x'.repeat(2_048)}` }],
  ['redirect_uris', { redirect_uris: [`https://agent.example/${'x'.repeat(2_048)}`] }],
])('a text of thousands of characters in %s is refused', async (name, change) => {
  const response = await register(site, { ...webClient, ...change })
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error_description: expect.stringContaining(name) },
  ])
})

test('metadata of more than 16 kB is refused with words, to pages of any site too', async () => {
  const response = await register(site, { ...nativeClient, filler: 'x'.repeat(16 * 1024) })
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([413, '*'])
  expect(await response.json()).toEqual({
    error: 'invalid_client_metadata',
    error_description: 'The metadata of a client has at most 16384 bytes.',
  })
})

test('a registration that is no JSON is refused in the same way', async () => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${site.issuer}/oauth/reg`, { method: 'POST', headers, body: '{' })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: 'invalid_request' })
})

test('a client that sends null, empty texts, unknown grants and other surprises gets what is there for it', async () => {
  const client = await registerClient(site, {
    client_name: null,
    client_uri: '',
    logo_uri: 'not a url',
    tos_uri: 'http://agent.example/terms',
    scope: 'mcp:tools everything',
    grant_types: ['implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
    response_types: ['token'],
    id_token_signed_response_alg: 'RS256',
    subject_type: 'pairwise',
    sector_identifier_uri: 'https://agent.example/redirects.json',
    token_endpoint_auth_method: 'tls_client_auth',
    redirect_uris: ['http://[::1]:9000/callback'],
  })
  expect(client).toMatchObject({
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    subject_type: 'public',
  })
  expect(client).not.toHaveProperty('logo_uri')
  expect(client).not.toHaveProperty('tos_uri')
})

test('a long name is cut after a whole character', async () => {
  const client = await registerClient(site, { ...nativeClient, client_name: `${'x'.repeat(99)}\u{1F600}` })
  expect(client).toMatchObject({ client_name: 'x'.repeat(99) })
})

const shared = { ...nativeClient, client_uri: 'https://agent.example' }

test('whoever registers in the same words is the same client, whatever its port and the order of words', async () => {
  const first = await registerClient(site, shared)
  const [port, order] = [
    { ...shared, redirect_uris: ['http://127.0.0.1:6001/callback'] },
    Object.fromEntries(Object.entries({ ...shared, scope: 'read' }).toReversed()),
  ]
  const again = await registerClient(site, port)
  expect(again.client_id).toBe(first.client_id)
  expect(again.redirect_uris).toEqual(port.redirect_uris)
  expect((await registerClient(site, order)).client_id).toBe(first.client_id)
  expect(site.identity.listRecordIds('Client').filter((id) => id === first.client_id)).toHaveLength(1)
})

test.each([
  { client_name: 'Another' },
  { redirect_uris: ['http://127.0.0.1:5000/elsewhere'] },
  { redirect_uris: ['http://localhost:5000/callback'] },
  { redirect_uris: [...shared.redirect_uris, 'https://agent.example/callback'] },
  { redirect_uris: ['https://agent.example:5000/callback'] },
])('%o makes another client', async (change) => {
  const [one, other] = [
    await registerClient(site, shared),
    await registerClient(site, { ...shared, ...change }),
  ]
  expect(other.client_id).not.toBe(one.client_id)
})

test('a port that counts is not taken for another one', async () => {
  const ports = [1, 2].map((port) => ({
    ...nativeClient,
    redirect_uris: [`https://agent.example:${port}/callback`],
  }))
  const [one, two] = [await registerClient(site, ports[0]), await registerClient(site, ports[1])]
  expect(one.client_id).not.toBe(two.client_id)
})

test('a shared client logs everybody in at their own port, also at the same time', async () => {
  const [first, second] = [7001, 7002].map((port) => `http://127.0.0.1:${port}/callback`)
  const one = await registerClient(site, { ...shared, redirect_uris: [first] })
  const two = await registerClient(site, { ...shared, redirect_uris: [second] })
  expect(one.client_id).toBe(two.client_id)
  expect(await connect(site, one)).toMatchObject({ status: 200 })
  expect(await connect(site, two)).toMatchObject({ status: 200 })
})

test('nobody may change a client that others share', async () => {
  const client = await registerClient(site, shared)
  expect(client).not.toHaveProperty('registration_access_token')
  const confidential = await manageable()
  const own = `${site.issuer}/oauth/reg/${client.client_id}`
  for (const token of ['nonsense', confidential.token]) {
    const headers = { authorization: `Bearer ${token}` }
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await fetch(own, { method, headers })).status).toBe(401)
    }
  }
  expect((await connect(site, client)).status).toBe(200)
})

const hosted = { ...webClient, token_endpoint_auth_method: 'client_secret_post' }

async function manageable() {
  const client = await registerClient(site, hosted)
  const url = String(client['registration_client_uri'])
  const token = String(client['registration_access_token'])
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    client,
    url,
    token,
    manage: (method: string, body?: unknown) =>
      fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) }),
  }
}

test('a client with a secret is never shared, and reads, changes and removes its registration', async () => {
  const { client, url, manage } = await manageable()
  expect((await registerClient(site, hosted)).client_id).not.toBe(client.client_id)
  expect(url).toBe(`${site.issuer}/oauth/reg/${client.client_id}`)
  expect(await (await manage('GET')).json()).toMatchObject({ client_id: client.client_id, ...hosted })

  const changes = {
    ...hosted,
    client_id: client.client_id,
    client_secret: client.client_secret,
    client_name: 'Renamed',
    redirect_uris: ['https://agent.example/moved'],
    scope: 'mcp:tools',
  }
  const changed = await manage('PUT', changes)
  expect([changed.status, await changed.json()]).toMatchObject([
    200,
    { client_name: 'Renamed', redirect_uris: ['https://agent.example/moved'] },
  ])
  const tokens = await connect(site, { ...client, redirect_uris: changes.redirect_uris })
  expect(tokens.status).toBe(200)
  expect(site.identity.oauthClients.listNoted()).toContainEqual(
    expect.objectContaining({
      clientId: client.client_id,
      name: 'Renamed',
      redirectHosts: ['agent.example'],
    }),
  )

  expect((await manage('DELETE')).status).toBe(204)
  expect(await tryToken(site, tokens.access_token)).toBe('The access token was revoked.')
  expect(await refresh(site, client, tokens)).toMatchObject({ status: 401, error: 'invalid_client' })
  expect((await manage('GET')).status).toBe(401)
})

test('the secret of a client is shown once, stored as its hash, and still proves the client', async () => {
  const { client, manage } = await manageable()
  const secret = client.client_secret ?? ''
  const stored = JSON.stringify(await site.identity.oauth.find('Client', client.client_id))
  expect(secret).not.toBe('')
  expect(stored).not.toContain(secret)
  const hashed = `sha256:${hashSecret(secret)}`
  expect(stored).toContain(hashed)
  for (const answer of [
    await manage('GET'),
    await manage('PUT', { ...hosted, client_id: client.client_id, client_secret: secret }),
    await manage('PUT', { ...hosted, client_id: client.client_id }),
  ]) {
    expect(answer.status).toBe(200)
    expect(await answer.json()).not.toHaveProperty('client_secret')
  }
  expect((await connect(site, client)).status).toBe(200)
  const shown = { ...hosted, client_id: client.client_id, client_secret: hashed }
  expect((await manage('PUT', shown)).status).toBe(400)
  expect(await connect(site, { ...client, client_secret: hashed })).toMatchObject({
    status: 401,
    error: 'invalid_client',
  })
})

test('a client that signs and changes to a secret is shown that one once', async () => {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true })
  const keyed = {
    ...hosted,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: '1', alg: 'ES256' }] },
  }
  const client = await registerClient(site, keyed)
  const headers = {
    authorization: `Bearer ${String(client['registration_access_token'])}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ ...hosted, client_id: client.client_id })
  const change = () => fetch(String(client['registration_client_uri']), { method: 'PUT', headers, body })
  const { client_secret } = z.object({ client_secret: z.string() }).parse(await (await change()).json())
  expect(await (await change()).json()).not.toHaveProperty('client_secret')
  expect((await connect(site, { ...client, client_secret })).status).toBe(200)
})

test('a client that was stored by an older process, with its secret in clear, goes on', async () => {
  const { client } = await manageable()
  const { oauth } = site.identity
  const record = await oauth.find('Client', client.client_id)
  const payload = { ...record?.payload, client_secret: client.client_secret }
  await oauth.upsert('Client', client.client_id, { payload })
  expect((await connect(site, client)).status).toBe(200)
})

test('a change that is no client is refused, and changes nothing', async () => {
  const { client, manage } = await manageable()
  const identity = { client_id: client.client_id, client_secret: client.client_secret }
  for (const wrong of [
    { ...hosted, ...identity, client_id: 'somebody-else' },
    { ...hosted, ...identity, client_secret: 'wrong' },
    { ...hosted, ...identity, redirect_uris: ['javascript:alert(1)'] },
    { ...hosted, ...identity, redirect_uris: [] },
    [],
  ]) {
    expect((await manage('PUT', wrong)).status).toBe(400)
  }
  expect(await (await manage('GET')).json()).toMatchObject(hosted)
})

test('the token to manage a client cannot be read out of storage', async () => {
  const { token } = await manageable()
  expect(site.identity.listRecordIds('RegistrationAccessToken')).not.toContain(token)
})

test('a client that is gone is told so at the token endpoint, and not taken for another one', async () => {
  const client = await registerClient(site, { ...nativeClient, client_name: 'Swept' })
  const tokens = await connect(site, client)
  await site.identity.oauthClients.remove(client.client_id)
  expect(await refresh(site, client, tokens)).toMatchObject({ status: 401, error: 'invalid_client' })
  expect((await registerClient(site, { ...nativeClient, client_name: 'Swept' })).client_id).toBe(
    client.client_id,
  )
})

test('who registers, and who gets tokens, is noted for the administrators', async () => {
  const client = await registerClient(site, { ...nativeClient, client_name: 'Noted' })
  const noted = () =>
    site.identity.oauthClients.listNoted().find(({ clientId }) => clientId === client.client_id)
  expect(noted()).toEqual({
    clientId: client.client_id,
    kind: 'registered',
    name: 'Noted',
    redirectHosts: ['127.0.0.1'],
    uses: 0,
  })
  await refresh(site, client, await connect(site, client))
  expect(noted()?.uses).toBe(2)
})

test('a client that an administrator blocked gets nowhere, with the reason, and registering anew does not help', async () => {
  const metadata = { ...nativeClient, client_name: 'Bad agent' }
  const client = await registerClient(site, metadata)
  const tokens = await connect(site, client)
  site.identity.oauthClients.block(client.client_id, 'It deletes things.')
  expect(await refresh(site, client, tokens)).toMatchObject({
    status: 400,
    error: 'unauthorized_client',
    error_description: expect.stringContaining('It deletes things.'),
  })
  const again = await registerClient(site, metadata)
  const { url, response } = await openBrowser(site).visit(requestAuthorization(site, again).url)
  expect(url.origin).toBe(site.issuer)
  expect(response?.status).toBe(400)
  expect(await response?.text()).toContain('It deletes things.')
})

async function registerText(body: string): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${site.issuer}/oauth/reg`, { method: 'POST', headers, body })).status
}

test('metadata that is nested beyond all measure is left out, and breaks nothing', async () => {
  const deep = '['.repeat(8_000) + ']'.repeat(8_000)
  expect(await registerText(`{"redirect_uris":["http://127.0.0.1/callback"],"x":${deep}}`)).toBe(201)
  expect(await registerText(`{"redirect_uris":${deep}}`)).toBe(400)
})

test('a flood of registrations is told when to come back, in words that clients read', async () => {
  const small = await startTestSite(undefined, { registrationLimit: rate(2, 60_000) })
  const statuses = [1, 2].map(async () => (await register(small, nativeClient)).status)
  expect(await Promise.all(statuses)).toEqual([201, 201])
  const refused = await register(small, nativeClient)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  expect(await refused.json()).toEqual({
    error: 'temporarily_unavailable',
    error_description: expect.stringMatching(/Try again in \d+ seconds/),
  })
  await small.close()
})

test('a flood from many addresses of one IPv6 network is one flood', async () => {
  const small = await startTestSite(undefined, { registrationLimit: rate(2, 60_000) })
  const from = (address: string) => register(small, nativeClient, { 'x-forwarded-for': address })
  const statuses = []
  for (const host of [1, 2, 3]) statuses.push((await from(`2001:db8:0:7::${host}`)).status)
  expect(statuses).toEqual([201, 201, 429])
  expect((await from('2001:db8:0:8::1')).status).toBe(201)
  await small.close()
})
