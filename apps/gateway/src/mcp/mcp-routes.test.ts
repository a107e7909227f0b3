import { gunzipSync } from 'node:zlib'
import { hashSecret } from '@flamegate/auth'
import type { Scope } from '@flamegate/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { plainAnswer, startTestGateway } from '../test-gateway.ts'
import type { TestGateway } from '../test-gateway.ts'

type Json = Record<string, unknown>
type Headers = Record<string, string>
interface Answer {
  id: unknown
  result?: Json
  error?: { code: number; message: string }
}

let gateway: TestGateway
let token: string

beforeAll(async () => {
  gateway = await startTestGateway('http://localhost', {
    allowedOrigins: ['http://inspector.example'],
    allowedHosts: ['gateway.internal'],
  })
  token = await gateway.makeToken()
})
afterAll(() => gateway.close())
beforeEach(() => {
  gateway.calls.length = 0
  gateway.answerWith(plainAnswer)
})

const legacyHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
}
/** The one revision that has batches, which are left to the SDK. */
const batchHeaders = { ...legacyHeaders, 'mcp-protocol-version': '2025-03-26' }
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'a-client', version: '1.0' },
}

function request(method: string, params?: Json, id: unknown = 1): Json {
  return { jsonrpc: '2.0', id, method, ...(params ? { params } : {}) }
}

const toolCall = (name: string, args: Json = {}) => request('tools/call', { name, arguments: args })

function modern(method: string, params: Json & { _meta?: Json } = {}, headers: Headers = {}) {
  const name = params['name']
  return {
    message: request(method, { ...params, _meta: { ...envelope, ...params['_meta'] } }),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
  }
}

async function post(message: unknown, headers: Headers = legacyHeaders) {
  const response = await gateway.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { authorization: `Bearer ${token}`, ...headers },
    payload: typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message),
  })
  const isJson = response.body !== '' && response.headers['content-type']?.toString().includes('json')
  const body = isJson ? response.json<Answer>() : undefined
  const { statusCode: status, headers: answered, body: text } = response
  return { status, headers: answered, text, body, result: body?.result, error: body?.error }
}

const preflight = (origin: string) =>
  gateway.app.inject({ method: 'OPTIONS', url: '/mcp', headers: { origin } })

const postModern = ({ message, headers }: ReturnType<typeof modern>) => post(message, headers)

