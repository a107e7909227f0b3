import { createServer as createTlsServer } from 'node:https'
import { createServer as createNetServer } from 'node:net'
import { deflateRawSync, deflateSync, brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { TargetRefused } from '../ports.ts'
import type { ActionResult } from '../ports.ts'
import { loopbackGate, run } from '../testing/run.ts'
import type { RunOptions } from '../testing/run.ts'
import { selfSignedCertificate } from '../testing/self-signed-certificate.ts'
import { echo, portOf, startTestServer } from '../testing/test-server.ts'
import type { Routes, TestServer } from '../testing/test-server.ts'

const html = (text: string) => ({ headers: { 'content-type': 'text/html' }, text })
const page =
  html(`<!doctype html><base href="/sub/"><link rel=stylesheet href="a.css"><script src="/b.js"></script>
  <img src="c.png"><img src="c.png"><img src="http://elsewhere.example/d.png"><a href="/no">no</a>`)

let slowest = 0
let running = 0
const resource: Routes[string] = (_request, response) => {
  slowest = Math.max(slowest, ++running)
  setTimeout(() => {
    running--
    response.end('x')
  }, 30)
}

const routes: Routes = {
  '/echo': echo,
  '/gzip': (_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('packed')),
  '/br': (_request, response) =>
    response.setHeader('content-encoding', 'br').end(brotliCompressSync('packed')),
  '/zstd': (_request, response) =>
    response.setHeader('content-encoding', 'zstd').end(zstdCompressSync('packed')),
  '/deflate': (_request, response) =>
    response.setHeader('content-encoding', 'deflate').end(deflateSync('packed')),
  '/raw-deflate': (_request, response) =>
    response.setHeader('content-encoding', 'deflate').end(deflateRawSync('packed')),
  '/twice': (_request, response) =>
    response.setHeader('content-encoding', 'gzip, br').end(brotliCompressSync(gzipSync('packed'))),
  '/unknown': (_request, response) => response.setHeader('content-encoding', 'utf-8').end('plain'),
  '/within': (_request, response) =>
    response.setHeader('content-encoding', 'aws-chunked, gzip').end(gzipSync('packed')),
  '/around': (_request, response) => response.setHeader('content-encoding', 'br, none').end('plain'),
  '/garbled': (_request, response) => response.setHeader('content-encoding', 'gzip').end('no gzip'),
  '/bomb': (_request, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(70_000_000))),
  '/chunked': (_request, response) => {
    response.write('one ')
    response.end('two')
  },
  '/latin1': (_request, response) =>
    response.setHeader('content-type', 'text/plain; charset=iso-8859-1').end(Buffer.from('café', 'latin1')),
  '/png': (_request, response) =>
    response.setHeader('content-type', 'image/png').end(Buffer.from([137, 80, 0, 255])),
  '/204': (_request, response) => response.writeHead(204).end(),
  '/304': (_request, response) => response.writeHead(304).end(),
  '/status': (request, response) => response.writeHead(Number(request.url?.split('?')[1])).end('so'),
  '/to': (request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams
    response
      .writeHead(Number(query.get('status') ?? 302), { location: query.get('url') ?? '' })
      .end('see there')
  },
  '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/hop': (_request, response) =>
    response.writeHead(302, { location: '/echo?code=c0de', 'x-hop': 'h1' }).end(),
  '/login': (_request, response) =>
    response
      .setHeader('set-cookie', ['sid=s1; HttpOnly; Path=/', 'far=1; Domain=co.uk', 'deep=1; Path=/deep'])
      .end(),
  '/silent': () => {},
  '/slow': (_request, response) => {
    response.write('a')
    setTimeout(() => response.end('b'), 60)
  },
  '/endless': (_request, response) => {
    const block = Buffer.alloc(1_000_000)
    const more = setInterval(() => {
      if (response.destroyed || response.socket === null) clearInterval(more)
      else if (!response.writableNeedDrain) for (let count = 0; count < 10; count++) response.write(block)
    }, 1)
  },
  '/fresh': (_request, response) => response.setHeader('cache-control', 'max-age=60').end('kept'),
  '/tagged': (request, response) => {
    response
      .setHeader('etag', '"v1"')
      .setHeader('cache-control', 'no-cache')
      .setHeader('content-type', 'text/plain')
    if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end()
    else response.end('whole')
  },
  '/page': (_request, response) => response.setHeader('content-type', 'text/html').end(page.text),
  '/sub/a.css': resource,
  '/b.js': resource,
  '/sub/c.png': resource,
  '/basic': (request, response) =>
    response.writeHead(request.headers.authorization === `Basic ${btoa('ann:pass word')}` ? 200 : 401).end(),
}

