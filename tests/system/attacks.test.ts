import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  randomBytes,
  sign,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { createServer, request } from 'node:http'
import { promisify } from 'node:util'
import { operations } from '@flamegate/contract'
import { loadSigningKeys } from '@flamegate/auth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callTool, rpc } from './calls.ts'
import { openPlatformDatabase } from './database-access.ts'
import { BrowserlessPerson } from './browserless-person.ts'
import { apiToken, platform, signUp } from './person.ts'
import { TokenClient, tokensSchema } from './token-client.ts'
import type { Tokens } from './token-client.ts'

/**
 * What somebody would try who wants in, each against the running platform. Registration floods, forged request state
 * and guessed device codes have tests of their own beside what stops them, because they need a server to themselves.
 */

let person: BrowserlessPerson
let client: TokenClient
let tokens: Tokens
let database: Awaited<ReturnType<typeof openPlatformDatabase>>

beforeAll(async () => {
  person = await BrowserlessPerson.signUp(platform().url, 'Victim')
  client = new TokenClient(platform().url)
  tokens = await client.connect(person, 'Honest client')
  database = await openPlatformDatabase()
})
afterAll(() => database?.close())

const statusOf = async (token: string) => (await rpc('tools/list', {}, { token })).status
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('access tokens', () => {
  test('the honest one works, so that the others fail for their own reason', async () => {
    expect(await statusOf(tokens.access_token)).toBe(200)
  })

  test('a token for the REST API does not open MCP, nor one for another server', async () => {
    for (const aud of [
      `${platform().url}/v1`,
      'https://elsewhere.example/mcp',
      [platform().mcpUrl, `${platform().url}/v1`],
    ]) {
      expect(await statusOf(await signed({ ...claimsOf(tokens.access_token), aud }))).toBe(401)
    }
    // The same forgery with the right audience is taken: it is the audience that is refused.
    expect(await statusOf(await signed(claimsOf(tokens.access_token)))).toBe(200)
  })

  test('an unsigned token is refused', async () => {
    const body = encode(claimsOf(tokens.access_token))
    for (const alg of ['none', 'None', 'NONE']) {
      expect(await statusOf(`${encode({ alg, typ: 'at+jwt' })}.${body}.`)).toBe(401)
    }
  })

  test('a token signed with the public key as an HMAC secret is refused (algorithm confusion)', async () => {
    const [jwk] = await loadSigningKeys(database.identity)
    if (!jwk) throw new RangeError('There is a signing key')
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    const body = encode(claimsOf(tokens.access_token))
    const secrets = [
      publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      JSON.stringify(publicKey.export({ format: 'jwk' })),
    ]
    for (const secret of secrets) {
      const head = encode({ alg: 'HS256', typ: 'at+jwt', kid: jwk.kid })
      const mac = createHmac('sha256', secret).update(`${head}.${body}`).digest('base64url')
      expect(await statusOf(`${head}.${body}.${mac}`)).toBe(401)
    }
  })

  test('a token that brings its own key is refused', async () => {
    const own = await ownKey()
    const jwk = createPublicKey(own).export({ format: 'jwk' })
    const token = signWith(own, { alg: 'ES256', typ: 'at+jwt', jwk }, claimsOf(tokens.access_token))
    expect(await statusOf(token)).toBe(401)
  })

  test('a token with one changed claim is refused', async () => {
    const [head = '', , signature = ''] = tokens.access_token.split('.')
    const changed = encode({ ...claimsOf(tokens.access_token), scope: 'read write run admin' })
    expect(await statusOf(`${head}.${changed}.${signature}`)).toBe(401)
  })

  test('an ID token or another JWT of ours is no access token', async () => {
    const [jwk] = await loadSigningKeys(database.identity)
    const key = createPrivateKey({ key: jwk ?? {}, format: 'jwk' })
    const token = signWith(key, { alg: 'ES256', typ: 'JWT', kid: jwk?.kid }, claimsOf(tokens.access_token))
    expect(await statusOf(token)).toBe(401)
  })
})

/** An access token as our own server would make it. */
async function signed(claims: Record<string, unknown>): Promise<string> {
  const [jwk] = await loadSigningKeys(database.identity)
  const key = createPrivateKey({ key: jwk ?? {}, format: 'jwk' })
  return signWith(key, { alg: 'ES256', typ: 'at+jwt', kid: jwk?.kid }, claims)
}