describe('plain requests are answered without the SDK, in its words', () => {
  const call = { name: 'find_tools', arguments: { query: 'flame' } }
  const rows: [string, string, (Json & { _meta?: Json }) | undefined][] = [
    ['ping', 'ping', undefined],
    ['tools/list', 'tools/list', undefined],
    ['tools/list with _meta', 'tools/list', { _meta: { progressToken: 7, 'a.client/turn': 'x' } }],
    ['tools/call', 'tools/call', call],
    ['tools/call without arguments', 'tools/call', { name: 'find_tools' }],
  ]

  test.each(rows)('%s of 2025-11-25', async (_name, method, params) => {
    const plain = await post(request(method, params))
    expect(plain.status).toBe(200)
    // A batch of one is left to the SDK.
    const bySdk = await post([request(method, params)], batchHeaders)
    expect(bySdk.body).toEqual([plain.body])
  })

  test.each(rows.filter(([, method]) => method !== 'ping'))(
    '%s of 2026-07-28',
    async (_name, method, params) => {
      const plain = await postModern(modern(method, params))
      expect(plain.status).toBe(200)
      // A log level is left to the SDK.
      const logged = {
        ...params,
        _meta: { ...params?.['_meta'], 'io.modelcontextprotocol/logLevel': 'info' },
      }
      const bySdk = await postModern(modern(method, logged))
      expect(withoutIcons(plain.body)).toEqual(withoutIcons(bySdk.body))
    },
  )

  test.each([
    ['a string', 'a "quoted" id'],
    ['zero', 0],
    ['a negative number', -3],
  ])('the id comes back as it came: %s', async (_name, id) => {
    expect((await post(request('ping', undefined, id))).body).toEqual({ jsonrpc: '2.0', id, result: {} })
  })

  test('tools/list is compressed for a client that takes gzip', async () => {
    const message = request('tools/list', undefined, 'an "id" with ü')
    const plain = await post(message)
    const response = await gateway.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { authorization: `Bearer ${token}`, ...legacyHeaders, 'accept-encoding': 'gzip, deflate' },
      payload: JSON.stringify(message),
    })
    expect(response.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(response.headers['content-length']).toBe(String(response.rawPayload.length))
    expect(response.rawPayload.length).toBeLessThan(plain.text.length / 3)
    expect(gunzipSync(response.rawPayload).toString()).toBe(plain.text)
  })

  test('a call reaches the API with what was sent, and with who called', async () => {
    await post(request('tools/call', call), { ...legacyHeaders, 'x-request-id': 'request-0001' })
    expect(gateway.calls).toEqual([
      {
        operation: 'find_tools',
        input: { query: 'flame' },
        origin: {
          requestId: 'request-0001',
          ip: '127.0.0.1',
          principal: expect.objectContaining({ userId: 'usr_ada', clientName: 'An agent', scopes: ['read'] }),
        },
      },
    ])
  })

  test.each([
    ['of a tool', { name: 'get_usage', arguments: null }],
    [
      'of a tool that is called by another',
      { name: 'call_tool', arguments: { name: 'get_usage', arguments: null } },
    ],
  ])('arguments %s that are null are none', async (_what, params) => {
    await post(request('tools/call', params))
    expect(gateway.calls).toMatchObject([{ operation: 'get_usage', input: {} }])
  })

  test('bytes from the API are passed on as they are', async () => {
    const body = '{"content":[{"type":"text","text":"ü\\u00fc €"}], "isError": true}'
    gateway.answerWith({ status: 404, body: Buffer.from(body) })
    expect((await post(request('tools/call', call))).text).toBe(`{"jsonrpc":"2.0","id":1,"result":${body}}`)
    const { text, result } = await postModern(modern('tools/call', call))
    expect(text.endsWith(`,${body.slice(1)}}`)).toBe(true)
    expect(result).toMatchObject({
      resultType: 'complete',
      isError: true,
      content: [{ type: 'text', text: 'üü €' }],
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'flamegate' } },
    })
  })
})

function withoutIcons(body: Answer | undefined): unknown {
  return JSON.parse(JSON.stringify(body), (key: string, value: unknown) =>
    key === 'icons' || key === 'websiteUrl' ? undefined : value,
  )
}

