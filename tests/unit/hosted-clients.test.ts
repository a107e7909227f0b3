import { createServer } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway } from '../../apps/gateway/src/test-gateway.ts'
import type { TestGateway } from '../../apps/gateway/src/test-gateway.ts'
import { BrowserlessPerson } from '../system/browserless-person.ts'
import { HostedClient } from './hosted-clients/hosted-client.ts'
import { profiles } from './hosted-clients/profiles.ts'

// Clients that nobody can install: Claude.ai, ChatGPT, VS Code Copilot and Cursor, as far as is known what they say on
// the wire (docs/clients.md), against a gateway on loopback. What they publish, a stub has.

const published = new Map<string, string>()
let gateway: TestGateway
let mcpUrl: string
let person: BrowserlessPerson
let newClient: (profile: (typeof profiles)[number]) => HostedClient

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' }
  published.set('https://chatgpt.com/oauth/jwks.json', JSON.stringify({ keys: [jwk] }))
  for (const { document } of profiles) {
    if (document)
      published.set(document.url, JSON.stringify({ client_id: document.url, ...document.metadata }))
  }
  const port = await findFreePort()
  const publicUrl = `http://127.0.0.1:${port}`
  mcpUrl = `${publicUrl}/mcp`
  gateway = await startTestGateway(publicUrl, {
    accessTokenLifetimeSeconds: 30,
    fetchDocument: async (url) => {
      const body = published.get(url)
      return { status: body === undefined ? 404 : 200, url, headers: {}, body: Buffer.from(body ?? '') }
    },
  })
  await gateway.app.listen({ host: '127.0.0.1', port })
  person = await BrowserlessPerson.signUp(publicUrl, 'Ada')
  newClient = (profile) => new HostedClient(profile, mcpUrl, privateKey)
})
afterAll(() => gateway.close())

async function connected(profile: (typeof profiles)[number]): Promise<HostedClient> {
  const client = newClient(profile)
  await client.discover()
  await client.identify()
  await client.logIn(person)
  return client
}

const claimsOf = (client: HostedClient) => decodeJwt(client.accessToken)
const grantOf = (client: HostedClient) => String(claimsOf(client)['gid'])

describe.each(profiles)('$name', (profile) => {
  test('finds everything, logs in, lists the tools and calls one', async () => {
    const client = await connected(profile)
    expect(client.clientId.startsWith('https://')).toBe(profile.document !== undefined)
    const { tools, result } = await client.work('get_current_user')
    expect(tools).toContain('get_current_user')
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'Grüße' }] })
    expect(gateway.calls.at(-1)).toMatchObject({ operation: 'get_current_user' })
  })

  test('refreshes in its own words and works on with what it gets', async () => {
    const client = await connected(profile)
    const before = client.accessToken
    expect(await client.refresh()).toEqual({ status: 200, error: undefined })
    expect(client.accessToken).not.toBe(before)
    expect(grantOf(client)).toBe(decodeJwt(before)['gid'])
    expect((await client.work('get_current_user')).result).toMatchObject({ content: [{ text: 'Grüße' }] })
  })

  test('connects once more and takes nothing from the first connection', async () => {
    const first = await connected(profile)
    const second = await connected(profile)
    expect(second.clientId).toBe(first.clientId)
    expect((await first.challenge()).status).toBe(200)
    expect((await first.refresh()).status).toBe(200)
    expect((await second.challenge()).status).toBe(200)
  })

  test('is told when it was revoked, in a way that leads it to a new log-in', async () => {
    const client = await connected(profile)
    await gateway.identity.oauth.revokeGrant(grantOf(client))
    await expect.poll(() => client.challenge()).toMatchObject({ status: 401, error: 'invalid_token' })
    const { metadataUrl } = await client.challenge()
    expect(metadataUrl).toBe(mcpUrl.replace('/mcp', '/.well-known/oauth-protected-resource/mcp'))
    expect(await client.refresh()).toEqual({ status: 400, error: 'invalid_grant' })

    const again = await connected(profile)
    expect((await again.work('get_current_user')).tools).not.toEqual([])
  })
})

test.each(profiles.filter(({ document }) => document === undefined))(
  '$name is told that its registration is gone, and registers again',
  async (profile) => {
    const client = await connected(profile)
    await gateway.identity.oauthClients.remove(client.clientId)
    expect(await client.refresh()).toEqual({ status: 401, error: 'invalid_client' })
    const again = await connected(profile)
    expect((await again.challenge()).status).toBe(200)
  },
)

test('a client that signs with its key gets nothing without it', async () => {
  const profile = profiles.find(({ document }) => document?.metadata['jwks_uri'])
  if (!profile) throw new TypeError('No profile has a key')
  const { privateKey: another } = await generateKeyPair('RS256')
  const impostor = new HostedClient(profile, mcpUrl, another)
  await impostor.discover()
  await impostor.identify()
  await expect(impostor.logIn(person)).rejects.toThrow(/code: 401 .*invalid_client/)
})

test('access tokens last as long as the gateway was told', async () => {
  const [profile] = profiles
  if (!profile) throw new TypeError('There is no profile')
  const { iat = 0, exp = 0 } = claimsOf(await connected(profile))
  expect(exp - iat).toBe(30)
})

async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  if (typeof address !== 'object' || !address) throw new TypeError('no TCP port')
  return address.port
}
