import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { CryptoKey } from 'jose'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import type { FetchDocument } from './client-documents.ts'
import { lookUpTogether } from './test-race.ts'
import {
  authorize,
  openBrowser,
  registerClient,
  requestAuthorization,
  requestToken,
  startTestSite,
  tryToken,
} from './test-site.ts'
import type { TestSite } from './test-site.ts'

const published = new Map<string, unknown>()
let fetched: string[] = []
const fetchDocument: FetchDocument = async (url) => {
  fetched.push(url)
  const body = JSON.stringify(published.get(url))
  return { status: body ? 200 : 503, url, headers: {}, body: Buffer.from(body ?? '') }
}

let site: TestSite
beforeAll(async () => {
  site = await startTestSite(fetchDocument)
})
afterAll(() => site.close())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  fetched = []
})
afterEach(() => {
  vi.useRealTimers()
})

const redirects = ['https://agent.example/callback']
const keyed = { token_endpoint_auth_method: 'private_key_jwt', redirect_uris: redirects }

interface Key {
  sign(clientId: string, claims?: Record<string, unknown>): Promise<string>
  jwk: object
}

async function makeKey(alg: string, kid = `${alg}-1`): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
    sign: (clientId, claims) => sign(privateKey, alg, kid, clientId, claims),
  }
}

function sign(key: CryptoKey, alg: string, kid: string, clientId: string, claims = {}): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000)
  const all = {
    iss: clientId,
    sub: clientId,
    aud: site.issuer,
    jti: crypto.randomUUID(),
    iat: seconds,
    exp: seconds + 60,
    ...claims,
  }
  return new SignJWT(all).setProtectedHeader({ alg, kid }).sign(key)
}

const assertion = (jwt: string) => ({
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: jwt,
})

/** The whole way to a token; `parameters` prove who the client is. */
async function logIn(clientId: string, parameters: Record<string, string>) {
  const client = { client_id: clientId, redirect_uris: redirects }
  const request = requestAuthorization(site, client)
  const code = (await authorize(openBrowser(site), request.url)).searchParams.get('code') ?? ''
  const exchange = { code, code_verifier: request.verifier, redirect_uri: request.redirectUri }
  return requestToken(site, client, { grant_type: 'authorization_code', ...exchange, ...parameters })
}

describe.each(['ES256', 'RS256', 'EdDSA'])('a client that signs with %s', (alg) => {
  test('and registers its keys logs in with a signature, and refreshes with another one', async () => {
    const key = await makeKey(alg)
    const client = await registerClient(site, { ...keyed, jwks: { keys: [key.jwk] } })
    expect(client).toMatchObject({ token_endpoint_auth_method: 'private_key_jwt' })
    expect(client.client_secret).toBeUndefined()
    const tokens = await logIn(client.client_id, assertion(await key.sign(client.client_id)))
    expect(tokens.status).toBe(200)
    expect(await tryToken(site, tokens.access_token)).toBe('read')
    const { refresh_token = '' } = tokens
    const again = { grant_type: 'refresh_token', refresh_token }
    expect((await requestToken(site, client, again)).status).toBe(401)
    const signed = { ...again, ...assertion(await key.sign(client.client_id)) }
    expect((await requestToken(site, client, signed)).status).toBe(200)
  })

  test('and publishes its keys and itself logs in without registering', async () => {
    const key = await makeKey(alg)
    const [id, jwks_uri] = [`https://agent.example/${alg}`, `https://agent.example/${alg}/keys`]
    published.set(jwks_uri, { keys: [key.jwk] })
    published.set(id, { client_id: id, client_name: 'Agent', ...keyed, jwks_uri })
    expect((await logIn(id, {})).status).toBe(401)
    expect((await logIn(id, assertion(await key.sign(id)))).status).toBe(200)
  })
})

test('an assertion whose subject is no text proves nothing, and breaks nothing', async () => {
  const key = await makeKey('ES256')
  for (const sub of [1, {}, ['client']]) {
    const claims = Buffer.from(JSON.stringify({ sub })).toString('base64url')
    const [header, , signature] = (await key.sign('client')).split('.')
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      ...assertion(`${header}.${claims}.${signature}`),
    })
    const { status } = await fetch(`${site.issuer}/oauth/token`, { method: 'POST', body })
    expect(status).toBe(401)
  }
})

test('a client’s keys may be at an address', async () => {
  const key = await makeKey('ES256')
  const jwks_uri = 'https://agent.example/registered-keys'
  published.set(jwks_uri, { keys: [key.jwk] })
  const { client_id } = await registerClient(site, { ...keyed, jwks_uri })
  expect((await logIn(client_id, assertion(await key.sign(client_id)))).status).toBe(200)
  expect(fetched).toEqual([jwks_uri])
})