describe('everything else of 2025-11-25', () => {
  test('initialize tells who we are, as JSON', async () => {
    const { status, headers, result } = await post(
      request('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'a-client', version: '1.0' },
      }),
    )
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    expect(headers['mcp-session-id']).toBeUndefined()
    expect(result).toMatchObject({
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'flamegate', title: 'Flamegate' },
      capabilities: { tools: {} },
      instructions: expect.stringContaining('find_tools'),
    })
  })

  test('what does not fit its method is the mistake of who sent it, and the fields are named', async () => {
    const { error } = await post(request('initialize', { protocolVersion: 5 }))
    expect(error?.code).toBe(-32_602)
    expect(error?.message).toMatch(
      /^Invalid params for initialize\. params\.protocolVersion: .*params\.capabilities: /,
    )
  })

  test.each(['[', '{"a":'])('a message that is nested without end is not read: %s', async (open) => {
    const close = open === '[' ? ']' : '}'
    const nested = `${open.repeat(50_000)}1${close.repeat(50_000)}`
    const deep = await post(`{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":${nested}}`)
    expect([deep.status, deep.error?.code]).toEqual([400, -32_700])
    expect(deep.error?.message).toContain('nested')
    // Brackets in a text nest nothing.
    const text = await post(request('ping', { _meta: { note: `\\"${'['.repeat(1_000)}` } }))
    expect(text.result).toEqual({})
  })

  test('a notification is accepted without an answer', async () => {
    const { status, text } = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([status, text]).toEqual([202, ''])
  })

  test.each([
    ['says that it takes anything', { accept: '*/*' }],
    ['says nothing of what it takes', {}],
  ])('a client that %s is answered', async (_what, accept) => {
    const { accept: _named, ...headers } = legacyHeaders
    // Both by ourselves and through the SDK.
    for (const method of ['tools/list', 'resources/list'])
      expect(await post(request(method), { ...headers, ...accept })).toMatchObject({
        status: 200,
        result: {},
      })
  })

  test('logging/setLevel is accepted', async () => {
    expect((await post(request('logging/setLevel', { level: 'info' }))).result).toEqual({})
  })

  test('a batch is answered as a batch', async () => {
    const { text } = await post([request('ping', undefined, 1), request('ping', undefined, 2)], batchHeaders)
    expect(JSON.parse(text)).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: {} },
    ])
  })

  test.each<[string, unknown, Headers, number, number]>([
    ['an unknown method', request('tools/destroy'), {}, 200, -32_601],
    ['an unknown tool', request('tools/call', { name: 'no_such_tool' }), {}, 200, -32_602],
    ['a tool without a name', request('tools/call', { arguments: {} }), {}, 200, -32_602],
    [
      'arguments that are a list',
      request('tools/call', { name: 'find_tools', arguments: [] }),
      {},
      200,
      -32_602,
    ],
    ['a cursor we never gave', request('tools/list', { cursor: 'x' }), {}, 200, -32_602],
    ['no jsonrpc', { id: 1, method: 'ping' }, {}, 400, -32_600],
    ['an id that is no id', request('ping', undefined, { a: 1 }), {}, 400, -32_600],
    ['a number as message', 7, {}, 400, -32_600],
    [
      'a version that never was',
      request('tools/list'),
      { 'mcp-protocol-version': '1999-01-01' },
      400,
      -32_000,
    ],
    ['a client that takes no streams', request('tools/list'), { accept: 'application/json' }, 406, -32_000],
    ['a body that is no JSON', '{"jsonrpc":', {}, 400, -32_700],
    ['no body', '', {}, 400, -32_700],
    ['a body that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), {}, 400, -32_700],
    ['a body that is no application/json', 'x', { 'content-type': 'text/plain' }, 415, -32_000],
    ['a body over 4 MiB', `"${'x'.repeat(4 * 1_048_576)}"`, {}, 413, -32_000],
  ])('%s', async (_name, message, headers, status, code) => {
    const answer = await post(message, { ...legacyHeaders, ...headers })
    expect([answer.status, answer.error?.code]).toEqual([status, code])
    expect(gateway.calls).toEqual([])
  })
})

