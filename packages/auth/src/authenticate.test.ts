import type { Principal } from '@flamegate/contract'
import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import type { CryptoKey } from 'jose'
import { expect, test } from 'vitest'
import { createAuthenticator } from './authenticate.ts'
import type { Authentication, Credentials, Demand } from './authenticate.ts'
import { hashSecret, newSecret } from './secret.ts'
import { loadSigningKeys } from './signing-keys.ts'
import { createMemoryIdentity } from './testing/memory-identity.ts'

const issuer = 'https://flamegate.example'
const audience = `${issuer}/mcp`

async function setUp() {
  let nowMs = Date.UTC(2026, 10, 20)
  const now = () => nowMs
  const identity = createMemoryIdentity(now)
  const authenticator = await createAuthenticator({ identity, issuer, now })
  const [jwk] = await loadSigningKeys(identity)
  if (!jwk) throw new RangeError('no signing key')

  const claims = () => ({
    iss: issuer,
    aud: audience as string | string[],
    sub: 'usr_1',
    client_id: 'client-1',
    client_name: 'An agent',
    scope: 'openid read run',
    gid: 'grant-1',
    iat: Math.floor(nowMs / 1000),
    exp: Math.floor(nowMs / 1000) + 600,
  })
  const sign = async (changes: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
    new SignJWT({ ...claims(), ...changes })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: jwk.kid, ...header })
      .sign(await importJWK(jwk, 'ES256'))

  return {
    identity,
    claims,
    sign,
    jwk,
    pass: (ms: number) => (nowMs += ms),
    assertions: authenticator.assertions,
    isWithdrawn: (principal: Principal) => authenticator.isWithdrawn(principal),
    try: (credentials: Partial<Credentials>, demand: Partial<Demand> = {}) =>
      authenticator.authenticate({ method: 'POST', ...credentials }, { audience, ...demand }),
    tryToken: (token: string, demand: Partial<Demand> = {}) =>
      authenticator.authenticate(
        { method: 'POST', authorization: `Bearer ${token}` },
        { audience, ...demand },
      ),
  }
}

const failure = (authentication: Authentication) =>
  'failure' in authentication ? authentication.failure.description : 'accepted'

test('an access token says who calls, through which client and under which grant', async () => {
  const auth = await setUp()
  expect(await auth.tryToken(await auth.sign())).toEqual({
    principal: {
      userId: 'usr_1',
      via: 'oauth',
      clientId: 'client-1',
      clientName: 'An agent',
      scopes: ['read', 'run'],
      grantId: 'grant-1',
    },
  })
})

test('an access token that is limited to workspaces says so', async () => {
  const auth = await setUp()
  expect(await auth.tryToken(await auth.sign({ wid: ['ws_1'] }))).toMatchObject({
    principal: { workspaceIds: ['ws_1'] },
  })
})

test('an access token says what its person chose, and a toolset that is not known is none', async () => {
  const auth = await setUp()
  const token = await auth.sign({ wid: ['ws_1', 'ws_2'], tsets: ['profiles', 'astrology'], ro: true })
  expect(await auth.tryToken(token)).toMatchObject({
    principal: { workspaceIds: ['ws_1', 'ws_2'], toolsets: ['profiles'], isReadOnly: true },
  })
})

test('the access token of a machine is worth what it asked for of its API token, and no more', async () => {
  const auth = await setUp()
  const apiToken = {
    id: 'tok_1',
    name: 'CI',
    userId: 'usr_1',
    workspaceId: 'ws_1',
    scopes: ['read' as const, 'upload' as const],
    expiresAt: null,
  }
  auth.identity.addApiToken('hash', apiToken)
  const token = await auth.sign({
    sub: 'tok_1',
    client_id: 'tok_1',
    gid: undefined,
    tid: 'tok_1',
    scope: 'admin upload',
  })
  expect(await auth.tryToken(token)).toEqual({
    principal: {
      userId: 'usr_1',
      via: 'api_token',
      clientId: 'tok_1',
      clientName: 'CI',
      scopes: ['upload'],
      reachableScopes: ['read', 'upload'],
      workspaceIds: ['ws_1'],
    },
  })
  auth.identity.removeApiToken('hash')
  expect(failure(await auth.tryToken(token))).toBe(
    'The API token behind the access token has expired or was revoked.',
  )
})

