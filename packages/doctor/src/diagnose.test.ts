import { describe, expect, test } from 'vitest'
import { diagnose } from './diagnose.ts'
import type { Sent, SentRequest } from './exchange.ts'

const mcp = 'https://mcp.example/mcp'
const resourceMetadata = 'https://mcp.example/.well-known/oauth-protected-resource/mcp'
const serverMetadata = 'https://auth.example/.well-known/oauth-authorization-server'
const challenge = `Bearer resource_metadata="${resourceMetadata}", scope="read"`

type Answer = Partial<Omit<Sent, 'body'>> & { body?: unknown }
type Routes = Record<string, Answer | ((request: SentRequest) => Answer)>

const registeredAs = (client_id: string): Answer => ({ status: 201, body: { client_id } })

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

function redirectOf(authorizationUrl: string): string | null {
  return new URL(authorizationUrl).searchParams.get('redirect_uri')
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
  expect(requests.filter((each) => each.startsWith('POST https://auth.example/register'))).toHaveLength(1)
  expect(requests.filter((each) => each.startsWith('DELETE'))).toHaveLength(1)
})

describe('registering', () => {
  const endpoint = 'POST https://auth.example/register'

  test('one client stands for every family, where the server takes all redirects at once', async () => {
    const { findings, requests } = await examine({})
    expect(requests.filter((each) => each === endpoint)).toHaveLength(1)
    const able = findings.filter(({ check, status }) => check === 'registration' && status === 'ok')
    expect(able.map(({ title }) => title)).toEqual([
      'Gemini CLI, opencode, mcporter can register',
      'Codex, Claude Code, mcp-remote, MCP Inspector can register',
      'VS Code can register',
      'Cursor can register',
      'Claude can register',
      'ChatGPT can register',
    ])
  })

  test('where that is refused, each form is tried by itself, and only the refused one is blamed', async () => {
    const { faults, findings } = await examine({
      [endpoint]: ({ body = '' }) =>
        body.includes('cursor://')
          ? { status: 400, body: { error_description: 'must only contain web uris' } }
          : registeredAs('c1'),
    })
    expect(faults).toMatchObject([
      {
        check: 'registration',
        clients: ['Cursor'],
        detail: expect.stringContaining('only contain web uris'),
      },
    ])
    expect(findings.some(({ check }) => check === 'authorization-request')).toBe(true)
  })

  test('redirects that the server leaves out without a word are missed', async () => {
    const { faults } = await examine({
      [endpoint]: ({ body = '' }) => {
        const kept = JSON.parse(body).redirect_uris.filter((uri: string) => !uri.includes('chatgpt.com'))
        return { status: 201, body: { client_id: 'c1', redirect_uris: kept } }
      },
    })
    expect(faults).toMatchObject([{ check: 'registration', clients: ['ChatGPT'] }])
  })

  test('what the server does not let us remove is named', async () => {
    const { findings, verdict } = await examine({ [endpoint]: registeredAs('kept-for-ever') })
    expect(findings.at(-1)).toMatchObject({
      check: 'left-behind',
      status: 'skipped',
      detail: expect.stringContaining('kept-for-ever'),
    })
    expect(verdict).toBe('healthy')

    const refusing = await examine({ 'DELETE https://auth.example/register/c1': { status: 403 } })
    expect(refusing.findings.at(-1)?.detail).toContain('c1 (DELETE was answered with 403)')
  })

  test('a server that asks for a token first is tried once, and too many requests are no fault', async () => {
    const closed = await examine({ [endpoint]: { status: 401 } })
    expect(closed.requests.filter((each) => each === endpoint)).toHaveLength(1)
    expect(closed.faults).toMatchObject([
      { check: 'registration', advice: expect.stringContaining('without a token') },
    ])

    const busy = await examine({ [endpoint]: { status: 429 } })
    expect(busy.faults).toEqual([])
    expect(busy.findings.find(({ check }) => check === 'registration')).toMatchObject({ status: 'skipped' })
  })

  test('VS Code asks for device codes only where the server offers them', async () => {
    const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code'
    const asked: string[] = []
    const listen: Routes = {
      [endpoint]: ({ body = '' }) => {
        asked.push(body)
        return registeredAs('c1')
      },
    }
    await examine(listen)
    await examine({
      ...listen,
      [`GET ${serverMetadata}`]: {
        headers: cors,
        body: { ...goodServer, grant_types_supported: [...goodServer.grant_types_supported, deviceCode] },
      },
    })
    expect(asked.map((body) => body.includes(deviceCode))).toEqual([false, true])
  })
})