let server: TestServer
let other: TestServer

beforeAll(async () => {
  server = await startTestServer(routes)
  other = await startTestServer(routes)
})
afterAll(async () => {
  await server.stop()
  await other.stop()
})
beforeEach(() => {
  server.seen.length = 0
  slowest = 0
})

const get = (path: string, more: Record<string, unknown> = {}) => ({
  type: 'http_request',
  method: 'GET',
  server_id: 'srv',
  path,
  ...more,
})

async function ask(request: Record<string, unknown>, options: RunOptions = {}): Promise<ActionResult> {
  const { results } = await runOn([request], options)
  const [result] = results
  if (result === undefined) throw new Error('nothing was told')
  return result
}

const runOn = (actions: Record<string, unknown>[], options: RunOptions = {}) =>
  run(actions, { ...options, servers: { srv: { base_url: server.url }, ...options.servers } })

const mainOf = (result: ActionResult | undefined) => {
  const main = result?.exchanges[0]
  if (main === undefined) throw new Error('nothing was sent')
  return main.exchange
}
const contentOf = (result: ActionResult | undefined) => mainOf(result).response?.body?.content
/** What a server saw. */
interface Echoed {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

function echoed(result: ActionResult | undefined): Echoed {
  const seen: Echoed = JSON.parse(contentOf(result) ?? 'null')
  return seen
}

test('path, query and headers are sent with variables filled in, and what is special is encoded', async () => {
  const result = await ask(
    get('/echo', {
      query: [
        { name: 'q', value: 'a b&${name}' },
        { name: 'q', value: '' },
      ],
      headers: [{ name: 'X-Name', value: '${name} €' }],
    }),
    {
      variables: [{ type: 'constant', name: 'name', value: 'Zoë' }],
      servers: {
        srv: {
          base_url: `${server.url}/`,
          headers: [
            { name: 'x-name', value: 'instead' },
            { name: 'x-all', value: '1' },
          ],
        },
      },
    },
  )
  const { url, headers } = echoed(result)
  expect(url).toBe('/echo?q=a%20b%26Zo%C3%AB&q=')
  expect(headers).toMatchObject({ 'x-all': '1', 'user-agent': 'Flamegate/0.1.0' })
  expect(Buffer.from(headers['x-name'] ?? '', 'latin1').toString()).toBe('Zoë €')
})

test('a variable behind the scheme of a server may bring one of its own', async () => {
  const result = await ask(get('/echo'), {
    variables: [{ type: 'constant', name: 'shop', value: `${server.url}/` }],
    servers: { srv: { base_url: 'https://${shop}', authentication: { type: 'bearer', token: 'abc' } } },
  })
  const { url, headers } = echoed(result)
  expect([url, headers['authorization']]).toEqual(['/echo', 'Bearer abc'])
})

test('a variable cannot add a header line', async () => {
  const result = await ask(get('/echo', { headers: [{ name: 'x', value: '${bad}' }] }), {
    variables: [{ type: 'constant', name: 'bad', value: 'a\r\nevil: 1' }],
  })
  expect(result.failure).toContain('invalid x header')
})

test('an unknown variable fails the request, and is named; nothing is sent', async () => {
  const result = await ask(get('/echo?${nobody}'))
  expect(result).toMatchObject({
    outcome: 'failed',
    failure: 'The variable nobody has no value.',
    exchanges: [],
  })
})

test('a server that does not exist fails the request', async () => {
  expect((await ask(get('/echo', { server_id: 'srv_gone' }))).failure).toBe(
    'There is no HTTP server with the id srv_gone.',
  )
})

test.each([
  [{ type: 'raw', text: 'hi ${n}', content_type: 'text/plain' }, 'hi 7', 'text/plain'],
  [{ type: 'json', text: '{"n":${n},"t":"$${n}"}' }, '{"n":7,"t":"${n}"}', 'application/json'],
  [
    { type: 'form', fields: [{ name: 'a b', value: '${n}&' }] },
    'a+b=7%26',
    'application/x-www-form-urlencoded',
  ],
  [{ type: 'file', path: 'up/f.bin', content_type: 'a/b' }, 'file!', 'a/b'],
  [{ type: 'base64', data: btoa('\0\x01ÿ') }, '\0\x01ÿ', undefined],
])('the body %j is sent as %j', async (body, sent, contentType) => {
  const result = await ask(get('/echo', { method: 'POST', body }), {
    files: { 'up/f.bin': 'file!' },
    variables: [{ type: 'constant', name: 'n', value: '7' }],
  })
  expect(echoed(result).body).toBe(sent)
  expect(echoed(result).headers['content-type']).toBe(contentType)
  expect(echoed(result).headers['content-length']).toBe(String(sent.length))
})

test('a multipart body has fields and files, whatever boundary a recorded header names', async () => {
  const result = await ask(
    get('/echo', {
      method: 'POST',
      headers: [{ name: 'Content-Type', value: 'multipart/form-data; boundary=old' }],
      body: {
        type: 'multipart',
        parts: [
          { type: 'field', name: 'na"me', value: 'v' },
          { type: 'file', name: 'up', path: 'pics/a.png', content_type: 'image/png' },
        ],
      },
    }),
    { files: { 'pics/a.png': Buffer.from([1, 255]) } },
  )
  const { body, headers } = echoed(result)
  const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1] ?? ''
  expect(boundary).not.toBe('old')
  expect(body).toBe(
    [
      `--${boundary}\r\nContent-Disposition: form-data; name="na%22me"\r\n\r\nv\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="up"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n\x01\xff\r\n`,
      `--${boundary}--\r\n`,
    ].join(''),
  )
})

