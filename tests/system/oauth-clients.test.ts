import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { operations } from '@flamegate/contract'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { callRest, rpc } from './calls.ts'
import { apiToken, logIn, platform, signUp, type Person } from './person.ts'
import { programEnv } from './program-env.ts'

const cliMain = join(import.meta.dirname, '../../apps/cli/src/main.ts')

/** OAuth clients of the whole installation, for its administrators: here whoever has the demo's account. */

let admin: Person
let clientId: string

beforeAll(async () => {
  const { demo } = platform()
  admin = await logIn(demo.email, demo.password)
  clientId = await register(`Agent ${crypto.randomUUID()}`)
})

async function register(name: string): Promise<string> {
  const response = await fetch(`${platform().url}/oauth/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: name,
      redirect_uris: ['http://127.0.0.1:5000/callback'],
      token_endpoint_auth_method: 'none',
    }),
  })
  return z.object({ client_id: z.string() }).parse(await response.json()).client_id
}

/** What the authorization server says to a person that the client sends. */
async function authorize(): Promise<{ status: number; text: string }> {
  const parameters = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1:5000/callback',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  const response = await fetch(`${platform().url}/oauth/authorize?${parameters.toString()}`, {
    redirect: 'manual',
    headers: { accept: 'text/html' },
  })
  return { status: response.status, text: await response.text() }
}

const find = async () => {
  const { oauth_clients } = await admin.client.call(operations.listOauthClients, { search: clientId })
  return oauth_clients
}

test('an administrator sees who registered, and blocks it and lets it in again', async () => {
  expect(await find()).toMatchObject([
    { client_id: clientId, kind: 'registered', redirect_hosts: ['127.0.0.1'], blocked_at: null },
  ])
  expect((await authorize()).status).toBe(303)

  const reason = 'It deletes projects.'
  const blocked = await admin.client.call(operations.blockOauthClient, { client_id: clientId, reason })
  expect(blocked).toMatchObject({ oauth_client: { block_reason: reason }, revoked_grants: 0 })
  expect(await find()).toMatchObject([{ blocked_at: expect.any(String), block_reason: reason }])
  const refused = await authorize()
  expect(refused.status).toBe(400)
  expect(refused.text).toContain(reason)

  await admin.client.call(operations.blockOauthClient, { client_id: clientId, blocked: false })
  expect(await find()).toMatchObject([{ blocked_at: null, block_reason: null }])
  expect((await authorize()).status).toBe(303)
})

test('a machine that is blocked is cut off at once, with the tokens it has and the API token behind them', async () => {
  const owner = await signUp('Machinist')
  const secret = await apiToken(owner, ['read'])
  const { api_tokens } = await owner.client.call(operations.listApiTokens, {
    workspace_id: owner.workspaceId,
  })
  const id = api_tokens[0]?.id ?? ''
  const { url } = platform()
  const ask = async () => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    })
    const response = await fetch(`${url}/oauth/token`, { method: 'POST', body })
    const answer = z.looseObject({ access_token: z.string().default('') }).parse(await response.json())
    return { status: response.status, token: answer.access_token }
  }
  const { token } = await ask()
  const statuses = async () => [
    (await rpc('ping', {}, { token })).status,
    (await rpc('ping', {}, { token: secret })).status,
    (await ask()).status,
  ]
  expect(await statuses()).toEqual([200, 200, 200])
  // That it is a client is noted after the answer.
  await expect
    .poll(async () => (await admin.client.call(operations.listOauthClients, { search: id })).oauth_clients)
    .toHaveLength(1)
  await admin.client.call(operations.blockOauthClient, { client_id: id, reason: 'It runs wild.' })
  expect(await statuses()).toEqual([401, 401, 400])
  await admin.client.call(operations.blockOauthClient, { client_id: id, blocked: false })
  expect(await statuses()).toEqual([200, 200, 200])
})

test('blocking the command line ends log-ins by device code, and people can log in again afterwards', async () => {
  const { url } = platform()
  const person = await signUp('Terminal')
  const cli = { client_id: 'flamegate-cli' }
  const post = async (path: string, body: Record<string, string>) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(body) })
    return { status: response.status, answer: z.looseObject({}).parse(await response.json()) }
  }
  const decide = (body: object) =>
    fetch(`${url}/auth/device/allow`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie: person.cookie },
      body: JSON.stringify(body),
    })
  const { answer: started } = await post('/oauth/device', { ...cli, resource: `${url}/mcp` })
  expect((await decide({ user_code: started['user_code'] })).status).toBe(204)
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const tokens = await post('/oauth/token', {
    ...cli,
    grant_type,
    device_code: String(started['device_code']),
  })
  expect(tokens.status).toBe(200)
  const token = String(tokens.answer['access_token'])
  const status = async () => (await rpc('ping', {}, { token })).status
  expect(await status()).toBe(200)
  await expect
    .poll(
      async () =>
        (await admin.client.call(operations.listOauthClients, { search: cli.client_id })).oauth_clients,
    )
    .toHaveLength(1)
  await admin.client.call(operations.blockOauthClient, cli)
  try {
    await expect.poll(status, { interval: 10 }).toBe(401)
    expect((await post('/oauth/device', cli)).status).toBe(400)
    const refreshing = { grant_type: 'refresh_token', refresh_token: String(tokens.answer['refresh_token']) }
    expect((await post('/oauth/token', { ...cli, ...refreshing })).status).toBe(400)
  } finally {
    await admin.client.call(operations.blockOauthClient, { ...cli, blocked: false })
  }
  expect((await post('/oauth/device', cli)).status).toBe(200)
})

// Here, because nobody may block the command line meanwhile.
test('one log-in of the command line is good for REST and, by standard streams, for MCP', async () => {
  const { url } = platform()
  const person = await signUp('Streams')
  const home = await mkdtemp(join(tmpdir(), 'flamegate-login-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const { PATH, NODE_COMPILE_CACHE = '' } = programEnv
  const env = { PATH, NODE_COMPILE_CACHE, HOME: home }
  const flamegate = (...args: string[]) => spawn(process.execPath, [cliMain, ...args], { env })
  const connect = async () => {
    const client = new Client({ name: 'a-client', version: '1.0' })
    onTestFinished(() => client.close())
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [cliMain, 'mcp-stdio'],
        env,
        stderr: 'pipe',
      }),
    )
    return client
  }
  const whoIsAt = async () =>
    (await (await connect()).callTool({ name: 'get_current_user', arguments: {} })).structuredContent

  const login = flamegate('login', '--url', url)
  const [shown] = await once(login.stdout, 'data')
  const allowed = await fetch(`${url}/auth/device/allow`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url, cookie: person.cookie },
    body: JSON.stringify({ user_code: /code ([A-Z-]+)/.exec(String(shown))?.[1] }),
  })
  expect(allowed.status).toBe(204)
  expect(await once(login, 'close')).toEqual([0, null])

  const me = { user: { email: person.email }, credential: 'oauth', client_id: 'flamegate-cli' }
  expect(await whoIsAt()).toMatchObject(me)
  const whoami = flamegate('whoami', '--json')
  expect(JSON.parse(await text(whoami.stdout))).toMatchObject(me)

  // What is refused is renewed, and kept.
  const file = join(home, '.config/flamegate/login.json')
  const kept = z.looseObject({ mcp: z.object({ access_token: z.string(), expires_at: z.string() }) })
  const before = kept.parse(JSON.parse(await readFile(file, 'utf8')))
  await writeFile(file, JSON.stringify({ ...before, mcp: { ...before.mcp, access_token: 'of yesterday' } }))
  expect(await whoIsAt()).toMatchObject(me)
  const after = kept.parse(JSON.parse(await readFile(file, 'utf8')))
  expect(after.mcp.access_token).not.toMatch(/^of yesterday$/)

  // What it was not allowed a person can allow later.
  const client = await connect()
  const asked = client.callTool({ name: 'search_audit_log', arguments: { workspace_id: person.workspaceId } })
  await expect(asked).rejects.toThrow('Connected apps')

  await once(flamegate('logout'), 'close')
  await expect(connect()).rejects.toThrow('Connection closed')
})

test('clients that just registered are not unused', async () => {
  const { deleted, dry_run } = await admin.client.call(operations.deleteUnusedOauthClients, { dry_run: true })
  expect(dry_run).toBe(true)
  expect(deleted.map((client) => client.client_id)).not.toContain(clientId)
})

describe('nobody else', () => {
  const calls = [
    [operations.listOauthClients, {}],
    [operations.blockOauthClient, { client_id: 'any' }],
    [operations.deleteUnusedOauthClients, {}],
  ] as const

  test('sees that there is anything: not the owner of a workspace', async () => {
    const { cookie } = await signUp('Owner')
    for (const [operation, input] of calls) {
      expect(await callRest(operation, input, { cookie })).toMatchObject({
        status: 404,
        code: 'oauth_client_not_found',
      })
    }
  })

  test('and not a credential of an administrator that is for one workspace', async () => {
    const token = await apiToken(admin, ['admin'])
    for (const [operation, input] of calls) {
      expect(await callRest(operation, input, { token })).toMatchObject({ code: 'oauth_client_not_found' })
    }
  })
})