describe('codes and refresh tokens', () => {
  test('a code is redeemed once; the second time ends what the first gave', async () => {
    const thief = new TokenClient(platform().url)
    const { back, verifier } = await thief.authorize(person, 'Replayed')
    const first = await thief.redeem(back, verifier)
    expect(first.status).toBe(200)
    const { access_token: accessToken } = tokensSchema.parse(await first.json())
    expect(await statusOf(accessToken)).toBe(200)
    const second = await thief.redeem(back, verifier)
    expect(second.status).toBe(400)
    expect(await second.json()).toMatchObject({ error: 'invalid_grant' })
    await expect.poll(() => statusOf(accessToken)).toBe(401)
  })

  test('a code is worth nothing without its verifier, with another one, or to another client', async () => {
    const { back, verifier } = await client.authorize(person, 'Honest client')
    const other = new TokenClient(platform().url)
    await other.register('Another client')
    expect((await client.redeem(back, '')).status).toBe(400)
    expect((await client.redeem(back, randomBytes(32).toString('base64url'))).status).toBe(400)
    expect((await other.redeem(back, verifier)).status).toBe(400)
  })

  test('a refresh token that turns up again after its time ends the whole grant', async () => {
    const victim = new TokenClient(platform().url)
    const stolen = await victim.connect(person, 'Stolen from')
    const renewed = tokensSchema.parse(await (await victim.refresh(stolen.refresh_token)).json())
    expect(await statusOf(renewed.access_token)).toBe(200)
    // As if some minutes had passed since it was used.
    await database.auth.query(
      `UPDATE oauth_records SET consumed_at = consumed_at - interval '10 minutes'
       WHERE model = 'RefreshToken' AND consumed_at IS NOT NULL AND grant_id = $1`,
      [claimsOf(renewed.access_token)['gid']],
    )
    const reused = await victim.refresh(stolen.refresh_token)
    expect(reused.status).toBe(400)
    expect((await victim.refresh(renewed.refresh_token)).status).toBe(400)
    await expect.poll(() => statusOf(renewed.access_token)).toBe(401)
  })

  test('a refresh token is worth nothing to another client', async () => {
    const other = new TokenClient(platform().url)
    await other.register('Thief')
    expect((await other.refresh(tokens.refresh_token)).status).toBe(400)
  })
})

describe('authorization requests', () => {
  test.each([
    ['without a challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with a plain one', { code_challenge_method: 'plain' }],
    ['for a token in the address', { response_type: 'token' }],
  ])('PKCE cannot be left out: %s', async (_name, changes) => {
    const answer = await client.startAuthorization(changes)
    expect(await outcomeOf(answer)).toMatch(
      /error=(invalid_request|unsupported_response_type|unauthorized_client)|^400$/,
    )
  })

  test.each([
    'http://127.0.0.1:48111/callback/../evil',
    'http://127.0.0.1:48111/callback?x=1',
    'http://127.0.0.1:48111/callback#fragment',
    'http://127.0.0.1:48111/callback%2f..%2fevil',
    'http://127.0.0.1@evil.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://evil.example/callback',
    'https://127.0.0.1:48111/callback',
    'javascript:alert(1)',
    '//evil.example/callback',
    ' http://127.0.0.1:48111/callback',
  ])('nobody is sent to %s', async (redirectUri) => {
    const answer = await client.startAuthorization({ redirect_uri: redirectUri })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
  })

  test('two redirect addresses, or two of any parameter, are refused', async () => {
    const answer = await client.startAuthorization({}, '&redirect_uri=https%3A%2F%2Fevil.example%2Fcb')
    expect(await outcomeOf(answer)).toMatch(/error=invalid_request|^400$/)
    expect(answer.headers.get('location') ?? '').not.toContain('evil.example')
  })

  test('the answer names its issuer, so that it cannot be mixed up with that of another server', async () => {
    const { back } = await client.authorize(person, 'Honest client')
    expect(back.searchParams.get('iss')).toBe(platform().url)
    expect(back.searchParams.get('state')).toBe('state')
  })

  test('a client cannot be talked into tokens for another server', async () => {
    const answer = await client.startAuthorization({ resource: 'https://elsewhere.example/mcp' })
    expect(await outcomeOf(answer)).toMatch(/error=invalid_target|^400$/)
  })
})