test('a file that does not exist fails the request, and is named', async () => {
  const result = await ask(get('/echo', { method: 'PUT', body: { type: 'file', path: 'gone.txt' } }))
  expect(result.failure).toContain('The file gone.txt does not exist in this project.')
})

test.each(['/gzip', '/br', '/zstd', '/deflate', '/raw-deflate', '/twice'])(
  '%s is decompressed',
  async (path) => {
    const result = await ask(get(path))
    expect(contentOf(result)).toBe('packed')
    expect(mainOf(result).response?.body).toMatchObject({ sizeBytes: 6, isCut: false })
    expect(mainOf(result).response?.body?.transferredBytes).toBeGreaterThan(6)
  },
)

test.each([
  ['/unknown', 'plain'],
  ['/within', 'packed'],
  ['/around', 'plain'],
])('of %s an encoding that is not known, and what is within it, stays as it is', async (path, text) => {
  const result = await ask(get(path))
  expect(result.failure).toBeNull()
  expect(contentOf(result)).toBe(text)
})

test('a body that is not what its encoding says fails with words, and its status is told', async () => {
  const result = await ask(get('/garbled'))
  expect(result).toMatchObject({
    status: 200,
    failure: 'The answer says that it is gzip, and cannot be decompressed as that.',
  })
})

test.each(['/bomb', '/endless'])('%s is given up at 64 MB', async (path) => {
  expect((await ask(get(path))).failure).toMatch(/larger than 64 MB/)
})

test('chunks, other charsets, binary and empty bodies are kept as they are', async () => {
  expect(contentOf(await ask(get('/chunked')))).toBe('one two')
  expect(contentOf(await ask(get('/latin1')))).toBe('café')
  expect(mainOf(await ask(get('/png'))).response?.body).toMatchObject({
    content: Buffer.from([137, 80, 0, 255]).toString('base64'),
    encoding: 'base64',
    contentType: 'image/png',
  })
  expect(mainOf(await ask(get('/204'))).response).toMatchObject({ status: 204, body: null })
  expect(mainOf(await ask(get('/304'))).response).toMatchObject({ status: 304, body: null })
  const head = await ask(get('/gzip', { method: 'HEAD' }))
  expect(head).toMatchObject({ outcome: 'passed', status: 200 })
  expect(mainOf(head).response?.body).toBeNull()
})

test.each([
  [200, 'passed'],
  [302, 'passed'],
  [403, 'failed'],
  [500, 'failed'],
])('without a status assertion %i has %s', async (status, outcome) => {
  expect((await ask(get(`/status?${status}`))).outcome).toBe(outcome)
})

const allowed = (...statuses: string[]) => [{ type: 'status', allowed: statuses }]

test('with a status assertion only that judges the status', async () => {
  expect((await ask(get('/status?404', { assertions: allowed('404') }))).outcome).toBe('passed')
  const result = await ask(get('/status?403', { assertions: allowed('2xx', '304') }))
  expect(result.failure).toBe('expected status 2xx or 304, got 403')
})

