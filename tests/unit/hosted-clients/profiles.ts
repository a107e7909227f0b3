import type { Profile } from './profile.ts'

const publicClient = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}
const rfc8414 = '/.well-known/oauth-authorization-server'
const openid = '/.well-known/openid-configuration'

const claudeCallbacks = [
  'https://claude.ai/api/mcp/auth_callback',
  'https://claude.com/api/mcp/auth_callback',
]

const claude = {
  resourceMetadata: ['challenge', 'path', 'root'],
  serverMetadata: [rfc8414, openid],
  registration: (_server, scopes) => ({
    ...publicClient,
    client_name: 'Claude',
    redirect_uris: [claudeCallbacks[0]],
    scope: scopes.join(' '),
  }),
  sendsResource: true,
  extraScopes: ['offline_access'],
  prompt: 'consent',
  comparesResource: true,
} satisfies Partial<Profile>

const chatGptCallbacks = [
  'https://chatgpt.com/connector/oauth/Xy_12-ab',
  'https://chatgpt.com/connector_platform_oauth_redirect',
]

const chatGpt = {
  revision: '2025-06-18',
  resourceMetadata: ['challenge', 'path', 'root'],
  serverMetadata: [rfc8414, openid],
  registration: () => ({ ...publicClient, client_name: 'ChatGPT', redirect_uris: chatGptCallbacks }),
  redirectUri: 'https://chatgpt.com/connector/oauth/Xy_12-ab',
  sendsResource: true,
  extraScopes: [],
  comparesResource: true,
} satisfies Partial<Profile>

const vsCodeGrants = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code']

const cursor = {
  revision: '2025-11-25',
  resourceMetadata: ['challenge', 'path'],
  serverMetadata: [rfc8414, openid],
  registration: () => ({
    ...publicClient,
    client_name: 'Cursor',
    redirect_uris: [
      'http://localhost:8787/callback',
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
    ],
  }),
  // Some of its versions leave both out.
  sendsResource: false,
  extraScopes: undefined,
  comparesResource: false,
} satisfies Partial<Profile>

export const profiles: readonly Profile[] = [
  {
    ...claude,
    name: 'Claude.ai, by its document',
    revision: '2026-07-28',
    redirectUri: 'https://claude.ai/api/mcp/auth_callback',
    document: {
      url: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
      metadata: {
        ...publicClient,
        client_name: 'Claude',
        client_uri: 'https://claude.ai',
        redirect_uris: claudeCallbacks,
      },
    },
  },
  {
    ...claude,
    name: 'Claude.ai, registering',
    revision: '2025-11-25',
    redirectUri: 'https://claude.ai/api/mcp/auth_callback',
  },
  {
    ...chatGpt,
    name: 'ChatGPT, which signs with its key',
    document: {
      url: 'https://chatgpt.com/oauth/Xy_12-ab/client.json',
      metadata: {
        ...publicClient,
        client_name: 'ChatGPT',
        redirect_uris: chatGptCallbacks,
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'RS256',
        jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
      },
    },
  },
  {
    ...chatGpt,
    name: 'ChatGPT, as a public client',
    document: {
      url: 'https://chatgpt.com/oauth/Zz_34-cd/client.json',
      metadata: { ...publicClient, client_name: 'ChatGPT', redirect_uris: chatGptCallbacks },
    },
  },
  {
    ...chatGpt,
    name: 'ChatGPT, registering, with its older redirect',
    redirectUri: 'https://chatgpt.com/connector_platform_oauth_redirect',
  },
  {
    name: 'VS Code Copilot',
    revision: '2025-11-25',
    resourceMetadata: ['challenge', 'path', 'root'],
    serverMetadata: [`${rfc8414}/mcp`, rfc8414, openid],
    // Port 33418 is taken at times, and then it is another one, although this one is registered.
    redirectUri: 'http://127.0.0.1:51873/',
    registration: ({ grant_types_supported: supported }, scopes) => ({
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: vsCodeGrants.filter((grant) => supported.includes(grant)),
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      scope: scopes.join(' '),
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    }),
    sendsResource: true,
    extraScopes: [],
    comparesResource: true,
  },
  { ...cursor, name: 'Cursor, on the desktop', redirectUri: 'http://localhost:8787/callback' },
  {
    ...cursor,
    name: 'Cursor, on the desktop, of before',
    redirectUri: 'cursor://anysphere.cursor-mcp/oauth/callback',
  },
  {
    ...cursor,
    name: 'Cursor, in the web',
    redirectUri: 'https://www.cursor.com/agents/mcp/oauth/callback',
  },
]
