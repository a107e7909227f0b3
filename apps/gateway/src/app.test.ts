import { hash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { problemHandler } from '@flamegate/surfaces'
import fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway } from './test-gateway.ts'
import type { TestGateway } from './test-gateway.ts'

const html = { accept: 'text/html,*/*' }

describe('pages', () => {
  let gateway: TestGateway
  let webRoot: string

  beforeAll(async () => {
    webRoot = await mkdtemp(join(tmpdir(), 'flamegate-web-'))
    await mkdir(join(webRoot, 'assets'))
    await writeFile(join(webRoot, 'index.html'), '<title>Flamegate</title>')
    await writeFile(join(webRoot, 'favicon.svg'), '<svg/>')
    await writeFile(join(webRoot, 'assets/main-1a2b.js'), 'run()')
    await writeFile(join(webRoot, 'assets/main-1a2b.js.br'), 'compressed')
    gateway = await startTestGateway('https://flamegate.example', { webRoot })
  })
  afterAll(async () => {
    await gateway.close()
    await rm(webRoot, { recursive: true })
  })

  test.each([
    ['/', html, 'no-cache', 'Flamegate'],
    ['/favicon.svg', {}, 'no-cache', '<svg/>'],
    ['/assets/main-1a2b.js', {}, 'public, max-age=31536000, immutable', 'run()'],
    [
      '/assets/main-1a2b.js',
      { 'accept-encoding': 'br' },
      'public, max-age=31536000, immutable',
      'compressed',
    ],
    ['/projects/prj_1?tab=runs', html, 'no-cache', 'Flamegate'],
  ])('%s', async (url, headers, caching, content) => {
    const response = await gateway.app.inject({ url, headers })
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe(caching)
    expect(response.body).toContain(content)
  })

  test.each([
    ['a script that is not there', '/assets/gone.js', html],
    ['data at an address of a page', '/projects/prj_1', { accept: 'application/json' }],
    ['a way out of the folder', '/../../etc/passwd', {}],
    ['a way out of the folder, encoded', '/%2e%2e/%2e%2e/etc/passwd', {}],
  ])('%s is a problem, not a page', async (_name, url, headers) => {
    const response = await gateway.app.inject({ url, headers })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ code: 'not_found' })
  })

  test('a page may load what is ours, and nobody may frame it', async () => {
    const { headers } = await gateway.app.inject({ url: '/', headers: html })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).toContain("script-src 'self';")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000',
    })
  })

  test('a client that logs in in a window of its own is not parted from it', async () => {
    for (const url of ['/log-in', '/consent/x', '/oauth/authorize?client_id=x', '/oauth/interaction/x']) {
      const { headers } = await gateway.app.inject({ url, headers: html })
      expect(headers).toMatchObject({ 'content-security-policy': expect.any(String) })
      expect(headers).not.toHaveProperty('cross-origin-opener-policy')
    }
  })

  test('whoever typed another name of this machine is led to the one that cookies are of', async () => {
    const local = await startTestGateway('http://127.0.0.1:4170', { webRoot })
    const visit = (host: string, accept = html.accept) =>
      local.app.inject({ url: '/projects/prj_1?tab=runs', headers: { host, accept } })
    expect((await visit('localhost:4170')).headers.location).toBe(
      'http://127.0.0.1:4170/projects/prj_1?tab=runs',
    )
    for (const host of ['127.0.0.1:4170', 'evil.example:4170', 'localhost:9999'])
      expect((await visit(host)).statusCode).toBe(200)
    await local.close()
  })

  test('without a build there is no server', async () => {
    const starting = startTestGateway('https://flamegate.example', { webRoot: join(webRoot, 'assets') })
    await expect(starting).rejects.toThrow(
      'There is no index.html in it. Set it to the folder of the built web UI',
    )
  })
})

