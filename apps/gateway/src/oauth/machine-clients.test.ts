import { hashSecret, newSecret } from '@flamegate/auth'
import { newId } from '@flamegate/contract'
import type { Scope } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openBrowser, readClaims, requestAuthorization, startTestSite, tryToken } from './test-site.ts'
import type { TestSite } from './test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.close())

function addMachine(scopes: Scope[] = ['read', 'write']) {
  const secret = newSecret('fg_')
  const token = {
    id: newId('apiToken'),
    name: 'Nightly',
    userId: 'usr_ada',
    workspaceId: 'ws_usr_ada',
    scopes,
    expiresAt: null,
  }
  site.identity.addApiToken(hashSecret(secret), token)
  return {
    id: token.id,
    secret,
    revoke: () => site.identity.removeApiToken(hashSecret(secret)),
    expire: () => site.identity.addApiToken(hashSecret(secret), { ...token, expiresAt: new Date(0) }),
  }
}

const answerSchema = z.looseObject({ access_token: z.string().default(''), error: z.string().optional() })

async function request(parameters: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...parameters })
  const response = await fetch(`${site.issuer}/oauth/token`, { method: 'POST', body, headers })
  return { status: response.status, ...answerSchema.parse(await response.json()) }
}

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

async function principalOf(token: string) {
  return site.authenticator.authenticate(
    { method: 'POST', authorization: `Bearer ${token}` },
    { audience: `${site.issuer}/mcp` },
  )
}

test('an API token, shown as client credentials, gives an access token that acts exactly as it does', async () => {
  const { id, secret } = addMachine()
  const answer = await request({ resource: `${site.issuer}/mcp` }, basic(id, secret))
  expect(answer).toMatchObject({ status: 200, token_type: 'Bearer', expires_in: 600, scope: 'read write' })
  expect(answer).not.toHaveProperty('refresh_token')
  expect(await principalOf(answer.access_token)).toEqual(await principalOf(secret))
  expect(await tryToken(site, answer.access_token, '/v1')).toBe('The access token is for another resource.')
})

test('the secret may be in the body, and the resource may be left out', async () => {
  const { id, secret } = addMachine()
  const { access_token } = await request({ client_id: id, client_secret: secret })
  expect(readClaims(access_token)).toMatchObject({ aud: `${site.issuer}/mcp`, tid: id })
})

test.each([
  ['', 'read upload'],
  ['offline_access', 'read upload'],
  ['read', 'read'],
  ['upload openid', 'upload'],
  ['upload read', 'upload read'],
])('a machine that asks for %o of "read upload" gets %o', async (scope, granted) => {
  const { id, secret } = addMachine(['read', 'upload'])
  const answer = await request({ scope }, basic(id, secret))
  expect(answer).toMatchObject({ status: 200, scope: granted })
  expect(readClaims(answer.access_token)['scope']).toBe(granted)
})

test('a scope that another one covers may be asked for alone', async () => {
  const { id, secret } = addMachine(['write'])
  const { access_token } = await request({ scope: 'read' }, basic(id, secret))
  expect(await tryToken(site, access_token)).toBe('read')
})

test.each(['admin', 'read run', 'read everything'])(
  'a machine that asks for %o, beyond its API token, gets nothing',
  async (scope) => {
    const { id, secret } = addMachine(['read', 'upload'])
    expect(await request({ scope }, basic(id, secret))).toMatchObject({ status: 400, error: 'invalid_scope' })
  },
)

test('a machine that an administrator blocked is refused at once, with tokens from before and its API token', async () => {
  const { id, secret } = addMachine()
  const { access_token } = await request({}, basic(id, secret))
  expect(await tryToken(site, access_token)).toBe('read write')
  site.identity.oauthClients.block(id, 'It deletes things.')
  expect(await tryToken(site, access_token)).toContain('has expired or was revoked')
  expect(await tryToken(site, secret)).toContain('expired or revoked')
  expect(await request({}, basic(id, secret))).toMatchObject({
    status: 400,
    error: 'unauthorized_client',
    error_description: expect.stringContaining('It deletes things.'),
  })
})

test('the access token ends with the API token, also when it was accepted before', async () => {
  const { id, secret, revoke } = addMachine()
  const { access_token } = await request({}, basic(id, secret))
  expect(await tryToken(site, access_token)).toBe('read write')
  revoke()
  expect(await tryToken(site, access_token)).toContain('was revoked')
  expect(await request({}, basic(id, secret))).toMatchObject({ status: 401, error: 'invalid_client' })
})

test('the access token ends when the API token expires', async () => {
  const { id, secret, expire } = addMachine()
  const { access_token } = await request({}, basic(id, secret))
  expect(await tryToken(site, access_token)).toBe('read write')
  expire()
  expect(await tryToken(site, access_token)).toContain('has expired')
  expect((await request({}, basic(id, secret))).status).toBe(401)
})

test('another secret, the hash of the secret, and no secret are refused', async () => {
  const { id, secret } = addMachine()
  const other = addMachine()
  for (const wrong of [other.secret, hashSecret(secret), secret.slice(0, -1), '']) {
    expect((await request({}, basic(id, wrong))).status).toBeGreaterThanOrEqual(400)
  }
  expect(await request({ client_id: id })).toMatchObject({ status: 401, error: 'invalid_client' })
  expect(await request({}, basic(newId('apiToken'), secret))).toMatchObject({ status: 401 })
})

test('a machine has no person to ask: it cannot start an authorization, nor use other grants', async () => {
  const { id, secret } = addMachine()
  const start = requestAuthorization(site, { client_id: id, redirect_uris: ['https://machine.example/'] })
  const { url, response } = await openBrowser(site).visit(start.url)
  expect([url.origin, response?.status]).toEqual([site.issuer, 400])
  const refresh = await request({ grant_type: 'refresh_token', refresh_token: 'x' }, basic(id, secret))
  expect(refresh).toMatchObject({ status: 400, error: 'invalid_request' })
})

test('metadata tells machines and programs without a browser what there is for them', async () => {
  const response = await fetch(`${site.issuer}/.well-known/oauth-authorization-server`)
  expect(await response.json()).toMatchObject({
    grant_types_supported: expect.arrayContaining([
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:device_code',
    ]),
    device_authorization_endpoint: `${site.issuer}/oauth/device`,
  })
})
