import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import {
  ada,
  authorize,
  connect,
  exchange,
  nativeClient,
  openBrowser,
  readClaims,
  registerClient,
  requestAuthorization,
  requestToken,
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

test('register, log in, allow, exchange: an access token for MCP that says who, through what and under which grant', async () => {
  const client = await registerClient(site)
  const tokens = await connect(site, client, { scope: 'read run' })
  expect(tokens).toMatchObject({ status: 200, token_type: 'Bearer', expires_in: 600, scope: 'read run' })
  const claims = readClaims(tokens.access_token)
  expect(claims).toMatchObject({
    iss: site.issuer,
    aud: `${site.issuer}/mcp`,
    sub: 'usr_ada',
    client_id: client.client_id,
    client_name: 'An agent',
    scope: 'read run',
  })
  expect(site.identity.listGrants()).toContainEqual({
    id: claims['gid'],
    userId: 'usr_ada',
    clientId: client.client_id,
    clientName: 'An agent',
    verifiedDomain: null,
    scopes: ['read', 'run'],
    choices: {},
  })
  expect(await tryToken(site, tokens.access_token)).toBe('read run')
  expect(await tryToken(site, tokens.access_token, '/v1')).toBe('The access token is for another resource.')
})

test('the answer to the client carries its state and the issuer', async () => {
  const client = await registerClient(site)
  const { url } = requestAuthorization(site, client)
  const answer = await authorize(openBrowser(site), url)
  expect(`${answer.origin}${answer.pathname}`).toBe('http://127.0.0.1:5000/callback')
  expect(Object.fromEntries(answer.searchParams)).toMatchObject({ state: 'state-1', iss: site.issuer })
})

test('what is for ID tokens alone is passed over where none is asked for', async () => {
  const client = await registerClient(site)
  const forIdTokens = { nonce: 'n-1', acr_values: 'urn:example:gold', claims_locales: 'en' }
  expect(await connect(site, client, forIdTokens)).toMatchObject({ status: 200, scope: 'read' })
  const { id_token: idToken } = await connect(site, client, { ...forIdTokens, scope: 'openid read' })
  expect(readClaims(String(idToken))).toMatchObject({ sub: 'usr_ada', nonce: 'n-1' })
})

test('an error that goes back to the client carries its state and the issuer too', async () => {
  const client = await registerClient(site)
  const { url } = requestAuthorization(site, client, { resource: 'https://elsewhere.example/mcp' })
  const answer = (await openBrowser(site).visit(url)).url
  expect(Object.fromEntries(answer.searchParams)).toMatchObject({
    error: 'invalid_target',
    state: 'state-1',
    iss: site.issuer,
  })
})

test.each(['client_secret_basic', 'client_secret_post'])(
  'a client with a secret (%s) needs PKCE too',
  async (method) => {
    const client = await registerClient(site, { ...webClient, token_endpoint_auth_method: method })
    expect(client.client_secret).toEqual(expect.any(String))
    const { url } = requestAuthorization(site, client, {
      code_challenge: undefined,
      code_challenge_method: undefined,
    })
    expect((await openBrowser(site).visit(url)).url.searchParams.get('error')).toBe('invalid_request')

    const request = requestAuthorization(site, client)
    const code = (await authorize(openBrowser(site), request.url)).searchParams.get('code') ?? ''
    const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')
    const secret = { client_id: client.client_id, client_secret: client.client_secret ?? '' }
    const response = await fetch(`${site.issuer}/oauth/token`, {
      method: 'POST',
      headers: method === 'client_secret_basic' ? { authorization: `Basic ${basic}` } : {},
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        code_verifier: request.verifier,
        redirect_uri: request.redirectUri,
        ...(method === 'client_secret_basic' ? {} : secret),
      }),
    })
    expect(response.status).toBe(200)
  },
)

test('a challenge that is not S256 is refused', async () => {
  const client = await registerClient(site)
  const { url } = requestAuthorization(site, client, { code_challenge_method: 'plain' })
  expect((await openBrowser(site).visit(url)).url.searchParams.get('error')).toBe('invalid_request')
})

test('a code without its verifier is worth nothing', async () => {
  const client = await registerClient(site)
  const request = requestAuthorization(site, client)
  const answer = await authorize(openBrowser(site), request.url)
  const stolen = { ...request, verifier: 'x'.repeat(43) }
  expect(await exchange(site, client, stolen, answer)).toMatchObject({ status: 400, error: 'invalid_grant' })
})