test('an access token that came before is the same principal, without new work', async () => {
  const auth = await setUp()
  const token = await auth.sign()
  const [first, second] = [await auth.tryToken(token), await auth.tryToken(token)]
  if (!('principal' in first) || !('principal' in second)) throw new Error('refused')
  expect(second.principal).toBe(first.principal)
})

test('an access token ends with its time, also when it came before', async () => {
  const auth = await setUp()
  const token = await auth.sign()
  await auth.tryToken(token)
  auth.pass(600_000)
  expect(failure(await auth.tryToken(token))).toBe('The access token has expired.')
})

test('an access token ends when its person changes what the client may do; the next one is good', async () => {
  const auth = await setUp()
  const grant = { id: 'grant-1', userId: 'usr_1', clientId: 'client-1', clientName: 'An agent' }
  await auth.identity.oauth.noteGrant({ ...grant, verifiedDomain: null, scopes: ['read'], choices: {} })
  const token = await auth.sign()
  expect(failure(await auth.tryToken(token))).toBe('accepted')
  await auth.identity.grants.changeChoices('usr_1', 'grant-1', { isReadOnly: true })
  expect(failure(await auth.tryToken(token))).toContain('was changed')
  const next = await auth.sign({ cv: 1, ro: true })
  expect(failure(await auth.tryToken(next))).toBe('accepted')
  await auth.identity.grants.changeChoices('usr_1', 'grant-1', {})
  expect(failure(await auth.tryToken(next))).toContain('was changed')
  expect(failure(await auth.tryToken(await auth.sign({ cv: 2, gid: 'grant-2' })))).toBe('accepted')
  await auth.identity.oauth.revokeGrant('grant-1')
  expect(failure(await auth.tryToken(await auth.sign({ cv: 3 })))).toBe('The access token was revoked.')
})

test('an access token ends when its grant is revoked, also when it came before', async () => {
  const auth = await setUp()
  const token = await auth.sign()
  expect(failure(await auth.tryToken(token))).toBe('accepted')
  await auth.identity.oauth.revokeGrant('grant-1')
  expect(failure(await auth.tryToken(token))).toBe('The access token was revoked.')
  expect(failure(await auth.tryToken(await auth.sign()))).toBe('The access token was revoked.')
  expect(failure(await auth.tryToken(await auth.sign({ gid: 'grant-2' })))).toBe('accepted')
})

test('a token for one resource is no token for another, in whichever order they are tried', async () => {
  const auth = await setUp()
  const token = await auth.sign()
  const elsewhere = { audience: `${issuer}/v1` }
  expect(failure(await auth.tryToken(token, elsewhere))).toBe('The access token is for another resource.')
  expect(failure(await auth.tryToken(token))).toBe('accepted')
  expect(failure(await auth.tryToken(token, elsewhere))).toBe('The access token is for another resource.')
  const forBoth = await auth.sign({ aud: [audience, `${issuer}/v1`] })
  expect(failure(await auth.tryToken(forBoth))).toBe('The access token is for another resource.')
})

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['another issuer', { iss: 'https://elsewhere.example' }, {}],
  ['no grant', { gid: undefined }, {}],
  ['no person', { sub: undefined }, {}],
  ['no end', { exp: undefined }, {}],
  ['a life longer than revocations are remembered', { exp: Date.UTC(2027, 0, 1) / 1000 }, {}],
  ['a key of its own', { cnf: { jkt: 'thumbprint' } }, {}],
  ['the type of an ID token', {}, { typ: 'JWT' }],
  ['an unknown key', {}, { kid: 'unknown' }],
])('a token with %s is refused', async (_what, claims, header) => {
  const auth = await setUp()
  expect(failure(await auth.tryToken(await auth.sign(claims, header)))).toBe('The access token is not valid.')
})