describe('documentation', () => {
  const inline = 'document.documentElement.classList.add("dark")'
  let gateway: TestGateway
  let docsRoot: string

  beforeAll(async () => {
    docsRoot = await mkdtemp(join(tmpdir(), 'flamegate-docs-'))
    await mkdir(join(docsRoot, 'assets'))
    await mkdir(join(docsRoot, 'decisions'))
    await writeFile(join(docsRoot, 'index.html'), `<title>Front</title><script id="a">${inline}</script>`)
    await writeFile(join(docsRoot, 'ci.html'), '<title>CI</title>')
    await writeFile(join(docsRoot, 'decisions/index.html'), '<title>Decisions</title>')
    await writeFile(join(docsRoot, '404.html'), '<title>Nothing here</title>')
    await writeFile(join(docsRoot, 'assets/app.1a2b.js'), 'run()')
    gateway = await startTestGateway('https://flamegate.example', { docsRoot })
  })
  afterAll(async () => {
    await gateway.close()
    await rm(docsRoot, { recursive: true })
  })

  test.each([
    ['/docs/', 200, 'no-cache', 'Front'],
    ['/docs/ci', 200, 'no-cache', 'CI'],
    ['/docs/ci.html', 200, 'no-cache', 'CI'],
    ['/docs/decisions/', 200, 'no-cache', 'Decisions'],
    ['/docs/assets/app.1a2b.js', 200, 'public, max-age=31536000, immutable', 'run()'],
    ['/docs/nothing', 404, 'no-cache', 'Nothing here'],
    ['/docs/%2e%2e%2fapp.ts', 404, 'no-cache', 'Nothing here'],
  ])('%s', async (url, status, caching, content) => {
    const response = await gateway.app.inject({ url })
    expect(response.statusCode).toBe(status)
    expect(response.headers['cache-control']).toBe(caching)
    expect(response.body).toContain(content)
  })

  test('/docs leads to the front page, whose own script may run and no other', async () => {
    expect((await gateway.app.inject({ url: '/docs' })).headers.location).toBe('/docs/')
    const { headers } = await gateway.app.inject({ url: '/docs/' })
    const source = `'sha256-${hash('sha256', inline, 'base64')}'`
    expect(headers['content-security-policy']).toContain(`script-src 'self' ${source};`)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  test('without a build, a page says so', async () => {
    const without = await startTestGateway('https://flamegate.example')
    const response = await without.app.inject({ url: '/docs/ci' })
    expect([response.statusCode, response.body]).toEqual([404, expect.stringContaining('npm run docs')])
    await without.close()
  })
})

describe('REST of an API elsewhere', () => {
  let seen: FastifyRequest[]
  let api: FastifyInstance
  let gateway: TestGateway
  let publicUrl: string
  const idleAgents: FastifyReply[] = []

  beforeAll(async () => {
    seen = []
    api = fastify({ bodyLimit: 64 * 1_048_576 })
    api.removeAllContentTypeParsers()
    api.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => ({
      text: body.length < 1_000 ? body.toString() : undefined,
      digest: digest(body),
    }))
    api.all('/v1/*', async (request, reply) => {
      seen.push(request)
      return reply
        .code(201)
        .header('set-cookie', ['a=1', 'b=2'])
        .header('connection', 'keep-alive, x-secret')
        .header('x-secret', '1')
        .header('etag', '"3"')
        .send({ ok: true })
    })
    api.post('/v1/load-generators/:id/leases', (_request, reply) => void idleAgents.push(reply))
    api.all('/scim/v2/*', async ({ body }, reply) => reply.code(201).type('application/scim+json').send(body))
    api.get('/v1/drip', async (_request, reply) =>
      reply.send(
        Readable.from(
          (async function* () {
            yield 'first'
            await new Promise((resolve) => setTimeout(resolve, 100))
            yield 'second'
          })(),
        ),
      ),
    )
    const apiUrl = await api.listen({ host: '127.0.0.1', port: 0 })
    gateway = await startTestGateway('http://localhost', { rest: { apiUrl } })
    publicUrl = await gateway.app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await gateway.close()
    await api.close()
  })

  test('requests and answers pass as they are, but for what belongs to the connection', async () => {
    const response = await fetch(`${publicUrl}/v1/projects?limit=2&x=%20`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer fg_1',
        'x-request-id': 'request-0001',
      },
      body: '{"name": "ä"}',
    })
    expect([response.status, await response.json()]).toEqual([201, { ok: true }])
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.get('etag')).toBe('"3"')
    expect(response.headers.has('x-secret')).toBe(false)
    const last = seen.at(-1)
    expect(last?.url).toBe('/v1/projects?limit=2&x=%20')
    expect(last?.body).toMatchObject({ text: '{"name": "ä"}' })
    expect(last?.headers).toMatchObject({
      authorization: 'Bearer fg_1',
      'x-request-id': 'request-0001',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
    })
  })

  test('nobody outside says who is calling', async () => {
    await fetch(`${publicUrl}/v1/projects`, { headers: { 'x-flamegate-caller': 'made up' } })
    await fetch(`${publicUrl}/v1/projects`, { headers: { 'X-FLAMEGATE-CALLER': 'made up' } })
    for (const { headers } of seen.slice(-2)) expect(headers).not.toHaveProperty('x-flamegate-caller')
  })

  test('what identity providers send is passed on in its own media type', async () => {
    const response = await fetch(`${publicUrl}/scim/v2/Users`, {
      method: 'POST',
      headers: { 'content-type': 'application/scim+json' },
      body: '{"userName":"ada"}',
    })
    expect(response.status).toBe(201)
    expect(response.headers.get('content-type')).toContain('application/scim+json')
    expect(await response.json()).toMatchObject({ text: '{"userName":"ada"}' })
  })

  test('an upload is passed on whole, however large', async () => {
    const content = Buffer.alloc(24 * 1_048_576, 'flame')
    const upload = httpRequest(`${publicUrl}/v1/objects/x`, { method: 'PUT' })
    const answered = new Promise((resolve) => upload.once('response', resolve))
    Readable.from(
      (function* () {
        for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
      })(),
    ).pipe(upload)
    await answered
    expect(seen.at(-1)?.body).toMatchObject({ digest: digest(content) })
  })

  test('an answer arrives while the rest is still being made', async () => {
    const { body } = await fetch(`${publicUrl}/v1/drip`)
    const reader = (body ?? new ReadableStream<Uint8Array>()).getReader()
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('first')
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('second')
  })

  test('agents that wait for work keep no connection from whatever else is asked', async () => {
    // More than there are connections for all else.
    const asked = Array.from({ length: 150 }, (_, agent) =>
      fetch(`${publicUrl}/v1/load-generators/gen_${agent}/leases`, { method: 'POST' }),
    )
    await expect.poll(() => idleAgents.length).toBe(asked.length)
    expect((await fetch(`${publicUrl}/v1/projects`)).status).toBe(201)
    for (const reply of idleAgents) void reply.send({ shard: null })
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('when the API is not there, that is what is said', async () => {
    const alone = await startTestGateway('http://localhost')
    const response = await alone.app.inject('/v1/projects')
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5'])
    expect(response.json()).toMatchObject({ code: 'unavailable' })
    await alone.close()
  })

  test('data is not a page', async () => {
    const { headers } = await gateway.app.inject('/v1/projects')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['content-security-policy']).toContain('sandbox')
  })

  test('an address that nobody has is a problem', async () => {
    const response = await gateway.app.inject({ method: 'POST', url: '/nowhere?code=secret' })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({
      code: 'not_found',
      detail: expect.not.stringContaining('secret'),
    })
  })
})

