import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FetchDocument } from './client-documents.ts'
import {
  authorize,
  exchange,
  openBrowser,
  register,
  registerClient,
  requestAuthorization,
  startTestSite,
  tryToken,
} from './test-site.ts'
import type { Browser, TestSite } from './test-site.ts'

/**
 * Every form of redirect that a known client uses: what it registers, letter by letter, and where it then wants its
 * answer. A random port is written as one that was not registered.
 */

const documents = new Map<string, string>()
const fetchDocument: FetchDocument = async (url) => {
  const body = documents.get(url)
  return { status: body ? 200 : 404, url, headers: {}, body: Buffer.from(body ?? '') }
}

let site: TestSite
let browser: Browser
beforeAll(async () => {
  site = await startTestSite(fetchDocument)
  browser = openBrowser(site)
})
afterAll(() => site.close())

const publicClient = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}

const claudeCallbacks = [
  'https://claude.ai/api/mcp/auth_callback',
  'https://claude.com/api/mcp/auth_callback',
]
const vsCodeCallbacks = [
  'https://insiders.vscode.dev/redirect',
  'https://vscode.dev/redirect',
  'http://127.0.0.1/',
  'http://127.0.0.1:33418/',
]
const cursorCallbacks = [
  'http://localhost:8787/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
]

const registrations: { name: string; body: Record<string, unknown>; used: string[] }[] = [
  {
    name: 'Claude.ai and Claude.com',
    body: { ...publicClient, client_name: 'Claude', redirect_uris: claudeCallbacks, scope: 'read' },
    used: claudeCallbacks,
  },
  {
    name: 'Claude Code',
    body: {
      ...publicClient,
      client_name: 'Claude Code (flamegate)',
      application_type: 'native',
      scope: 'read offline_access',
      redirect_uris: ['http://localhost:34567/callback'],
    },
    used: ['http://localhost:34567/callback', 'http://localhost:51234/callback'],
  },
  {
    name: 'ChatGPT, with the connector’s own address and the older one',
    body: {
      ...publicClient,
      client_name: 'ChatGPT',
      redirect_uris: [
        'https://chatgpt.com/connector/oauth/Xy_12-ab',
        'https://chatgpt.com/connector_platform_oauth_redirect',
      ],
    },
    used: [
      'https://chatgpt.com/connector/oauth/Xy_12-ab',
      'https://chatgpt.com/connector_platform_oauth_redirect',
    ],
  },
  {
    name: 'VS Code',
    body: {
      ...publicClient,
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      application_type: 'native',
      grant_types: [...publicClient.grant_types, 'urn:ietf:params:oauth:grant-type:device_code'],
      redirect_uris: vsCodeCallbacks,
    },
    used: [...vsCodeCallbacks, 'http://127.0.0.1:45678/'],
  },
  {
    name: 'Cursor, with all that it ever used',
    body: { client_name: 'Cursor', token_endpoint_auth_method: 'none', redirect_uris: cursorCallbacks },
    used: [...cursorCallbacks, 'http://localhost:8788/callback'],
  },
  ...cursorCallbacks.map((callback) => ({
    name: `Cursor, with ${callback} alone`,
    body: { client_name: 'Cursor', token_endpoint_auth_method: 'none', redirect_uris: [callback] },
    used: [callback],
  })),
  {
    name: 'Codex',
    body: {
      ...publicClient,
      client_name: 'Codex',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1:41999/callback'],
    },
    used: ['http://127.0.0.1:41999/callback', 'http://127.0.0.1:52000/callback'],
  },
  {
    name: 'Gemini CLI, which does not say that it is native',
    body: {
      ...publicClient,
      client_name: 'Gemini CLI MCP Client',
      scope: 'openid offline_access read write',
      redirect_uris: ['http://localhost:38999/oauth/callback'],
    },
    used: ['http://localhost:38999/oauth/callback', 'http://localhost:38998/oauth/callback'],
  },
  {
    name: 'opencode',
    body: {
      ...publicClient,
      client_name: 'OpenCode',
      client_uri: 'https://opencode.ai',
      redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'],
    },
    used: ['http://127.0.0.1:19876/mcp/oauth/callback'],
  },
  {
    name: 'mcp-remote, with an empty client_uri',
    body: {
      ...publicClient,
      client_name: 'MCP CLI Proxy',
      client_uri: '',
      application_type: 'native',
      software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
      software_version: '0.15.1',
      redirect_uris: ['http://localhost:3334/oauth/callback'],
    },
    used: ['http://localhost:3334/oauth/callback', 'http://localhost:17345/oauth/callback'],
  },
  {
    name: 'mcporter, which says nothing but its name and address',
    body: { client_name: 'mcporter', redirect_uris: ['http://127.0.0.1:40000/callback'] },
    used: ['http://127.0.0.1:40000/callback', 'http://127.0.0.1:40001/callback'],
  },
  {
    name: 'Inspector',
    body: {
      ...publicClient,
      client_name: 'MCP Inspector',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1:6276/oauth/callback'],
    },
    used: ['http://127.0.0.1:6276/oauth/callback'],
  },
]