test('algorithm "none", and the public key used as a shared secret, are refused', async () => {
  const auth = await setUp()
  const { kty, crv, x, y, kid } = auth.jwk
  const publicKey = await exportSPKI(publicHalf(await importJWK({ kty, crv, x, y }, 'ES256')))
  const confused = await new SignJWT(auth.claims())
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
    .sign(Buffer.from(publicKey))
  const unsigned = new UnsecuredJWT(auth.claims()).encode()
  const answers = await Promise.all(
    [confused, unsigned, 'x.y.z', 'x'.repeat(9_000)].map((token) => auth.tryToken(token)),
  )
  expect(new Set(answers.map(failure))).toEqual(new Set(['The access token is not valid.']))
})

function publicHalf(key: CryptoKey | Uint8Array): CryptoKey {
  if (key instanceof Uint8Array) throw new TypeError('not an elliptic curve key')
  return key
}

test('an API token acts in its workspace as the member who made it, until it is revoked', async () => {
  const auth = await setUp()
  const token = newSecret('fg_')
  auth.identity.addApiToken(hashSecret(token), {
    id: 'tok_1',
    name: 'CI',
    userId: 'usr_1',
    workspaceId: 'ws_1',
    scopes: ['upload'],
    expiresAt: null,
  })
  expect(await auth.tryToken(token)).toEqual({
    principal: {
      userId: 'usr_1',
      via: 'api_token',
      clientId: 'tok_1',
      clientName: 'CI',
      scopes: ['upload'],
      workspaceIds: ['ws_1'],
    },
  })
  auth.identity.removeApiToken(hashSecret(token))
  expect(failure(await auth.tryToken(token))).toBe('The API token is unknown, expired or revoked.')
})

test('an API token is the same principal for as long as it says the same', async () => {
  const auth = await setUp()
  const token = newSecret('fg_')
  const said = { id: 'tok_1', name: 'CI', userId: 'usr_1', workspaceId: 'ws_1', expiresAt: null }
  auth.identity.addApiToken(hashSecret(token), { ...said, scopes: ['upload'] })
  const principalNow = async () => {
    const answer = await auth.tryToken(token)
    return 'principal' in answer ? answer.principal : undefined
  }
  const first = await principalNow()
  expect(await principalNow()).toBe(first)
  auth.identity.addApiToken(hashSecret(token), { ...said, scopes: ['read'] })
  expect(await principalNow()).toMatchObject({ scopes: ['read'] })
})

test('what was let in can be asked whether its grant or its API token is still there', async () => {
  const auth = await setUp()
  const token = newSecret('fg_')
  const [userId, scopes, expiresAt] = ['usr_1', ['read' as const], null]
  const apiToken = { id: 'tok_1', name: 'CI', userId, workspaceId: 'ws_1', scopes, expiresAt }
  auth.identity.addApiToken(hashSecret(token), apiToken)
  const answers = [await auth.tryToken(await auth.sign()), await auth.tryToken(token)]
  const principals = answers.flatMap((answer) => ('principal' in answer ? [answer.principal] : []))
  const withdrawn = () => Promise.all(principals.map((principal) => auth.isWithdrawn(principal)))

  expect(await withdrawn()).toEqual([false, false])
  await auth.identity.oauth.revokeGrant('grant-1')
  expect(await withdrawn()).toEqual([true, false])
  auth.identity.removeApiToken(hashSecret(token))
  expect(await withdrawn()).toEqual([true, true])
})

test('no credential is a 401 without an error code', async () => {
  const auth = await setUp()
  expect(await auth.try({})).toMatchObject({ failure: { status: 401, error: undefined } })
})

test.each(['Basic dXNlcjpwdw==', 'Bearer', 'Bearer a b', 'fg_x'])(
  '%o is invalid_token',
  async (authorization) => {
    const auth = await setUp()
    expect(await auth.try({ authorization })).toMatchObject({
      failure: { status: 401, error: 'invalid_token' },
    })
  },
)

async function withSession() {
  const auth = await setUp()
  const secret = newSecret()
  const expiresAt = new Date(Date.UTC(2026, 10, 21))
  await auth.identity.createSession({
    tokenHash: hashSecret(secret),
    userId: 'usr_1',
    expiresAt,
    userAgent: 'a browser',
  })
  return { ...auth, cookie: `theme=dark; __Host-fg_session=${secret}` }
}