test.each([
  ['GET', 301, 'GET'],
  ['POST', 301, 'GET'],
  ['PUT', 301, 'PUT'],
  ['POST', 302, 'GET'],
  ['PUT', 303, 'GET'],
  ['HEAD', 303, 'HEAD'],
  ['POST', 307, 'POST'],
  ['PUT', 308, 'PUT'],
])('%s redirected with %i becomes %s', async (method, status, becomes) => {
  const body = method === 'GET' || method === 'HEAD' ? null : { type: 'raw', text: 'b', content_type: 'a/b' }
  const result = await ask(get(`/to?status=${status}&url=/echo`, { method, body }))
  expect(server.seen[1]).toBe(`${becomes} /echo`)
  expect(result.exchanges.map(({ role, exchange }) => [role, exchange.response?.status])).toEqual([
    ['main', 200],
    ['redirect', status],
  ])
  const again = mainOf(result).request
  expect(again.body?.content ?? null).toBe(becomes === 'GET' || becomes === 'HEAD' ? null : 'b')
  expect(again.headers.some(({ name }) => name === 'content-type')).toBe(again.body !== null)
})

test('Authorization and a cookie of the author stay with the origin that they are for', async () => {
  const headers = [
    { name: 'Authorization', value: 'Bearer t' },
    { name: 'Cookie', value: 'own=1' },
    { name: 'X-Kept', value: '1' },
  ]
  const there = echoed(await ask(get(`/to?url=${other.url}/echo`, { headers })))
  expect(there.headers).toMatchObject({ 'x-kept': '1', host: `127.0.0.1:${other.port}` })
  expect(there.headers['authorization'] ?? there.headers['cookie']).toBeUndefined()
  expect(echoed(await ask(get('/to?url=/echo', { headers }))).headers).toMatchObject({
    authorization: 'Bearer t',
    cookie: 'own=1',
  })
})

test('redirects that go round, lead to no http, or are not to be followed', async () => {
  expect((await ask(get('/loop', { redirects: { max: 3 } }))).failure).toBe(
    'There were more than 3 redirects; the last leads to /loop.',
  )
  expect(server.seen).toHaveLength(4)
  expect((await ask(get('/to?url=myapp://in'))).failure).toContain(
    'The redirect to myapp://in cannot be followed',
  )
  const taken = await ask(get('/hop', { redirects: { follow: false } }))
  expect(taken).toMatchObject({ outcome: 'passed', status: 302 })
})

test('a redirect to a host that the gate refuses ends there, and nothing is sent to it', async () => {
  const asked: string[] = []
  const result = await ask(get(`/to?url=http://localhost:${other.port}/echo`), {
    gate: {
      resolve: (host, port) => {
        asked.push(`${host}:${port}`)
        if (host === 'localhost') throw new TargetRefused('localhost is not a target of this project.')
        return loopbackGate.resolve(host, port)
      },
    },
  })
  expect(result.failure).toContain('localhost is not a target of this project.')
  expect(asked).toEqual([`127.0.0.1:${server.port}`, `localhost:${other.port}`])
  expect(other.seen).not.toContain('GET /echo?refused')
  expect(result.exchanges.map(({ role }) => role)).toEqual(['main', 'redirect'])
  expect(mainOf(result)).toMatchObject({ response: null, remoteAddress: null })
})