describe('everything else of 2026-07-28', () => {
  test('server/discover tells who we are', async () => {
    const { status, result } = await postModern(modern('server/discover'))
    expect(status).toBe(200)
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: expect.any(Number),
      cacheScope: 'private',
    })
  })

  test('tools/list says how long it may be kept', async () => {
    const { result } = await postModern(modern('tools/list'))
    expect(result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' })
  })

  const call = { name: 'find_tools', arguments: {} }
  test.each<[string, ReturnType<typeof modern>, number, number]>([
    ['an unknown method', modern('tools/destroy'), 404, -32_601],
    ['ping, which is gone', modern('ping'), 404, -32_601],
    ['an unknown tool', modern('tools/call', { name: 'no_such_tool' }), 200, -32_602],
    ['Mcp-Method of another method', modern('tools/list', {}, { 'mcp-method': 'tools/call' }), 400, -32_020],
    ['Mcp-Name of another tool', modern('tools/call', call, { 'mcp-name': 'get_run' }), 400, -32_020],
    [
      'another version in the header',
      modern('tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }),
      400,
      -32_020,
    ],
    [
      'a version that is not there yet',
      modern(
        'tools/list',
        { _meta: { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } },
        { 'mcp-protocol-version': '2027-01-01' },
      ),
      400,
      -32_022,
    ],
    [
      'no capabilities',
      modern('tools/list', { _meta: { 'io.modelcontextprotocol/clientCapabilities': undefined } }),
      400,
      -32_602,
    ],
    [
      'a client without a version',
      modern('tools/list', { _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'x' } } }),
      400,
      -32_602,
    ],
    ['no envelope', { message: request('tools/list'), headers: modern('tools/list').headers }, 400, -32_602],
  ])('%s', async (_name, message, status, code) => {
    const answer = await postModern(message)
    expect([answer.status, answer.error?.code]).toEqual([status, code])
    expect(gateway.calls).toEqual([])
  })

  test.each(['mcp-method', 'mcp-name', 'mcp-protocol-version'])('%s must be there', async (name) => {
    const { message, headers } = modern('tools/call', call)
    const { [name]: _left, ...others } = headers as Headers
    const answer = await post(message, others)
    expect([answer.status, answer.error?.code]).toEqual([400, -32_020])
  })

  test('an Mcp-Name in Base64 is read', async () => {
    const headers = { 'mcp-name': `=?base64?${btoa('find_tools')}?=` }
    expect((await postModern(modern('tools/call', call, headers))).status).toBe(200)
    expect(gateway.calls).toHaveLength(1)
  })
})

