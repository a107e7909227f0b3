import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  nativeClient,
  openBrowser,
  register,
  registerClient,
  requestAuthorization,
  startTestSite,
} from './test-site.ts'
import type { TestSite } from './test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = await startTestSite()
})
afterAll(() => site.close())

const loopback = { token_endpoint_auth_method: 'none', grant_types: ['authorization_code', 'refresh_token'] }

/** Registrations as the clients send them, and a redirect URI that they then use. */
const clients: [name: string, metadata: Record<string, unknown>, usedRedirect: string][] = [
  [
    'Claude Code',
    {
      ...loopback,
      client_name: 'Claude Code (flamegate)',
      application_type: 'native',
      scope: 'read offline_access',
      redirect_uris: ['http://localhost:34567/callback'],
    },
    'http://localhost:51234/callback',
  ],
  [
    'Claude.ai',
    {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'read',
    },
    'https://claude.com/api/mcp/auth_callback',
  ],
  [
    'ChatGPT',
    {
      client_name: 'ChatGPT',
      redirect_uris: [
        'https://chatgpt.com/connector/oauth/abc123',
        'https://chatgpt.com/connector_platform_oauth_redirect',
      ],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
    'https://chatgpt.com/connector/oauth/abc123',
  ],
  [
    'Codex',
    {
      ...loopback,
      client_name: 'Codex',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1:41999/callback'],
    },
    'http://127.0.0.1:52000/callback',
  ],
  [
    'Gemini CLI, which does not say that it is native',
    {
      ...loopback,
      client_name: 'Gemini CLI MCP Client',
      scope: 'openid offline_access read write',
      redirect_uris: ['http://localhost:38999/oauth/callback'],
    },
    'http://localhost:38998/oauth/callback',
  ],
  [
    'opencode',
    {
      ...loopback,
      client_name: 'OpenCode',
      client_uri: 'https://opencode.ai',
      redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'],
    },
    'http://127.0.0.1:19876/mcp/oauth/callback',
  ],
  [
    'mcp-remote, with an empty client_uri',
    {
      ...loopback,
      client_name: 'MCP CLI Proxy',
      client_uri: '',
      software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
      redirect_uris: ['http://localhost:3334/oauth/callback'],
    },
    'http://localhost:3334/oauth/callback',
  ],
  [
    'mcporter',
    { client_name: 'mcporter', redirect_uris: ['http://127.0.0.1:40000/callback'] },
    'http://127.0.0.1:40001/callback',
  ],
  [
    'Inspector',
    {
      ...loopback,
      client_name: 'MCP Inspector',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1:6276/oauth/callback'],
    },
    'http://127.0.0.1:6276/oauth/callback',
  ],
  [
    'VS Code, with grants that we do not have',
    {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    'http://127.0.0.1:45678/',
  ],
  [
    'VS Code, through its web page',
    {
      client_name: 'Visual Studio Code',
      redirect_uris: ['https://vscode.dev/redirect', 'http://127.0.0.1:33418/'],
      token_endpoint_auth_method: 'none',
    },
    'https://vscode.dev/redirect',
  ],
  [
    'Cursor, with all that it ever used',
    {
      client_name: 'Cursor',
      redirect_uris: [
        'http://localhost:8787/callback',
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
      ],
      token_endpoint_auth_method: 'none',
    },
    'cursor://anysphere.cursor-mcp/oauth/callback',
  ],
  [
    'a client that sends null, unknown grants and response types',
    {
      client_name: null,
      grant_types: ['implicit', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
      response_types: ['token'],
      id_token_signed_response_alg: 'RS256',
      logo_uri: 'not a url',
      redirect_uris: ['http://[::1]:9000/callback'],
    },
    'http://[::1]:9001/callback',
  ],
]

test.each(clients)('%s can register and come back', async (_name, metadata, usedRedirect) => {
  const client = await registerClient(site, metadata)
  expect(client).toMatchObject({
    client_id: expect.any(String),
    redirect_uris: metadata['redirect_uris'],
    grant_types: expect.arrayContaining(['authorization_code', 'refresh_token']),
    response_types: ['code'],
  })
  const { url } = requestAuthorization(site, client, { redirect_uri: usedRedirect })
  expect((await openBrowser(site).visit(url)).url.pathname).toBe('/log-in')
})

test('a hosted client comes back only to what it registered', async () => {
  const client = await registerClient(site, { redirect_uris: ['https://agent.example/callback'] })
  const { url } = requestAuthorization(site, client, { redirect_uri: 'https://agent.example/elsewhere' })
  expect((await openBrowser(site).visit(url)).response?.status).toBe(400)
})

test.each<[string, unknown]>([
  ['no redirect URI', { client_name: 'x' }],
  ['a script as a redirect URI', { ...nativeClient, redirect_uris: ['javascript:alert(1)'] }],
  ['a fragment', { ...nativeClient, redirect_uris: ['https://agent.example/#x'] }],
  ['no URI at all', { ...nativeClient, redirect_uris: ['callback'] }],
  ['a list instead of an object', []],
])('%s cannot be registered', async (_what, metadata) => {
  const response = await register(site, metadata)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^invalid_/) })
})

test('a registration that is no JSON is refused in the same way', async () => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${site.issuer}/oauth/reg`, { method: 'POST', headers, body: '{' })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: 'invalid_request' })
})