test('a code that is used twice ends what came from it', async () => {
  const client = await registerClient(site)
  const request = requestAuthorization(site, client)
  const answer = await authorize(openBrowser(site), request.url)
  const tokens = await exchange(site, client, request, answer)
  expect(await tryToken(site, tokens.access_token)).toBe('read')
  expect(await exchange(site, client, request, answer)).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect(await tryToken(site, tokens.access_token)).toBe('The access token was revoked.')
})

test('a code that is used twice at the same time, by two processes, gives tokens once', async () => {
  const client = await registerClient(site)
  const request = requestAuthorization(site, client)
  const answer = await authorize(openBrowser(site), request.url)
  // Both have read the code as a new one before either of them notes that it was used.
  const { promise: bothRead, resolve } = Promise.withResolvers<void>()
  const { oauth } = site.identity
  const consume = oauth.consume.bind(oauth)
  let readers = 0
  const spy = vi.spyOn(oauth, 'consume').mockImplementation(async (...code) => {
    readers += 1
    if (readers === 2) resolve()
    await bothRead
    return consume(...code)
  })
  onTestFinished(() => spy.mockRestore())
  const code = {
    grant_type: 'authorization_code',
    code: answer.searchParams.get('code') ?? '',
    code_verifier: request.verifier,
    redirect_uri: request.redirectUri,
  }
  const addresses = [site.issuer, await site.startAnother()]
  const answers = await Promise.all(addresses.map((address) => requestToken(site, client, code, address)))
  expect(answers).toContainEqual(expect.objectContaining({ status: 200 }))
  expect(answers).toContainEqual(expect.objectContaining({ status: 400, error: 'invalid_grant' }))
})

test.each([
  [undefined, 'read'],
  ['', 'read'],
  ['openid offline_access', 'openid read'],
  ['mcp:tools', 'read'],
  ['write mcp:tools', 'write'],
  ['admin run', 'run admin'],
])('a client that asks for scope %o gets %o', async (scope, granted) => {
  const tokens = await connect(site, await registerClient(site), { scope })
  expect(tokens.status).toBe(200)
  const scopes = String(tokens.scope)
    .split(' ')
    .filter((word) => word !== 'openid')
  expect(scopes.toSorted()).toEqual(
    granted
      .split(' ')
      .filter((word) => word !== 'openid')
      .toSorted(),
  )
})

test.each([
  [undefined, '/mcp'],
  ['/', '/mcp'],
  ['/mcp', '/mcp'],
  ['/mcp/', '/mcp'],
  ['/mcp/x/benchmarks', '/mcp'],
  ['/v1', '/v1'],
  ['/v1/', '/v1'],
])('a client that asks for resource %o gets a token for %s', async (path, audience) => {
  const resource = path && `${site.issuer}${path}`
  const tokens = await connect(site, await registerClient(site), { resource })
  expect(readClaims(tokens.access_token)['aud']).toBe(`${site.issuer}${audience}`)
})

test('the resource may be written differently at the token endpoint', async () => {
  const client = await registerClient(site)
  const request = requestAuthorization(site, client, { resource: `${site.issuer}/mcp/` })
  const code = (await authorize(openBrowser(site), request.url)).searchParams.get('code') ?? ''
  const tokens = await requestToken(site, client, {
    grant_type: 'authorization_code',
    code,
    code_verifier: request.verifier,
    redirect_uri: request.redirectUri,
    resource: `${site.issuer}/MCP`,
  })
  expect(tokens.status).toBe(200)
})

test('a resource of somebody else is refused', async () => {
  const client = await registerClient(site)
  const { url } = requestAuthorization(site, client, { resource: 'https://elsewhere.example/mcp' })
  expect((await openBrowser(site).visit(url)).url.searchParams.get('error')).toBe('invalid_target')
})