test('keys at an address are asked for once a minute at most, changed when it changes them, and outlive its outage for a day', async () => {
  const [old, next] = [await makeKey('ES256', 'old'), await makeKey('ES256', 'next')]
  const jwks_uri = 'https://agent.example/changing-keys'
  const { client_id } = await registerClient(site, { ...keyed, jwks_uri })
  const tryKey = async (key: Key) => (await logIn(client_id, assertion(await key.sign(client_id)))).status
  const start = Date.now()
  onTestFinished(async () => {
    // Time goes back after this, and what was stored meanwhile, such as log-ins that count, is of the future.
    await site.close()
    site = await startTestSite(fetchDocument)
  })

  published.set(jwks_uri, { keys: [old.jwk] })
  expect(await tryKey(old)).toBe(200)
  expect(await tryKey(next)).toBe(401)
  expect(fetched).toHaveLength(1)

  published.set(jwks_uri, { keys: [next.jwk] })
  vi.setSystemTime(start + 130_000)
  expect(await tryKey(next)).toBe(200)
  expect(await tryKey(old)).toBe(401)

  published.delete(jwks_uri)
  vi.setSystemTime(start + 3_600_000)
  await site.restart()
  expect(await tryKey(next)).toBe(200)
  vi.setSystemTime(start + 2 * 86_400_000)
  await site.restart()
  expect(await tryKey(next)).toBe(401)
})

describe('an assertion proves nothing', () => {
  test.each<[string, Record<string, unknown>]>([
    ['for another server', { aud: 'https://elsewhere.example' }],
    ['that has expired', { exp: 1 }],
    ['that would have to be remembered for years', { exp: Math.floor(Date.now() / 1000) + 400 * 86_400 }],
    ['that expires after the end of time', { exp: 1e18 }],
    ['without an id', { jti: undefined }],
    ['by somebody else', { iss: 'https://elsewhere.example' }],
  ])('%s', async (_what, claims) => {
    const key = await makeKey('ES256')
    const { client_id } = await registerClient(site, { ...keyed, jwks: { keys: [key.jwk] } })
    expect((await logIn(client_id, assertion(await key.sign(client_id, claims)))).status).toBe(401)
  })

  test('that was used before, by any process', async () => {
    const key = await makeKey('ES256')
    const { client_id } = await registerClient(site, { ...keyed, jwks: { keys: [key.jwk] } })
    const used = assertion(await key.sign(client_id))
    expect((await logIn(client_id, used)).status).toBe(200)
    await site.restart()
    expect((await logIn(client_id, used)).status).toBe(401)
  })

  test('the second time, also when it comes ten times at once, to two processes', async () => {
    const key = await makeKey('ES256')
    const { client_id } = await registerClient(site, { ...keyed, jwks: { keys: [key.jwk] } })
    const addresses = [site.issuer, await site.startAnother()]
    const parameters = {
      grant_type: 'refresh_token',
      refresh_token: 'none',
      ...assertion(await key.sign(client_id)),
    }
    lookUpTogether(site, 'find', 'ReplayDetection', 10)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        requestToken(site, { client_id }, parameters, addresses[index % 2]),
      ),
    )
    const known = answers.filter(({ status }) => status === 400)
    expect([known.length, known[0]?.['error']]).toEqual([1, 'invalid_grant'])
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9)
  })

  test('with a key of somebody else, or with the public key as a secret', async () => {
    const [key, other] = [await makeKey('ES256'), await makeKey('ES256')]
    const { client_id } = await registerClient(site, { ...keyed, jwks: { keys: [key.jwk] } })
    expect((await logIn(client_id, assertion(await other.sign(client_id)))).status).toBe(401)
    const seconds = Math.floor(Date.now() / 1000)
    const hs256 = await new SignJWT({
      iss: client_id,
      sub: client_id,
      aud: site.issuer,
      jti: 'x',
      exp: seconds + 60,
    })
      .setProtectedHeader({ alg: 'HS256', kid: 'ES256-1' })
      .sign(Buffer.from(JSON.stringify(key.jwk)))
    expect((await logIn(client_id, assertion(hs256))).status).toBe(401)
  })
})

test('private keys cannot be registered', async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwks = { keys: [await exportJWK(privateKey)] }
  await expect(registerClient(site, { ...keyed, jwks })).rejects.toThrow('invalid_client_metadata')
})

test('a client that wants to sign and names no keys is a public one', async () => {
  const client = await registerClient(site, keyed)
  expect(client).toMatchObject({ token_endpoint_auth_method: 'none' })
  expect((await logIn(client.client_id, {})).status).toBe(200)
})