function silence(): never {
  throw new Error('The other side took too long.')
}

async function saidAtSilenceOf(route: string): Promise<string[]> {
  const { faults } = await examine({ [route]: silence })
  return faults.map(({ detail }) => detail)
}

describe('a request without an answer', () => {
  test('is a finding, and the examination goes on', async () => {
    const { faults, findings } = await examine({ [`GET ${mcp}`]: silence }, { token: 'good' })
    expect(faults).toMatchObject([
      {
        check: 'probe-get',
        detail: 'GET was not answered: The other side took too long.',
        clients: ['Codex', 'mcp-remote'],
      },
    ])
    expect(findings.find(({ check }) => check === 'call')).toMatchObject({ status: 'ok' })
  })

  test('at a registration, a metadata document or a log-in names the place', async () => {
    expect(await saidAtSilenceOf('POST https://auth.example/register')).toEqual([
      'It was not answered: The other side took too long.',
    ])
    expect((await saidAtSilenceOf(`GET ${resourceMetadata}`)).join(' ')).toContain(
      `${resourceMetadata} was not answered`,
    )
    expect((await saidAtSilenceOf('GET https://auth.example/authorize')).join(' ')).toContain(
      'It was not answered',
    )
  })
})

describe('how far an answer is read', () => {
  const stream = { 'content-type': 'text/event-stream' }

  /** At which piece of an answer to `method` the doctor has enough; -1 when it would read on. */
  async function enoughAt(
    method: SentRequest['method'],
    pieces: string[],
    headers: Sent['headers'] = stream,
  ) {
    let at: number | undefined
    await diagnose({
      url: mcp,
      async send(request) {
        if (request.method === method && request.url === mcp) {
          at ??= ['', ...pieces].findIndex((piece) => request.isEnough(headers, piece))
        }
        return { status: 401, headers: { 'www-authenticate': challenge }, body: '' }
      },
    })
    return at
  }

  test('a probe is over with its headers', async () => {
    expect(await enoughAt('GET', ['data: 1'])).toBe(0)
    expect(await enoughAt('HEAD', [])).toBe(0)
  })

  test('a stream is read up to the end of the answer, behind empty events and notifications', async () => {
    const first = 'id: 1\ndata: \n\n'
    const notification = 'data: {"method":"notifications/progress"}\n\n'
    expect(await enoughAt('POST', [first, notification, 'data: {"result":{}}\n\n', 'never read'])).toBe(3)
    expect(await enoughAt('POST', [first, 'data: {"res', 'ult":{}}\r\n\r', '\n'])).toBe(4)
    expect(await enoughAt('POST', [first, notification, 'data: {"result":{}}'])).toBe(-1)
    expect(await enoughAt('POST', ['{"result":{}}\n\n'], { 'content-type': 'application/json' })).toBe(-1)
  })
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

test('a server with sessions is spoken with in one, by the revision that it knows, and told that it is over', async () => {
  const open = new Map<string, string[]>()
  const { faults, verdict } = await examine({
    [`POST ${mcp}`]({ headers = {}, body = '' }) {
      const { id, method } = JSON.parse(body)
      if (method === 'initialize') {
        const session = `s${open.size}`
        open.set(session, [])
        return {
          headers: { 'mcp-session-id': session },
          body: { jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18' } },
        }
      }
      const said = open.get(headers['mcp-session-id'] ?? '')
      if (said === undefined || headers['mcp-protocol-version'] !== '2025-06-18') return { status: 400 }
      said.push(method)
      if (method === 'notifications/initialized') return { status: 202 }
      return said[0] === 'notifications/initialized'
        ? { body: { jsonrpc: '2.0', id, result: resultOf(body) } }
        : { status: 400 }
    },
    [`DELETE ${mcp}`]({ headers = {} }) {
      open.get(headers['mcp-session-id'] ?? '')?.push('over')
      return { status: 204 }
    },
  })
  expect(faults.map(({ check }) => check)).toEqual(['modern'])
  expect(verdict).toBe('stumbles')
  expect([...open.values()]).toEqual([
    ['over'],
    ['notifications/initialized', 'tools/list', 'tools/call', 'over'],
  ])
})

test('where only initialize asks for no token, the rest is asked with it', async () => {
  const { verdict } = await examine(
    {
      [`POST ${mcp}`]: ({ headers, body = '' }) =>
        body.includes('"initialize"') || headers?.['authorization'] === 'Bearer good'
          ? { body: { jsonrpc: '2.0', id: 1, result: resultOf(body) } }
          : { status: 401 },
    },
    { token: 'good' },
  )
  expect(verdict).toBe('healthy')
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
      'the metadata is for another server',
      {
        [`GET ${resourceMetadata}`]: {
          headers: cors,
          body: { resource: 'https://other.example/mcp', authorization_servers: ['https://auth.example'] },
        },
      },
      { check: 'resource-metadata', clients: 'every client' },
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
      'an issuer with a slash at the end',
      {
        [`GET ${serverMetadata}`]: {
          headers: cors,
          body: { ...goodServer, issuer: 'https://auth.example/' },
        },
      },
      { check: 'authorization-server', clients: 'clients on the official SDK' },
    ],
    [
      'another issuer',
      {
        [`GET ${serverMetadata}`]: {
          headers: cors,
          body: { ...goodServer, issuer: 'https://else.example' },
        },
      },
      { check: 'authorization-server', clients: 'every client' },
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
          body.includes('/callback')
            ? { status: 400, body: { error: 'invalid_redirect_uri' } }
            : registeredAs('c1'),
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
              : `${redirectOf(url)}?error=access_denied&error_description=no+scope`,
          },
        }),
      },
      { check: 'authorization-request' },
    ],
    [
      'only the port that was registered is taken',
      {
        'GET https://auth.example/authorize': ({ url }) => ({
          status: redirectOf(url)?.includes(':49320/') ? 200 : 400,
        }),
      },
      { check: 'authorization-request', clients: 'Claude Code, Codex, VS Code' },
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

function forPages({ headers }: SentRequest, body: unknown): Answer {
  return { body, headers: headers?.['origin'] === undefined ? {} : cors }
}

describe('a weakness is a warning, with the clients that it is about', () => {
  const withServer = (changes: object): Routes => ({
    [`GET ${serverMetadata}`]: { headers: cors, body: { ...goodServer, ...changes } },
  })
  const rows: [name: string, changes: Routes, check: string, clients: string[]][] = [
    [
      'no CORS on the resource metadata',
      {
        [`GET ${resourceMetadata}`]: {
          body: { resource: mcp, authorization_servers: ['https://auth.example'] },
        },
      },
      'resource-metadata-cors',
      ['MCP Inspector'],
    ],
    [
      'no CORS on the server metadata',
      { [`GET ${serverMetadata}`]: { body: goodServer } },
      'server-cors',
      ['MCP Inspector'],
    ],
    [
      'many scopes',
      withServer({ scopes_supported: ['a', 'b', 'c', 'd', 'e'] }),
      'server-scopes',
      ['Gemini CLI'],
    ],
    [
      'no scope in the 401',
      {
        [`POST ${mcp}`]: {
          status: 401,
          headers: {
            'www-authenticate': `Bearer resource_metadata="${resourceMetadata}", error="invalid_token"`,
          },
        },
      },
      'challenge',
      ['Claude Code', 'Codex', 'opencode', 'mcp-remote', 'mcporter', 'MCP Inspector'],
    ],
    [
      'secrets or signed assertions only',
      withServer({ token_endpoint_auth_methods_supported: ['private_key_jwt'] }),
      'public-clients',
      [
        'VS Code',
        'Cursor',
        'Gemini CLI',
        'opencode',
        'mcp-remote',
        'mcporter',
        'MCP Inspector',
        'Claude',
        'Claude Code',
        'Codex',
      ],
    ],
  ]

  test.each(rows)('%s', async (_name, changes, check, clients) => {
    const { faults, verdict } = await examine(changes)
    expect(faults).toMatchObject([{ check, status: 'warning', clients }])
    expect(verdict).toBe('stumbles')
  })

  test('CORS headers that are there for pages alone are seen', async () => {
    const { faults } = await examine({
      [`GET ${resourceMetadata}`]: (request) =>
        forPages(request, { resource: mcp, authorization_servers: ['https://auth.example'] }),
      [`GET ${serverMetadata}`]: (request) => forPages(request, goodServer),
    })
    expect(faults).toEqual([])
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
