import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSite } from './test-site.ts'
import type { TestSite } from './test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.close())

async function readJson(path: string): Promise<unknown> {
  return (await fetch(`${site.issuer}${path}`)).json()
}

/** Everything that a client may have been given as its server. */
const endpoints = [
  '/mcp',
  '/mcp/x/all',
  '/mcp/x/benchmarks+profiles/readonly',
  '/mcp/w/acme',
  '/mcp/w/acme/checkout',
  '/mcp/compact',
  '/mcp/w/acme/checkout/x/benchmarks/readonly',
]
const wellKnown = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']

test.each([
  ...wellKnown,
  ...wellKnown.flatMap((name) => endpoints.flatMap((endpoint) => [name + endpoint, endpoint + name])),
])('%s describes the authorization server', async (path) => {
  expect(await readJson(path)).toMatchObject({
    issuer: site.issuer,
    authorization_endpoint: `${site.issuer}/oauth/authorize`,
    token_endpoint: `${site.issuer}/oauth/token`,
    registration_endpoint: `${site.issuer}/oauth/reg`,
    revocation_endpoint: `${site.issuer}/oauth/revoke`,
    jwks_uri: `${site.issuer}/oauth/jwks`,
    response_types_supported: ['code'],
    grant_types_supported: expect.arrayContaining(['authorization_code', 'refresh_token']),
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: [
      'none',
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
    ],
    token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(['ES256', 'RS256', 'EdDSA']),
    // Some clients ask for all that is listed here.
    scopes_supported: ['openid', 'offline_access'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  })
})

test.each([
  ...wellKnown,
  ...wellKnown.map((name) => `${name}/mcp/x/all`),
  '/mcp/.well-known/openid-configuration',
])('HEAD %s says what GET would, without the body', async (path) => {
  const headers = { origin: 'https://inspector.example' }
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => fetch(`${site.issuer}${path}`, { method, headers })),
  )
  expect(head?.status).toBe(200)
  expect(head?.headers.get('content-type')).toBe(get?.headers.get('content-type'))
  expect(head?.headers.get('access-control-allow-origin')).toBe(
    get?.headers.get('access-control-allow-origin'),
  )
  expect(await head?.text()).toBe('')
})

test('the address that a request says it came to changes nothing', async () => {
  const headers = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example',
  }
  const body = await new Promise<string>((resolve, reject) => {
    httpRequest(`${site.issuer}/.well-known/oauth-authorization-server`, { headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve(text))
    })
      .on('error', reject)
      .end()
  })
  expect(body).toContain(`"token_endpoint":"${site.issuer}/oauth/token"`)
  expect(body).not.toContain('evil')
})

test('the published keys verify and do not sign', async () => {
  const strings = { kid: expect.any(String), x: expect.any(String), y: expect.any(String) }
  expect(await readJson('/oauth/jwks')).toEqual({
    keys: [{ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256', ...strings }],
  })
})

test.each([
  ['', '/mcp'],
  ['/mcp', '/mcp'],
  ['/mcp/', '/mcp/'],
  ['/mcp/x/benchmarks/readonly', '/mcp/x/benchmarks/readonly'],
  ['/mcp?toolsets=a,b', '/mcp?toolsets=a,b'],
  ...endpoints.map((endpoint) => [endpoint, endpoint]),
  ...endpoints.map((endpoint) => [`${endpoint}?tools=a%20b&x=1`, `${endpoint}?tools=a%20b&x=1`]),
  ['/v1', '/v1'],
])('/.well-known/oauth-protected-resource%s is about %s, letter by letter', async (path, resource) => {
  expect(await readJson(`/.well-known/oauth-protected-resource${path}`)).toMatchObject({
    resource: `${site.issuer}${resource}`,
    authorization_servers: [site.issuer],
    scopes_supported: ['read'],
    bearer_methods_supported: ['header'],
  })
})

test.each(endpoints)('a client that looks for metadata below %s finds it', async (endpoint) => {
  const path = `${endpoint}/.well-known/oauth-protected-resource`
  expect(await readJson(path)).toMatchObject({ resource: site.issuer + endpoint })
  expect((await fetch(site.issuer + path, { method: 'HEAD' })).status).toBe(200)
})

test('where nothing is protected there is no metadata', async () => {
  const response = await fetch(`${site.issuer}/.well-known/oauth-protected-resource/elsewhere`)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 'not_found' })
})

test.each([
  ['/oauth/reg', 'POST'],
  ['/oauth/reg/some-client', 'PUT'],
  ['/oauth/token', 'POST'],
  ['/oauth/revoke', 'POST'],
  ['/oauth/jwks', 'GET'],
  ['/.well-known/oauth-authorization-server', 'GET'],
  ['/.well-known/oauth-authorization-server/mcp', 'GET'],
  ['/.well-known/openid-configuration', 'GET'],
  ['/mcp/x/all/.well-known/openid-configuration', 'GET'],
  ['/.well-known/oauth-protected-resource/mcp', 'GET'],
  ['/.well-known/oauth-protected-resource/mcp/w/acme', 'GET'],
])('a page of any site may call %s (%s)', async (path, method) => {
  const origin = 'https://inspector.example'
  const preflight = await fetch(`${site.issuer}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toContain(method)
  expect(preflight.headers.get('access-control-allow-headers')).toContain('content-type')
  const answer = await fetch(`${site.issuer}${path}`, { method, headers: { origin } })
  expect(answer.headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/inspector\.example)$/)
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
})