test('a redirect URI that was not registered is shown, not followed', async () => {
  const client = await registerClient(site)
  const { url } = requestAuthorization(site, client, { redirect_uri: 'https://evil.example/callback' })
  const { response } = await openBrowser(site).visit(url)
  expect(response?.status).toBe(400)
  const page = await response?.text()
  expect(page).toContain('invalid_redirect_uri')
  expect(page).not.toMatch(/<script|https?:\/\//)
})

test('an unknown client is an error page for a person and JSON for a program', async () => {
  const { url } = requestAuthorization(site, { client_id: '<unknown>', redirect_uris: ['http://127.0.0.1/'] })
  const { response } = await openBrowser(site).visit(url)
  expect(response?.headers.get('content-type')).toContain('text/html')
  expect(response?.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  const program = await fetch(url, { headers: { accept: 'application/json' } })
  expect(await program.json()).toMatchObject({ error: 'invalid_client' })
})

test('a client comes back to any port of the machine', async () => {
  const client = await registerClient(site, nativeClient)
  const request = requestAuthorization(site, client, { redirect_uri: 'http://127.0.0.1:49152/callback' })
  const answer = await authorize(openBrowser(site), request.url)
  expect(answer.port).toBe('49152')
  expect(await exchange(site, client, request, answer)).toMatchObject({ status: 200 })
})

test('refreshing gives the next pair, and needs no offline_access', async () => {
  const client = await registerClient(site)
  const first = await connect(site, client)
  const second = await requestToken(site, client, {
    grant_type: 'refresh_token',
    refresh_token: first.refresh_token ?? '',
  })
  expect(second).toMatchObject({ status: 200, scope: 'read' })
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect(readClaims(second.access_token)).toMatchObject({
    aud: `${site.issuer}/mcp`,
    gid: readClaims(first.access_token)['gid'],
  })
  expect(await tryToken(site, second.access_token)).toBe('read')
})

test('a client that registered without refresh tokens gets none', async () => {
  const client = await registerClient(site, { ...nativeClient, grant_types: ['authorization_code'] })
  expect((await connect(site, client)).refresh_token).toBeUndefined()
})

test('revoking the refresh token ends the access token, the grant and its entry in the list', async () => {
  const client = await registerClient(site)
  const tokens = await connect(site, client)
  const revocation = await fetch(`${site.issuer}/oauth/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: client.client_id, token: tokens.refresh_token ?? '' }),
  })
  expect(revocation.status).toBe(200)
  expect(await tryToken(site, tokens.access_token)).toBe('The access token was revoked.')
  const refreshed = await requestToken(site, client, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token ?? '',
  })
  expect(refreshed).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect(site.identity.listGrants().map(({ id }) => id)).not.toContain(readClaims(tokens.access_token)['gid'])
})

test('disconnecting an app ends its tokens, and it can be connected again', async () => {
  const client = await registerClient(site, webClient)
  const browser = openBrowser(site)
  const tokens = await connect(site, client, {}, browser)
  await site.identity.oauth.revokeGrant(String(readClaims(tokens.access_token)['gid']))
  expect(await tryToken(site, tokens.access_token)).toBe('The access token was revoked.')
  const again = await connect(site, client, {}, browser)
  expect(await tryToken(site, again.access_token)).toBe('read')
})

test('a restart loses nothing: clients, log-ins, grants and keys are in storage', async () => {
  const client = await registerClient(site, webClient)
  const browser = openBrowser(site)
  const tokens = await connect(site, client, {}, browser)
  await site.restart()
  expect(await tryToken(site, tokens.access_token)).toBe('read')
  const refreshed = await requestToken(site, client, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token ?? '',
  })
  expect(refreshed.status).toBe(200)
  const { url } = await browser.visit(requestAuthorization(site, client).url)
  expect(url.searchParams.get('code')).toEqual(expect.any(String))
})

test('what storage holds of codes and refresh tokens cannot be used', async () => {
  const client = await registerClient(site)
  const tokens = await connect(site, client)
  expect(site.identity.listRecordIds('RefreshToken')).not.toContain(tokens.refresh_token)
  expect(JSON.stringify(await dumpRefreshTokens())).not.toContain(tokens.refresh_token)
})

function dumpRefreshTokens() {
  const ids = site.identity.listRecordIds('RefreshToken')
  return Promise.all(ids.map((id) => site.identity.oauth.find('RefreshToken', id)))
}

test('whoever logs in is who the token is for', async () => {
  const tokens = await connect(site, await registerClient(site))
  expect(readClaims(tokens.access_token)['sub']).toBe((await site.identity.findUserByEmail(ada.email))?.id)
})