test('a session cookie counts where it is allowed, until it ends', async () => {
  const auth = await withSession()
  const request = { cookie: auth.cookie, method: 'GET' }
  expect(failure(await auth.try(request))).toBe('A credential is needed.')
  expect(await auth.try(request, { allowSession: true })).toMatchObject({
    principal: { userId: 'usr_1', via: 'session', clientId: 'web' },
  })
  auth.pass(86_400_000)
  expect(failure(await auth.try(request, { allowSession: true }))).toBe(
    'The session has ended. Log in again.',
  )
})

test.each([
  ['GET', {}, 200],
  ['POST', { origin: issuer }, 200],
  ['POST', { secFetchSite: 'same-origin' }, 200],
  ['POST', {}, 403],
  ['POST', { origin: 'https://evil.example' }, 403],
  ['POST', { origin: 'https://evil.example', secFetchSite: 'same-origin' }, 403],
  ['POST', { origin: 'null' }, 403],
  ['DELETE', { secFetchSite: 'same-site' }, 403],
  ['DELETE', { secFetchSite: 'none' }, 403],
])('with a session cookie, %s %o gives %i', async (method, origin, status) => {
  const auth = await withSession()
  const answer = await auth.try({ method, cookie: auth.cookie, ...origin }, { allowSession: true })
  expect('failure' in answer ? answer.failure.status : 200).toBe(status)
})

test('a wrong token is not made good by a session cookie', async () => {
  const auth = await withSession()
  const answer = await auth.try(
    { cookie: auth.cookie, method: 'GET', authorization: 'Bearer wrong' },
    { allowSession: true },
  )
  expect(failure(answer)).toBe('The access token is not valid.')
})

test('the gateway’s word counts where it is allowed, until the grant is revoked', async () => {
  const auth = await setUp()
  const authenticated = await auth.tryToken(await auth.sign())
  if (!('principal' in authenticated)) throw new Error('refused')
  const callerAssertion = await auth.assertions.sign(authenticated.principal)
  expect(failure(await auth.try({ callerAssertion }))).toBe('A credential is needed.')
  expect(await auth.try({ callerAssertion }, { allowAssertion: true })).toEqual(authenticated)
  await auth.identity.oauth.revokeGrant('grant-1')
  expect(failure(await auth.try({ callerAssertion }, { allowAssertion: true }))).toBe(
    'The grant was revoked.',
  )
})

test('after a rotation, tokens of the old and the new signing key are accepted', async () => {
  const auth = await setUp()
  const old = await auth.sign()
  const other = createMemoryIdentity()
  const [next] = await loadSigningKeys(other)
  if (!next) throw new RangeError('no signing key')
  await auth.identity.addKey('jwks', { ...next }, new Date(0))
  const fresh = await new SignJWT(auth.claims())
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: next.kid })
    .sign(await importJWK(next, 'ES256'))
  expect(failure(await auth.tryToken(fresh))).toBe('The access token is not valid.')
  auth.pass(6_000)
  expect(failure(await auth.tryToken(fresh))).toBe('accepted')
  expect(failure(await auth.tryToken(old))).toBe('accepted')
})

test('an address that shows many wrong tokens has to wait; those that are right, or were, do not', async () => {
  const auth = await setUp()
  const tryFrom = (address: string, token: string) =>
    auth.try({ authorization: `Bearer ${token}`, address }).then(failure, (error: unknown) => String(error))
  const right = await auth.sign()
  const expired = await auth.sign({ exp: Math.floor(Date.UTC(2026, 10, 20) / 1000) - 1 })
  for (let index = 0; index < 50; index += 1) {
    await tryFrom('192.0.2.1', `fg_guess_${index}`)
    await tryFrom('192.0.2.1', `${right}${index}`)
    await tryFrom('192.0.2.1', expired)
  }
  expect(await tryFrom('192.0.2.1', 'fg_next')).toContain('Too many wrong tokens')
  expect(await tryFrom('192.0.2.1', `${right}x`)).toContain('Too many wrong tokens')
  expect(await tryFrom('192.0.2.1', right)).toBe('accepted')
  expect(await tryFrom('192.0.2.1', expired)).toBe('The access token has expired.')
  expect(await tryFrom('192.0.2.2', 'fg_next')).toContain('unknown')
  auth.pass(1000)
  expect(await tryFrom('192.0.2.1', 'fg_next')).toContain('unknown')
})
