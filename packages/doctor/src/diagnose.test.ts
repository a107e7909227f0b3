import { describe, expect, test } from 'vitest'
import { diagnose } from './diagnose.ts'
import type { Sent, SentRequest } from './exchange.ts'

const mcp = 'https://mcp.example/mcp'
const resourceMetadata = 'https://mcp.example/.well-known/oauth-protected-resource/mcp'
const serverMetadata = 'https://auth.example/.well-known/oauth-authorization-server'
const challenge = `Bearer resource_metadata="${resourceMetadata}", scope="read"`

type Answer = Partial<Omit<Sent, 'body'>> & { body?: unknown }
type Routes = Record<string, Answer | ((request: SentRequest) => Answer)>

const goodServer = {
  issuer: 'https://auth.example',
  authorization_endpoint: 'https://auth.example/authorize',
  token_endpoint: 'https://auth.example/token',
  registration_endpoint: 'https://auth.example/register',
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
}
const cors = { 'access-control-allow-origin': '*' }
const tool = (name: string) => ({
  name,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
})

/** A server without a fault, which takes the token `good`. */
function routes(): Routes {
  const unauthorized: Answer = { status: 401, headers: { 'www-authenticate': challenge } }
  return {
    [`GET ${mcp}`]: unauthorized,
    [`HEAD ${mcp}`]: unauthorized,
    [`POST ${mcp}`]: ({ headers, body }) => {
      const { authorization } = headers ?? {}
      if (authorization === undefined) return unauthorized
      if (authorization !== 'Bearer good') {
        return { status: 401, headers: { 'www-authenticate': `${challenge}, error="invalid_token"` } }
      }
      return { body: { jsonrpc: '2.0', id: 1, result: resultOf(body ?? '') } }
    },
    [`GET ${resourceMetadata}`]: {
      headers: cors,
      body: { resource: mcp, authorization_servers: ['https://auth.example'], scopes_supported: ['read'] },
    },
    [`GET ${serverMetadata}`]: { headers: cors, body: goodServer },
    'POST https://auth.example/register': {
      status: 201,
      body: {
        client_id: 'c1',
        registration_client_uri: 'https://auth.example/register/c1',
        registration_access_token: 'r1',
      },
    },
    'GET https://auth.example/authorize': { status: 303, headers: { location: '/log-in' } },
    'DELETE https://auth.example/register/c1': { status: 204 },
  }
}

function resultOf(body: string): unknown {
  const { method } = JSON.parse(body)
  if (method === 'tools/list') return { tools: [tool('who_am_i')] }
  if (method === 'tools/call') return { content: [] }
  return { protocolVersion: '2025-11-25' }
}

async function examine(changes: Routes, options: { token?: string; url?: string } = {}) {
  const all = { ...routes(), ...changes }
  const requests: string[] = []
  const diagnosis = await diagnose({
    url: mcp,
    ...options,
    async send(request) {
      const key = `${request.method} ${request.url.replace(/\?.*/, '')}`
      requests.push(key)
      const route = all[key] ?? { status: 404 }
      const { status = 200, headers = {}, body = '' } = typeof route === 'function' ? route(request) : route
      return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) }
    },
  })
  const faults = diagnosis.findings.filter(({ status }) => status === 'failed' || status === 'warning')
  return { ...diagnosis, faults, requests }
}

test('a server without a fault is healthy, and what was registered is removed again', async () => {
  const { verdict, faults, findings, requests } = await examine({}, { token: 'good' })
  expect(faults).toEqual([])
  expect(verdict).toBe('healthy')
  expect(findings.find(({ check }) => check === 'call')).toMatchObject({ status: 'ok' })
  expect(requests.filter((each) => each.startsWith('DELETE'))).toHaveLength(4)
})

test('a server that asks for no token is spoken with at once', async () => {
  const { verdict, findings } = await examine({
    [`POST ${mcp}`]: ({ body = '' }) => ({ body: { jsonrpc: '2.0', id: 1, result: resultOf(body) } }),
  })
  expect(verdict).toBe('healthy')
  expect(findings.map(({ check }) => check)).toEqual([
    'address',
    'unauthenticated',
    'legacy',
    'modern',
    'tools',
    'call',
  ])
})