test('REST of this process stands beside the rest and answers for addresses that nobody has', async () => {
  const callers: unknown[] = []
  const gateway = await startTestGateway('http://localhost', {
    rest: {
      plugin: async (app: FastifyInstance) => {
        app.setErrorHandler(problemHandler('http://localhost/v1/docs'))
        app.get('/v1/runs', async ({ headers }) => {
          callers.push(headers['x-flamegate-caller'])
          return { runs: [] }
        })
        app.setNotFoundHandler((_request, reply) => reply.code(404).send({ code: 'not_found' }))
      },
    },
  })
  const get = (url: string, headers = {}) => gateway.app.inject({ url, headers })
  expect((await get('/v1/runs', { 'x-flamegate-caller': 'made up' })).json()).toEqual({ runs: [] })
  expect(callers).toEqual([undefined])
  expect((await get('/v1/nothing')).json()).toEqual({ code: 'not_found' })
  expect((await get('/healthz')).statusCode).toBe(200)
  expect((await get('/.well-known/oauth-protected-resource/mcp')).json()).toMatchObject({
    resource: 'http://localhost/mcp',
  })
  expect((await get('/metrics')).body).toContain('http_request_duration_seconds')
  await gateway.close()
})

test('open subscriptions do not keep the server from closing', async () => {
  const gateway = await startTestGateway('http://localhost')
  const address = await gateway.app.listen({ host: '127.0.0.1', port: 0 })
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const response = await fetch(`${address}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await gateway.makeToken()}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { _meta: meta, notifications: { toolsListChanged: true } },
    }),
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const rest = text(response.body ?? Readable.from([]))
  await gateway.close()
  expect(await rest).toContain('notifications/subscriptions/acknowledged')
})

function digest(content: Buffer): string {
  return hash('sha256', content)
}