test('connections go where the gate says, whatever the name means elsewhere', async () => {
  const result = await ask(get('/echo'), {
    servers: { srv: { base_url: `http://shop.example:${server.port}` } },
    gate: { resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
  })
  expect(echoed(result).headers['host']).toBe(`shop.example:${server.port}`)
  expect(mainOf(result).remoteAddress).toBe(`127.0.0.1:${server.port}`)
  expect(mainOf(result).timings.dnsMs).toBeGreaterThanOrEqual(0)
})

test('a Host header is asked of the gate, too', async () => {
  const result = await ask(get('/echo', { headers: [{ name: 'Host', value: 'victim.example' }] }))
  expect(result.failure).toContain('victim.example is not a target')
  expect(server.seen).toEqual([])
})

test('an address that does not answer is passed over for the next', async () => {
  const closed = await startTestServer({})
  await closed.stop()
  const result = await ask(get('/echo'), {
    servers: { srv: { base_url: `http://two.example:${server.port}` } },
    gate: {
      resolve: async () => [
        { address: '127.0.0.77', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    },
  })
  expect(result.outcome).toBe('passed')
})

test('cookies are kept as a browser keeps them, and cleared for the next iteration', async () => {
  const actions = [get('/echo'), get('/login'), get('/echo')]
  const { results } = await runOn(actions, { iterations: 2 })
  const cookies = results
    .filter(({ status }, index) => index % 3 !== 1 && status === 200)
    .map((each) => echoed(each).headers['cookie'])
  expect(cookies).toEqual([undefined, 'sid=s1', undefined, 'sid=s1'])
  const kept = await runOn(actions, { iterations: 2, document: { cookies: { clear_each_iteration: false } } })
  expect(echoed(kept.results[3]).headers['cookie']).toBe('sid=s1')
  const none = await runOn(actions, { document: { cookies: { keep: false } } })
  expect(echoed(none.results[2]).headers['cookie']).toBeUndefined()
})

test('cookies of the author are sent with those that are kept, and instead of those of the same name', async () => {
  const sending = (value: string) => get('/echo', { headers: [{ name: 'Cookie', value }] })
  const { results } = await runOn([get('/login'), sending('own=1'), sending('own=1; sid=mine')])
  expect(results.slice(-2).map((each) => echoed(each).headers['cookie'])).toEqual([
    'own=1; sid=s1',
    'own=1; sid=mine',
  ])
})

test('fresh answers come from the cache, and stale ones are asked about', async () => {
  const { results } = await runOn([get('/fresh'), get('/fresh'), get('/tagged'), get('/tagged')])
  expect(server.seen).toEqual(['GET /fresh', 'GET /tagged', 'GET /tagged'])
  expect(results.map(({ exchanges }) => exchanges[0]?.isFromCache)).toEqual([false, true, false, false])
  expect(results.map(contentOf)).toEqual(['kept', 'kept', 'whole', 'whole'])
  expect(results[3]).toMatchObject({
    status: 200,
    messages: ['The server answered 304: what the cache has still holds, and was used.'],
  })
  const without = await runOn([get('/fresh'), get('/fresh')], { document: { cache: { keep: false } } })
  expect(without.results.map(({ exchanges }) => exchanges[0]?.isFromCache)).toEqual([false, false])
})

test('one connection is kept open for one request after the other', async () => {
  const before = server.connections()
  const { results } = await runOn([get('/echo'), get('/echo'), get('/chunked')])
  expect(server.connections() - before).toBe(1)
  expect(mainOf(results[0]).timings.connectMs).toBeGreaterThan(0)
  expect(mainOf(results[1]).timings.connectMs).toBeNull()
})

test('a kept connection that ended without a word is replaced, for what may be sent twice', async () => {
  let requests = 0
  const raw = createNetServer((socket) => {
    socket.on('error', () => {})
    let isFirst = true
    socket.on('data', () => {
      requests++
      if (isFirst) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      else socket.destroy()
      isFirst = false
    })
  })
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve))
  const servers = { srv: { base_url: `http://127.0.0.1:${portOf(raw)}` } }
  const { results } = await run([get('/'), get('/'), get('/', { method: 'POST' })], { servers })
  expect(results.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'failed'])
  expect(results[2]?.failure).toContain('was closed by the other side')
  expect(requests).toBe(4)
  await new Promise((resolve) => raw.close(resolve))
})

test('timings add up, and the parts of an answer that come late are download', async () => {
  const { timings } = mainOf(await ask(get('/slow')))
  expect(timings.downloadMs).toBeGreaterThan(40)
  const { blockedMs, dnsMs, connectMs, tlsMs, sendMs, firstByteMs, downloadMs, totalMs } = timings
  expect([dnsMs, tlsMs]).toEqual([null, null])
  const sum = [blockedMs, connectMs, sendMs, firstByteMs, downloadMs].reduce<number>(
    (all, each) => all + (each ?? 0),
    0,
  )
  expect(sum).toBeGreaterThan(totalMs * 0.5)
  expect(sum).toBeLessThanOrEqual(totalMs + 1)
})

test('an answer that does not come in time fails with words', async () => {
  expect((await ask(get('/silent', { timeout_ms: 50 }))).failure).toContain('more than 50 ms')
  const slow = { base_url: server.url, timeout_ms: 40 }
  expect((await ask(get('/slow'), { servers: { srv: slow } })).failure).toContain('more than 40 ms')
})