describe('a fault is named, with the clients that trip over it', () => {
  const rows: [name: string, changes: Routes, expected: { check: string; clients?: string }][] = [
    [
      'GET answers 405 before 401',
      { [`GET ${mcp}`]: { status: 405 } },
      { check: 'probe-get', clients: 'Codex' },
    ],
    [
      'HEAD answers 404',
      { [`HEAD ${mcp}`]: { status: 404 } },
      { check: 'probe-head', clients: 'Gemini CLI' },
    ],
    [
      'it redirects',
      { [`POST ${mcp}`]: { status: 308, headers: { location: '/mcp/' } } },
      { check: 'unauthenticated' },
    ],
    [
      'a 401 without a challenge',
      { [`POST ${mcp}`]: { status: 401 } },
      { check: 'challenge', clients: 'every client' },
    ],
    [
      'the metadata is for another address',
      {
        [`GET ${resourceMetadata}`]: {
          headers: cors,
          body: { resource: 'https://mcp.example', authorization_servers: ['https://auth.example'] },
        },
      },
      { check: 'resource-metadata', clients: 'VS Code' },
    ],
    [
      'there is no resource metadata',
      { [`GET ${resourceMetadata}`]: { status: 404 } },
      { check: 'resource-metadata' },
    ],
    [
      'the resource metadata is a web page',
      { [`GET ${resourceMetadata}`]: { body: '<!doctype html>' } },
      { check: 'resource-metadata' },
    ],
    [
      'another issuer',
      {
        [`GET ${serverMetadata}`]: {
          headers: cors,
          body: { ...goodServer, issuer: 'https://auth.example/' },
        },
      },
      { check: 'authorization-server' },
    ],
    [
      'no PKCE',
      {
        [`GET ${serverMetadata}`]: {
          headers: cors,
          body: { ...goodServer, code_challenge_methods_supported: ['plain'] },
        },
      },
      { check: 'authorization-server' },
    ],
    [
      'no way to introduce oneself',
      {
        [`GET ${serverMetadata}`]: {
          headers: cors,
          body: {
            ...goodServer,
            registration_endpoint: undefined,
            client_id_metadata_document_supported: false,
          },
        },
      },
      { check: 'registration-offers', clients: 'opencode' },
    ],
    [
      'loopback redirects are refused',
      {
        'POST https://auth.example/register': ({ body = '' }) =>
          body.includes('127.0.0.1/callback')
            ? { status: 400, body: { error: 'invalid_redirect_uri' } }
            : { status: 201, body: { client_id: 'c1' } },
      },
      { check: 'registration', clients: 'Gemini CLI' },
    ],
    [
      'a log-in without scope is refused',
      {
        'GET https://auth.example/authorize': ({ url }) => ({
          status: 303,
          headers: {
            location: url.includes('scope=')
              ? '/log-in'
              : 'http://127.0.0.1:49321/callback?error=access_denied&error_description=no+scope',
          },
        }),
      },
      { check: 'authorization-request' },
    ],
    [
      'an expired token is answered with 403',
      {
        [`POST ${mcp}`]: ({ headers }) =>
          headers?.['authorization'] === undefined
            ? { status: 401, headers: { 'www-authenticate': challenge } }
            : { status: 403 },
      },
      { check: 'wrong-token' },
    ],
  ]

  test.each(rows)('%s', async (_name, changes, { check, clients = '' }) => {
    const { faults, verdict } = await examine(changes)
    const fault = faults.find((each) => each.check === check)
    expect(fault).toMatchObject({ status: 'failed', advice: expect.stringMatching(/\w/) })
    expect(fault?.clients.join(', ')).toContain(clients)
    expect(verdict).toBe('broken')
  })
})

test('tools that some clients cannot take are warned about', async () => {
  const tools = [
    tool('a'.repeat(41)),
    { name: 'no_hints', inputSchema: { anyOf: [] } },
    ...Array.from({ length: 129 }, (_, at) => tool(`tool_${at}`)),
  ]
  const { faults, verdict } = await examine(
    {
      [`POST ${mcp}`]: ({ headers, body = '' }) =>
        headers?.['authorization'] === undefined
          ? { status: 401, headers: { 'www-authenticate': challenge } }
          : {
              body: {
                jsonrpc: '2.0',
                id: 1,
                result: body.includes('tools/list') ? { tools } : resultOf(body),
              },
            },
    },
    { token: 'good' },
  )
  const details = faults.filter(({ check }) => check === 'tools').map(({ detail }) => detail)
  expect(details).toHaveLength(4)
  expect(details.join(' ')).toMatch(/longer than 40.*131 tools.*no_hints.*1 tools do not say/)
  expect(verdict).not.toBe('healthy')
})

test('a server that cannot be reached is broken', async () => {
  const diagnosis = await diagnose({
    url: mcp,
    send: () => Promise.reject(new Error('The name mcp.example is not known.')),
  })
  expect(diagnosis).toMatchObject({
    verdict: 'broken',
    findings: [{ check: 'address' }, { check: 'reach', detail: 'The name mcp.example is not known.' }],
  })
})

test.each(['', 'mcp.example', 'ftp://mcp.example', 'not a url'])('%j is no address', async (url) => {
  await expect(examine({}, { url })).rejects.toThrow(RangeError)
})
