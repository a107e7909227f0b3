import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkProvider } from './check-provider.ts'
import { beginOidc, discoverProvider, finishOidc, type OidcProvider } from './oidc-client.ts'
import { OidcFault } from './oidc-fault.ts'
import { startTestProvider, type TestProvider, type Wrongs } from './test-provider.ts'

const redirectUri = 'https://flamegate.example/auth/sso/ws_1/callback'

let provider: TestProvider
beforeAll(async () => {
  provider = await startTestProvider()
})
afterAll(() => provider.close())
beforeEach(() => {
  provider.wrongs = {}
})

async function logIn(wrongs: Wrongs = {}, changes: Partial<OidcProvider> = {}, callback: URL | null = null) {
  provider.wrongs = wrongs
  const config = await discoverProvider({ ...provider, ...changes })
  const { url, memory } = await beginOidc(config, redirectUri, 'ada@example.com')
  return finishOidc(config, callback ?? provider.visit(url), memory)
}

const reasonOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'none',
    (error: unknown) => (error instanceof OidcFault ? error.reason : error),
  )

test('a log-in is tied to what was begun, with PKCE, state and nonce', async () => {
  const { url } = await beginOidc(await discoverProvider(provider), redirectUri, 'ada@example.com')
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
    client_id: 'flamegate',
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    login_hint: 'ada@example.com',
  })
  expect(await logIn()).toMatchObject({ subject: 'ada', email: 'ada@example.com', isEmailVerified: true })
})

test.each([
  ['issuer_mismatch', { metadata: { issuer: 'https://other.example' } }],
  ['issuer_mismatch', { claims: { iss: 'https://other.example' } }],
  ['wrong_client', { claims: { aud: 'somebody-else' } }],
  ['clock', { clockMs: -900_000 }],
  ['keys', { hidesKey: true }],
  ['failed', { claims: { nonce: 'of another log-in' } }],
] as const)('%s: %o', async (reason, wrongs) => {
  expect(await reasonOf(logIn(wrongs))).toBe(reason)
})

const back = (query: Record<string, string>) =>
  new URL(`${redirectUri}?${new URLSearchParams(query).toString()}`)

test('what was not begun here, and whom the provider refuses', async () => {
  expect(await reasonOf(logIn({}, {}, back({ code: 'c1', state: 'forged' })))).toBe('failed')
  const config = await discoverProvider(provider)
  const { memory } = await beginOidc(config, redirectUri)
  const refused = finishOidc(config, back({ error: 'access_denied', state: memory.state }), memory)
  expect(await reasonOf(refused)).toBe('refused')
  expect(await reasonOf(finishOidc(config, back({ code: 'c1' }), {}))).toBe('failed')
})

const away = () => Promise.reject(Object.assign(new Error('no'), { name: 'OutboundRefused' }))

test('the secret is shown in a header where it is not taken in the body', async () => {
  expect(await logIn({ wantsHeader: true })).toMatchObject({ subject: 'ada' })
  expect(await reasonOf(logIn({ wantsHeader: true }, { clientSecret: 'wrong' }))).toBe('wrong_client')
})

test('a wrong secret, and addresses without a provider', async () => {
  expect(await reasonOf(logIn({}, { clientSecret: 'wrong' }))).toBe('wrong_client')
  expect(await reasonOf(logIn({}, { issuer: `${provider.issuer}/nothing` }))).toBe('no_configuration')
  expect(await reasonOf(logIn({}, { fetch: away }))).toBe('unreachable')
})

test.each([
  [{ email_verified: 'true' }, true],
  [{ email_verified: undefined, xms_edov: '1' }, true],
  [{ email_verified: false, xms_edov: true }, false],
  [{ email_verified: undefined }, false],
  [{ email_verified: 'yes' }, false],
  [{ email: 'no address' }, false],
])('who says of an address that it is the person’s: %o', async (claims, isEmailVerified) => {
  expect(await logIn({ claims })).toMatchObject({ isEmailVerified })
})

test.each([
  [{ sub: 'ada', email: 'ada@example.com', email_verified: true }, true],
  [{ sub: 'ada', email: 'ada@example.com' }, false],
  [{ sub: 'ada', email: 'another@example.com', email_verified: true }, false],
  [{ sub: 'somebody', email: 'ada@example.com', email_verified: true }, false],
  [{ error: 'invalid_token' }, false],
])(
  'where the token tells the address alone, it is asked whether it is confirmed: %o',
  async (userinfo, isEmailVerified) => {
    const claims = { email_verified: undefined }
    expect(await logIn({ claims, userinfo })).toMatchObject({ email: 'ada@example.com', isEmailVerified })
  },
)

async function told(wrongs: Wrongs = {}, changes: Partial<OidcProvider> = {}): Promise<string[]> {
  provider.wrongs = wrongs
  const checks = await checkProvider({ ...provider, ...changes }, redirectUri)
  return checks.map(({ name, isOk }) => `${isOk ? '' : 'not '}${name}`)
}

test('a test finds what a log-in would stumble over', async () => {
  expect(await told()).toEqual(['issuer', 'keys', 'client', 'clock'])
  expect(await told({ metadata: { issuer: 'https://other.example' } })).toEqual(['not issuer'])
  expect(await told({ keys: { keys: [] } })).toEqual(['issuer', 'not keys'])
  expect(await told({}, { clientSecret: 'wrong' })).toEqual(['issuer', 'keys', 'not client'])
  expect(await told({ clockMs: 120_000 })).toEqual(['issuer', 'keys', 'client', 'not clock'])
})