test('nothing listens there: the words say so, and the exchange has the error', async () => {
  const closed = await startTestServer({})
  await closed.stop()
  const result = await ask(get('/'), { servers: { srv: { base_url: closed.url } } })
  expect(result.failure).toBe(`127.0.0.1:${closed.port}: The connection was refused: nothing listens there.`)
  expect(mainOf(result)).toMatchObject({ response: null, error: result.failure })
})

test('basic and bearer credentials go to their server alone', async () => {
  const authentication = { type: 'basic', user_name: 'ann', password: '${pw}' }
  const options = { secrets: { pw: 'pass word' }, variables: [{ type: 'secret', name: 'pw' }] }
  const servers = { srv: { base_url: server.url, authentication } }
  expect(await ask(get('/basic'), { ...options, servers })).toMatchObject({ status: 200 })
  expect(
    echoed(await ask(get(`/to?url=${other.url}/echo`), { ...options, servers })).headers['authorization'],
  ).toBeUndefined()
  const bearer = { srv: { base_url: server.url, authentication: { type: 'bearer', token: 'tok' } } }
  expect(echoed(await ask(get('/echo'), { servers: bearer })).headers['authorization']).toBe('Bearer tok')
})

test('listed resources are loaded at once, as many as are allowed, and told as such', async () => {
  const list = ['/sub/a.css', '/b.js', '/sub/c.png', '/missing'].map((path, index) => ({
    id: `r${index}`,
    server_id: 'srv',
    path,
    enabled: index < 3,
  }))
  const result = await ask(get('/echo', { resources: { mode: 'listed', parallel: 2, list } }))
  expect(result.outcome).toBe('passed')
  expect(slowest).toBe(2)
  expect(result.exchanges.map(({ role, resourceId }) => [role, resourceId])).toEqual([
    ['main', null],
    ['resource', 'r0'],
    ['resource', 'r1'],
    ['resource', 'r2'],
  ])
  const failing = { mode: 'listed', list: list.map((each) => ({ ...each, enabled: true })) }
  expect((await ask(get('/echo', { resources: failing }))).failure).toBe(
    `1 of 4 embedded resources failed: ${server.url}/missing answered 404`,
  )
})

test('resources that a page names are loaded once each; those of hosts that are refused are told and left out', async () => {
  const result = await ask(get('/page', { resources: { mode: 'parsed' } }))
  expect(server.seen.toSorted()).toEqual(['GET /b.js', 'GET /page', 'GET /sub/a.css', 'GET /sub/c.png'])
  expect(result.outcome).toBe('passed')
  expect(result.messages.join()).toContain('elsewhere.example is not a target')
})

test('an extractor finds what only a redirect on the way had', async () => {
  const result = await ask(
    get('/hop', {
      extractors: [
        { type: 'header', variable: 'hop', name: 'X-Hop' },
        { type: 'regex', variable: 'code', pattern: 'code=(\\w+)', part: 'url' },
      ],
    }),
  )
  expect(result.variables).toEqual({ hop: 'h1', code: 'c0de' })
})

test('over TLS a certificate is held against the host, unless it is not to be', async () => {
  const certificate = selfSignedCertificate()
  const tls = await startTestServer(routes, (listener) => createTlsServer(certificate, listener), 'https')
  const refused = await ask(get('/echo'), { servers: { srv: { base_url: tls.url } } })
  expect(refused.failure).toContain('DEPTH_ZERO_SELF_SIGNED_CERT')
  const servers = { srv: { base_url: `https://localhost:${tls.port}`, tls: { verify: false } } }
  const result = await ask(get('/echo'), { servers })
  expect(result.outcome).toBe('passed')
  expect(mainOf(result).timings.tlsMs).toBeGreaterThan(0)
  await tls.stop()
})

test('long texts are kept in part, and large binaries not at all; their sizes are told', async () => {
  const large = await startTestServer({
    '/text': (_request, response) =>
      response.setHeader('content-type', 'text/plain').end('é'.repeat(2_100_000)),
    '/binary': (_request, response) =>
      response.setHeader('content-type', 'image/png').end(Buffer.alloc(300_000)),
  })
  const servers = { srv: { base_url: large.url } }
  const text = mainOf(await ask(get('/text'), { servers })).response?.body
  expect(text).toMatchObject({ sizeBytes: 4_200_000, isCut: true, encoding: 'text' })
  expect(text?.content).toHaveLength(2_000_000)
  const binary = mainOf(await ask(get('/binary'), { servers })).response?.body
  expect(binary).toMatchObject({ sizeBytes: 300_000, isCut: true, content: null })
  await large.stop()
})