const forms = registrations.flatMap(({ name, body, used }) =>
  used.map((redirect) => ({ name, body, redirect })),
)

describe('a client that registers', () => {
  test.each(forms)('$name comes back to $redirect', async ({ body, redirect }) => {
    const client = await registerClient(site, body)
    expect(client.redirect_uris).toEqual(body['redirect_uris'])
    const request = requestAuthorization(site, client, { redirect_uri: redirect })
    const answer = await authorize(browser, request.url)
    expect(answer.href.split('?')[0]).toBe(redirect)
    const tokens = await exchange(site, client, request, answer)
    expect(tokens).toMatchObject({ status: 200, refresh_token: expect.any(String) })
    expect(await tryToken(site, tokens.access_token)).toBe('read')
  })
})

/** Documents as their clients publish them, some without `application_type`. */
const published: { name: string; id: string; metadata: Record<string, unknown>; used: string[] }[] = [
  {
    name: 'Claude.ai',
    id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    metadata: { ...publicClient, client_name: 'Claude', redirect_uris: claudeCallbacks },
    used: claudeCallbacks,
  },
  {
    name: 'Claude Code',
    id: 'https://claude.ai/oauth/claude-code-client-metadata',
    metadata: {
      ...publicClient,
      client_name: 'Claude Code',
      client_uri: 'https://claude.ai',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    },
    used: ['http://localhost:51234/callback', 'http://127.0.0.1:51234/callback'],
  },
  {
    name: 'Codex',
    id: 'https://chatgpt.com/oauth/codex/client.json',
    metadata: {
      ...publicClient,
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
    },
    used: ['http://127.0.0.1:52000/callback'],
  },
  {
    name: 'opencode, which names no way to authenticate',
    id: 'https://opencode.ai/oauth/opencode/client.json',
    metadata: { client_name: 'OpenCode', redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'] },
    used: ['http://127.0.0.1:19876/mcp/oauth/callback'],
  },
]

const publishedForms = published.flatMap(({ used, ...client }) =>
  used.map((redirect) => ({ ...client, redirect })),
)

describe('a client that is the address of its metadata', () => {
  test.each(publishedForms)('$name comes back to $redirect', async ({ id, metadata, redirect }) => {
    documents.set(id, JSON.stringify({ client_id: id, ...metadata }))
    const client = { client_id: id, redirect_uris: [redirect] }
    const request = requestAuthorization(site, client, { redirect_uri: redirect })
    const answer = await authorize(browser, request.url)
    expect(answer.href.split('?')[0]).toBe(redirect)
    expect(await exchange(site, client, request, answer)).toMatchObject({
      status: 200,
      refresh_token: expect.any(String),
    })
  })
})

describe('a redirect that was not registered is never followed', () => {
  const native = { ...publicClient, redirect_uris: ['http://127.0.0.1:5000/callback'] }
  const web = { ...publicClient, redirect_uris: ['https://agent.example/callback'] }
  test.each([
    [native, 'http://127.0.0.1:5000/elsewhere'],
    [native, 'http://127.0.0.1:5000/callback/'],
    [native, 'http://localhost:5000/callback'],
    [native, 'http://127.0.0.1.evil.example:5000/callback'],
    [native, 'http://127.0.0.1:5000@evil.example/callback'],
    [native, 'https://127.0.0.1:5000/callback'],
    [native, 'http://127.0.0.1:5000/callback?next=//evil.example'],
    [web, 'https://agent.example:8443/callback'],
    [web, 'https://agent.example/callback#fragment'],
    [web, 'https://agent.example/callback/../elsewhere'],
    [web, 'https://agent.example.evil.example/callback'],
    [web, 'http://agent.example/callback'],
  ])('%o does not come back to %s', async (metadata, redirect) => {
    const client = await registerClient(site, metadata)
    const { url, response } = await browser.visit(
      requestAuthorization(site, client, { redirect_uri: redirect }).url,
    )
    expect(url.origin).toBe(site.issuer)
    expect(response?.status).toBe(400)
  })
})

test('a native client cannot register another machine', async () => {
  const response = await register(site, {
    ...publicClient,
    application_type: 'native',
    redirect_uris: ['http://agent.example/callback'],
  })
  expect(response.status).toBe(400)
})
