import { SignJWT, generateKeyPair } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  connect,
  readClaims,
  refresh,
  registerClient,
  startTestSite,
  tryToken,
  webClient,
} from './test-site.ts'
import type { TestClient, TestSite } from './test-site.ts'

let site: TestSite
let client: TestClient
beforeAll(async () => {
  site = await startTestSite()
  client = await registerClient(site)
})
afterAll(() => site.close())

function revoke(body: Record<string, string>): Promise<Response> {
  return fetch(`${site.issuer}/oauth/revoke`, { method: 'POST', body: new URLSearchParams(body) })
}

test.each([[{}], [{ token_type_hint: 'access_token' }], [{ token_type_hint: 'refresh_token' }]])(
  'revoking an access token with %o ends it at once, and what its client could get another one with',
  async (hint) => {
    const tokens = await connect(site, client)
    const { status } = await revoke({ client_id: client.client_id, token: tokens.access_token, ...hint })
    expect(status).toBe(200)
    expect(await tryToken(site, tokens.access_token)).toBe('The access token was revoked.')
    expect(await refresh(site, client, tokens)).toMatchObject({ status: 400, error: 'invalid_grant' })
    const gid = readClaims(tokens.access_token)['gid']
    expect(site.identity.listGrants().map(({ id }) => id)).not.toContain(gid)
  },
)

test('a client cannot revoke the access token of another one', async () => {
  const other = await registerClient(site, { ...client, client_name: 'Another agent' })
  const tokens = await connect(site, client)
  await revoke({ client_id: other.client_id, token: tokens.access_token })
  expect(await tryToken(site, tokens.access_token)).toBe('read')
})

test('a client with a secret has to show it', async () => {
  const confidential = await registerClient(site, {
    ...webClient,
    token_endpoint_auth_method: 'client_secret_post',
  })
  const tokens = await connect(site, confidential)
  const body = { client_id: confidential.client_id, token: tokens.access_token }
  expect((await revoke(body)).status).toBe(401)
  expect(await tryToken(site, tokens.access_token)).toBe('read')
  expect((await revoke({ ...body, client_secret: confidential.client_secret ?? '' })).status).toBe(200)
  expect(await tryToken(site, tokens.access_token)).toBe('The access token was revoked.')
})

test('a token that somebody else signed revokes nothing', async () => {
  const tokens = await connect(site, client)
  const { privateKey } = await generateKeyPair('ES256')
  const forged = await new SignJWT(readClaims(tokens.access_token))
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
    .sign(privateKey)
  expect((await revoke({ client_id: client.client_id, token: forged })).status).toBe(200)
  expect(await tryToken(site, tokens.access_token)).toBe('read')
})

test.each(['nonsense', 'a.b.c', 'signed:nonsense', ''])('revoking %o does no harm', async (token) => {
  expect((await revoke({ client_id: client.client_id, token })).status).toBeLessThan(500)
})