describe('who may come in', () => {
  const metadata = 'http://localhost/.well-known/oauth-protected-resource/mcp'

  test.each(['GET', 'HEAD', 'POST', 'DELETE', 'PUT'] as const)(
    '%s without a token says where to get one',
    async (method) => {
      const response = await gateway.app.inject({ method, url: '/mcp' })
      expect(response.statusCode).toBe(401)
      expect(response.headers['www-authenticate']).toBe(
        `Bearer scope="read", resource_metadata="${metadata}"`,
      )
    },
  )

  test.each(['GET', 'HEAD', 'DELETE', 'PUT'] as const)('%s with a token is not allowed', async (method) => {
    const response = await gateway.app.inject({
      method,
      url: '/mcp',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    expect([response.statusCode, response.headers['allow']]).toEqual([405, 'POST'])
  })

  test('a token for REST is not one for MCP', async () => {
    const authorization = `Bearer ${await gateway.makeToken({ audience: 'http://localhost/v1' })}`
    const { status, headers } = await post(request('ping'), { ...legacyHeaders, authorization })
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toContain('error="invalid_token"')
  })

  test('the token is asked for before the body is looked at', async () => {
    const { status } = await post('not json', { ...legacyHeaders, authorization: 'Bearer x' })
    expect(status).toBe(401)
  })

  test('a session cookie and a made-up assertion do not count', async () => {
    const response = await gateway.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { ...legacyHeaders, cookie: 'flamegate_session=x', 'x-flamegate-caller': 'x' },
      payload: request('ping'),
    })
    expect(response.statusCode).toBe(401)
  })

  test('a 401 of the API is ours: the grant was revoked meanwhile', async () => {
    gateway.answerWith({ status: 401, body: '{"content":[],"isError":true}' })
    const call = request('tools/call', { name: 'find_tools', arguments: {} })
    // Both by ourselves and through the SDK.
    const answers = await Promise.all([post(call), post([call], batchHeaders)])
    for (const { status, headers } of answers) {
      expect(status).toBe(401)
      expect(headers['www-authenticate']).toContain('error="invalid_token"')
    }
  })

  describe('a 403 of the API', () => {
    const refusal = '{"content":[{"type":"text","text":"no"}],"isError":true}'
    const call = request('tools/call', { name: 'delete_project', arguments: {} })

    test('for want of a scope asks for more: what there is and what is needed', async () => {
      gateway.answerWith({ status: 403, body: refusal })
      // Both by ourselves and through the SDK.
      const answers = await Promise.all([post(call), post([call], batchHeaders)])
      for (const { status, headers } of answers) {
        expect(status).toBe(403)
        expect(headers['www-authenticate']).toMatch(
          /error="insufficient_scope".* scope="read (?:write|admin)"/,
        )
      }
    })

    test('for another reason is a result that says so', async () => {
      gateway.answerWith({ status: 403, body: refusal })
      const scopes: Scope[] = ['read', 'write', 'admin']
      const authorization = `Bearer ${await gateway.makeToken({ scopes })}`
      const { status, result } = await post(call, { ...legacyHeaders, authorization })
      expect(status).toBe(200)
      expect(result).toMatchObject({ isError: true })
    })

    test('to an API token, which cannot grow, is a result too', async () => {
      gateway.answerWith({ status: 403, body: refusal })
      gateway.identity.addApiToken(hashSecret('fg_test'), {
        id: 'tok_1',
        name: 'CI',
        userId: 'usr_ada',
        workspaceId: 'ws_1',
        scopes: ['read'],
        expiresAt: null,
      })
      const { status, result } = await post(call, { ...legacyHeaders, authorization: 'Bearer fg_test' })
      expect(status).toBe(200)
      expect(result).toMatchObject({ isError: true })
    })
  })

  describe('an API token that was just refused for calling too much', () => {
    const refusal = { content: [{ type: 'text', text: 'Wait 3 s (rate_limited)' }], isError: true }
    const secret = hashSecret('fg_hasty')
    const hasty = { ...legacyHeaders, authorization: 'Bearer fg_hasty' }

    beforeEach(async () => {
      vi.useFakeTimers({ toFake: ['Date'] })
      gateway.identity.addApiToken(secret, {
        id: `tok_${Date.now()}`,
        name: 'CI',
        userId: 'usr_ada',
        workspaceId: 'ws_1',
        scopes: ['read'],
        expiresAt: null,
      })
      gateway.answerWith({ status: 429, body: JSON.stringify(refusal), callerLimit: 'user' })
      await post(toolCall('list_runs'), hasty)
      gateway.answerWith(plainAnswer)
      gateway.calls.length = 0
    })
    afterEach(() => {
      gateway.identity.removeApiToken(secret)
      vi.useRealTimers()
      vi.restoreAllMocks()
    })

    test('is told the same for a second, in either era, and neither looked up nor passed on', async () => {
      const lookUp = vi.spyOn(gateway.identity, 'findApiToken')
      vi.advanceTimersByTime(999)
      expect(await post(toolCall('list_runs', { limit: 7 }), hasty)).toMatchObject({
        status: 200,
        result: refusal,
      })
      const { message, headers } = modern('tools/call', { name: 'list_runs', arguments: {} })
      const told = await post(message, { ...headers, authorization: hasty.authorization })
      expect(told.result).toMatchObject({ ...refusal, resultType: 'complete' })
      expect(lookUp).not.toHaveBeenCalled()
      expect(gateway.calls).toEqual([])
      vi.advanceTimersByTime(1)
      expect((await post(toolCall('list_runs'), hasty)).result).not.toEqual(refusal)
      expect(lookUp).toHaveBeenCalledOnce()
    })

    test('is looked up for everything else', async () => {
      const lookUp = vi.spyOn(gateway.identity, 'findApiToken')
      const others = [
        toolCall('get_usage'),
        toolCall('call_tool', { name: 'get_usage', arguments: {} }),
        toolCall('no_such_tool'),
        request('tools/list'),
        request('ping'),
      ]
      for (const message of others) expect((await post(message, hasty)).result).not.toEqual(refusal)
      expect(lookUp).toHaveBeenCalledTimes(others.length)
    })

    test('gets nothing but that refusal when it is revoked', async () => {
      gateway.identity.removeApiToken(secret)
      expect((await post(toolCall('list_runs'), hasty)).result).toEqual(refusal)
      for (const message of [toolCall('get_usage'), request('tools/list'), request('ping')])
        expect((await post(message, hasty)).status).toBe(401)
      vi.advanceTimersByTime(1_000)
      expect((await post(toolCall('list_runs'), hasty)).status).toBe(401)
      expect(gateway.calls).toEqual([])
    })
  })

  test('a revoked grant stops at once', async () => {
    const authorization = `Bearer ${await gateway.makeToken({ grantId: 'grant-2' })}`
    expect((await post(request('ping'), { ...legacyHeaders, authorization })).status).toBe(200)
    await gateway.identity.oauth.revokeGrant('grant-2')
    expect((await post(request('ping'), { ...legacyHeaders, authorization })).status).toBe(401)
  })
})