describe('consent', () => {
  test('a page of another site cannot press Allow', async () => {
    const uid = await client.consentPage(person)
    for (const origin of ['https://evil.example', 'null', undefined]) {
      const answer = await person.postFrom(origin, `/auth/interactions/${uid}/allow`, {})
      expect(answer.status).toBe(403)
    }
    expect((await person.post(`/auth/interactions/${uid}/allow`, {})).status).toBe(200)
  })

  test('somebody else cannot allow or even see a request', async () => {
    const uid = await client.consentPage(person)
    const stranger = await BrowserlessPerson.signUp(platform().url, 'Stranger')
    expect((await stranger.rest('GET', `/auth/interactions/${uid}`)).status).toBe(404)
    expect((await stranger.post(`/auth/interactions/${uid}/allow`, {})).status).toBe(404)
  })

  test('the pages cannot be framed, and run nothing that is not ours', async () => {
    const answer = await fetch(`${platform().url}/consent/anything`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/frame-ancestors 'none'/)
    expect(policy).toMatch(/(script-src|default-src) 'self'/)
    expect(policy).not.toMatch(/script-src[^;]*'unsafe-(inline|eval)'/)
  })
})

describe('client ID metadata documents', () => {
  test.each([
    'https://127.0.0.1/client.json',
    'https://localhost/client.json',
    'https://[::1]/client.json',
    'https://10.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://0x7f000001/client.json',
    'https://2130706433/client.json',
    'http://example.com/client.json',
    'https://user:password@example.com/client.json',
  ])('%s is not fetched', async (clientId) => {
    const started = performance.now()
    const answer = await client.startAuthorization({ client_id: clientId })
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test('nobody connects to this machine for one', async () => {
    let connections = 0
    const server = createServer(() => {}).on('connection', () => (connections += 1))
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    await client.startAuthorization({ client_id: `https://127.0.0.1:${port}/client.json` })
    await client.startAuthorization({ client_id: `https://localhost:${port}/client.json` })
    server.close()
    expect(connections).toBe(0)
  })
})

describe('the MCP endpoint', () => {
  test('a header that says something else than the body is refused', async () => {
    const answer = await fetch(platform().mcpUrl, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tokens.access_token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
        'mcp-name': 'list_projects',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'delete_project',
          arguments: {},
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: -32_020 } })
  })

  test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example'])(
    'a name that was made to point here is refused: %s',
    async (host) => {
      expect(await statusByHost(host)).toBe(403)
    },
  )

  test('a page of another site is refused', async () => {
    const answer = await fetch(platform().mcpUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}`, origin: 'https://evil.example' },
      body: '{}',
    })
    expect(answer.status).toBe(403)
  })

  test('a token confirms one call: not with other arguments, not of another tool, not for somebody else', async () => {
    const owner = await signUp('Careful')
    const token = await apiToken(owner, ['admin', 'write', 'read'])
    const invitation = (email: string) => ({ workspace_id: owner.workspaceId, email, role: 'viewer' })
    const asked = await callTool(operations.setWorkspaceMember, invitation('friend@example.com'), { token })
    const confirm = asked.answer?.['confirmation_token']
    expect(confirm).toEqual(expect.any(String))

    const other = await callTool(
      operations.setWorkspaceMember,
      { ...invitation('enemy@example.com'), confirm },
      { token },
    )
    expect(other.answer?.['member']).toBeUndefined()
    expect(other.answer?.['invitation_url']).toBeUndefined()
    const otherToken = await apiToken(owner, ['admin', 'write', 'read'])
    const byAnother = await callTool(
      operations.setWorkspaceMember,
      { ...invitation('friend@example.com'), confirm },
      { token: otherToken },
    )
    expect(byAnother.answer?.['invitation_url']).toBeUndefined()
    const right = await callTool(
      operations.setWorkspaceMember,
      { ...invitation('friend@example.com'), confirm },
      { token },
    )
    expect(right.answer?.['invitation_url']).toEqual(expect.any(String))
  })
})

test('a log-in leads to our own pages only', async () => {
  for (const target of ['https://evil.example', '//evil.example', '/\\evil.example']) {
    const answer = await fetch(`${platform().url}/log-in?return_to=${encodeURIComponent(target)}`, {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    })
    // The page decides (`return-path.test.ts`); the server itself never redirects by it.
    expect(answer.status).toBe(200)
    expect(answer.headers.get('location')).toBeNull()
  }
})

async function outcomeOf(answer: Response): Promise<string> {
  return answer.headers.get('location') ?? String(answer.status)
}

async function ownKey(): Promise<KeyObject> {
  return (await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })).privateKey
}

function signWith(key: ReturnType<typeof createPrivateKey>, header: object, claims: object): string {
  const text = `${encode(header)}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

/** fetch would set the Host header by itself. */
function statusByHost(host: string): Promise<number | undefined> {
  const { hostname, port } = new URL(platform().mcpUrl)
  return new Promise((resolve, reject) => {
    request(
      {
        hostname,
        port,
        path: '/mcp',
        method: 'POST',
        headers: { host, authorization: `Bearer ${tokens.access_token}` },
      },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      },
    )
      .on('error', reject)
      .end('{}')
  })
}