describe('where it may come from', () => {
  const from = (headers: Headers) => post(request('ping'), { ...legacyHeaders, ...headers })

  test.each<[string, Headers, number]>([
    ['our own page', { origin: 'http://localhost' }, 200],
    ['a page that was allowed', { origin: 'http://inspector.example' }, 200],
    ['another page', { origin: 'https://evil.example' }, 403],
    ['a page on another port', { origin: 'http://localhost:8080' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    ['another name of this machine', { host: '127.0.0.1:80' }, 200],
    ['a name that was allowed', { host: 'gateway.internal:4170' }, 200],
    ['another name', { host: 'evil.example' }, 403],
    ['our name with somebody before it', { host: 'ada:secret@localhost' }, 403],
    ['a name that only looks like ours', { host: 'localhost.evil.example' }, 403],
  ])('%s', async (_name, headers, status) => {
    expect((await from(headers)).status).toBe(status)
  })

  test('a page that was allowed may read the answer and the challenge', async () => {
    const { headers } = await post(request('ping'), {
      ...legacyHeaders,
      origin: 'http://inspector.example',
      authorization: '',
    })
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'http://inspector.example',
      'access-control-expose-headers': expect.stringContaining('www-authenticate'),
      vary: 'origin',
    })
  })

  test('a browser may ask before it sends', async () => {
    const allowed = await preflight('http://inspector.example')
    expect(allowed.statusCode).toBe(204)
    expect(allowed.headers['access-control-allow-headers']).toMatch(
      /authorization.*mcp-protocol-version.*mcp-method.*mcp-name/,
    )
    expect((await preflight('https://evil.example')).statusCode).toBe(403)
  })

  test('a page that was allowed may repeat arguments in headers, whatever their names, and no other headers', async () => {
    const { headers } = await gateway.app.inject({
      method: 'OPTIONS',
      url: '/mcp',
      headers: {
        origin: 'http://inspector.example',
        'access-control-request-headers':
          'content-type, Mcp-Param-Region, x-forwarded-for, mcp-param-a\u00e4',
      },
    })
    const allowed = String(headers['access-control-allow-headers']).split(', ')
    expect(allowed).toContain('mcp-param-region')
    expect(allowed).toContain('x-mcp-toolsets')
    expect(allowed.filter((name) => /forwarded|[^a-z-]/.test(name))).toEqual([])
  })
})

test('calls are counted under their grant, all of them by the time the server has closed', async () => {
  const counted = await startTestGateway('http://localhost')
  const authorization = `Bearer ${await counted.makeToken({ grantId: 'grant-9' })}`
  const payload = request('tools/call', { name: 'find_tools', arguments: {} })
  for (let call = 0; call < 3; call += 1) {
    await counted.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { ...legacyHeaders, authorization },
      payload,
    })
  }
  await counted.close()
  expect(counted.identity.countUse('grant-9')).toBe(3)
})
