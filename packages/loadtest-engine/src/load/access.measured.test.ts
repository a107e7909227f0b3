import { once } from 'node:events'
import { createServer, request as askHttp } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createSecureServer } from 'node:http2'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Access } from '../http/access.ts'
import { get, load, users } from '../testing/load.ts'
import type { LoadOptions, LoadSums } from '../testing/load.ts'
import { loopbackGate } from '../testing/run.ts'
import { selfSignedCertificate } from '../testing/self-signed-certificate.ts'
import { echo, portOf, startTestServer } from '../testing/test-server.ts'
import type { Routes, TestServer } from '../testing/test-server.ts'
import { WebSocketServer } from '../testing/web-socket-server.ts'

/** How users reach servers, held against servers and proxies that are real, and that say what they saw. */

const large = Buffer.alloc(500_000, 'x')
const routes: Routes = {
  '/': (_request, response) => response.end('hello'),
  '/large': (_request, response) => response.end(large),
  '/upload': (_request, response) => response.end('thanks'),
  '/echo': echo,
  '/moved': (_request, response) => response.writeHead(302, { location: '/echo' }).end(),
}
let server: TestServer
let secure: TestServer
beforeAll(async () => {
  server = await startTestServer(routes)
  secure = await startTestServer(
    { ...routes, '/version': (request, response) => response.end(request.httpVersion) },
    (listener) => createTlsServer(selfSignedCertificate(), listener),
    'https',
  )
})
afterAll(() => Promise.all([server.stop(), secure.stop()]))

const plain = () => ({ servers: { srv: { base_url: server.url } } })
const encrypted = () => ({ servers: { srv: { base_url: secure.url, tls: { verify: false } } } })
const network = (limits: Partial<Access['network']>): LoadOptions => ({
  access: {
    network: {
      download_bits_per_second: null,
      upload_bits_per_second: null,
      latency_ms: 0,
      ...limits,
    },
  },
})
const says = (text: string) => ({ assertions: [{ type: 'body_equals', id: 'a', text }] })
const every = (ms: number) => ({ distribution: 'constant' as const, ms })
const proofOf = ({ headers }: IncomingMessage) => headers['proxy-authorization']
const failuresOf = (sums: LoadSums) => sums.samples.map(({ failure }) => failure)

/** No shorter than the truth, and longer by what this process, in which both sides are, was late in each of some turns. */
function expectAbout(sums: LoadSums, ms: number, truthMs: number): void {
  const lateMs = Math.max(...sums.gauges('event_loop_delay_max_us')) / 1000
  expect(ms).toBeGreaterThan(truthMs * 0.99)
  expect(ms).toBeLessThan(truthMs * 1.2 + 20 + 8 * lateMs)
}

describe('over a slow line', () => {
  test.each([
    ['plain', plain],
    ['encrypted', encrypted],
  ])('an answer takes as long as its bytes do: %s', async (_name, target) => {
    // 500 kB at 1 MB/s.
    const sums = await load([get('/large')], {
      ...target(),
      ...network({ download_bits_per_second: 8_000_000 }),
      model: users(2, 2),
    })
    expect([sums.counter('/large', 'count'), failuresOf(sums)]).toEqual([4, []])
    for (const time of ['serviceTime', 'responseTime'] as const) {
      expectAbout(sums, sums.percentile('/large', time, 0.01), 500)
      expectAbout(sums, sums.percentile('/large', time, 1), 500)
    }
  })

  test('a request takes as long as its bytes do', async () => {
    const body = { type: 'raw', text: 'y'.repeat(250_000), content_type: 'text/plain' }
    const sums = await load([get('/upload', { method: 'POST', body })], {
      ...plain(),
      ...network({ upload_bits_per_second: 4_000_000 }),
    })
    expect(failuresOf(sums)).toEqual([])
    expectAbout(sums, sums.percentile('/upload', 'serviceTime', 1), 500)
  })

  test('each exchange takes a round trip, and so do a connection and its encryption', async () => {
    const latencyMs = 120
    const actions = [get('/'), get('/second', { path: '/' })]
    const options = network({ latency_ms: latencyMs })
    const open = await load(actions, { ...plain(), ...options })
    expect(failuresOf(open)).toEqual([])
    expectAbout(open, open.percentile('/', 'responseTime', 1), 2 * latencyMs)
    expectAbout(open, open.counter('/', 'connect_us') / 1000, latencyMs)
    expectAbout(open, open.percentile('/second', 'serviceTime', 1), latencyMs)
    const hidden = await load(actions, { ...encrypted(), ...options })
    expectAbout(hidden, hidden.percentile('/', 'responseTime', 1), 3 * latencyMs)
    expectAbout(hidden, hidden.counter('/', 'tls_us') / 1000, latencyMs)
    expectAbout(hidden, hidden.percentile('/second', 'serviceTime', 1), latencyMs)
  })

  test('all connections of a user share it, and other users have their own', async () => {
    const list = ['a', 'b', 'c'].map((id) => ({ id, server_id: 'srv', path: '/large' }))
    const sums = await load([get('/', { resources: { mode: 'listed', list, parallel: 3 } })], {
      ...plain(),
      ...network({ download_bits_per_second: 16_000_000 }),
      model: users(2, 1),
    })
    expect(failuresOf(sums)).toEqual([])
    expectAbout(sums, sums.percentile('/', 'serviceTime', 0.01), 750)
    expectAbout(sums, sums.percentile('/', 'serviceTime', 1), 750)
    expect(sums.counter('/', 'connections_opened')).toBe(6)
  })

  test('the server has to wait: what nobody read yet stays with the system', async () => {
    // Far more than the buffers of both systems hold.
    const bytes = 60_000_000
    let written = 0
    const endless = await startTestServer({
      '/': (_request, response) => {
        response.writeHead(200, { 'content-length': bytes })
        const piece = Buffer.alloc(100_000)
        const more = () => {
          while (written < bytes) {
            written += piece.length
            if (!response.write(piece)) {
              response.once('drain', more)
              return
            }
          }
          response.end()
        }
        more()
      },
    })
    try {
      const sums = await load([get('/', { timeout_ms: 700 })], {
        servers: { srv: { base_url: endless.url } },
        ...network({ download_bits_per_second: 1_000_000 }),
      })
      expect(sums.errors('/')).toEqual({ timeout: 1 })
      expect(written).toBeLessThan(bytes / 2)
    } finally {
      await endless.stop()
    }
  })

  test.each([
    ['plain', 'http'],
    ['encrypted', 'https'],
  ])(
    'answers are whole, and the end of a connection comes after its last byte: %s',
    async (_name, scheme) => {
      const closingRoutes: Routes = {
        '/': (_request, response) => {
          response.shouldKeepAlive = false
          response.useChunkedEncodingByDefault = false
          response.end(Buffer.alloc(30_000, 'z'))
        },
        '/cut': (request, response) => {
          response.writeHead(200, { 'content-length': 100 }).write('only this')
          setTimeout(() => request.socket.destroy(), 20)
        },
      }
      const closing = await startTestServer(
        closingRoutes,
        (listener) =>
          scheme === 'http' ? createServer(listener) : createTlsServer(selfSignedCertificate(), listener),
        scheme,
      )
      try {
        const size = { type: 'body_matches', id: 'a', pattern: '^z{30000}$' }
        const sums = await load([get('/', { assertions: [size] }), get('/cut')], {
          servers: { srv: { base_url: closing.url, tls: { verify: false } } },
          ...network({ download_bits_per_second: 2_000_000, latency_ms: 30 }),
          model: users(2, 2),
        })
        expect(sums.errors('/')).toEqual({})
        expect(sums.errors('/cut')).toEqual({ reset: 4 })
      } finally {
        await closing.stop()
      }
    },
  )
})

describe('without connections that are kept alive', () => {
  test.each([
    ['plain', plain],
    ['encrypted', encrypted],
  ])('each request has one of its own: %s', async (_name, target) => {
    const side = target === plain ? server : secure
    const before = side.connections()
    const actions = [
      get('/echo', {
        assertions: [{ type: 'json_path', id: 'a', path: '$.headers.connection', equals: 'close' }],
      }),
      get('/moved', {
        assertions: [{ type: 'json_path', id: 'b', path: '$.headers.connection', equals: 'close' }],
      }),
      // As a check sends it.
      get('/file', { path: '/echo', headers: [{ name: 'cookie', value: 'a=1' }] }),
    ]
    const sums = await load(actions, {
      ...target(),
      access: { keep_alive: false },
      model: users(3, 4),
    })
    expect(failuresOf(sums)).toEqual([])
    expect(side.connections() - before).toBe(3 * 4 * 4)
    const opened = ['/echo', '/moved', '/file'].map((id) => sums.counter(id, 'connections_opened'))
    expect(opened).toEqual([12, 24, 12])
  })

  test('also where the server would keep it open, and encryption is negotiated in full', async () => {
    let resumed = 0
    let sessions = 0
    const stubborn = createTlsServer(selfSignedCertificate(), (_request, response) => {
      response.shouldKeepAlive = true
      response.writeHead(200, { connection: 'keep-alive' }).end('x')
    })
    stubborn.on('secureConnection', (socket) => {
      sessions++
      if (socket.isSessionReused()) resumed++
    })
    await new Promise<void>((resolve) => stubborn.listen(0, '127.0.0.1', resolve))
    try {
      const sums = await load([get('/')], {
        servers: { srv: { base_url: `https://127.0.0.1:${portOf(stubborn)}`, tls: { verify: false } } },
        access: { keep_alive: false },
        model: users(2, 5),
      })
      expect(failuresOf(sums)).toEqual([])
      expect([sessions, resumed, sums.counter('/', 'connections_opened')]).toEqual([10, 0, 10])
    } finally {
      stubborn.close()
    }
  })
})

describe('with a version of HTTP', () => {
  const both = createSecureServer({ ...selfSignedCertificate(), allowHTTP1: true }, (request, response) =>
    response.end(`HTTP/${request.httpVersion}`),
  )
  let sessions = 0
  both.on('session', () => sessions++)
  beforeAll(() => new Promise<void>((resolve) => both.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void both.close())
  const target = (http_version: string) => ({
    servers: {
      srv: { base_url: `https://127.0.0.1:${portOf(both)}`, tls: { verify: false }, http_version },
    },
  })

  test.each([
    ['http/1.1', 'h2', 'HTTP/2.0'],
    ['h2', 'http/1.1', 'HTTP/1.1'],
    ['h2', 'of_server', 'HTTP/2.0'],
    ['http/1.1', 'of_server', 'HTTP/1.1'],
  ] as const)('where the server is said to speak %s, %s makes it %s', async (ofServer, asked, spoken) => {
    const sums = await load([get('/', says(spoken))], {
      ...target(ofServer),
      access: { http_version: asked },
      model: users(2, 3),
    })
    expect(failuresOf(sums)).toEqual([])
    expect([sums.counter('/', 'count'), sums.counter('/', 'connections_opened')]).toEqual([6, 2])
  })

  test('a new connection for each request is one for HTTP/2, too', async () => {
    sessions = 0
    const sums = await load([get('/', says('HTTP/2.0'))], {
      ...target('h2'),
      access: { keep_alive: false },
      model: users(2, 3),
    })
    expect([failuresOf(sums), sessions]).toEqual([[], 6])
  })

  test('where a server does not speak HTTP/2, HTTP/1.1 is spoken', async () => {
    const sums = await load([get('/version', says('1.1'))], {
      ...encrypted(),
      access: { http_version: 'h2' },
    })
    expect(failuresOf(sums)).toEqual([])
  })
})

/** A proxy that passes on what it is asked to, and writes down who asked for what. */
async function startProxy() {
  const asked: { line: string; proof: string | undefined }[] = []
  const open = new Set<Socket>()
  const proxy = createServer((request, response) => {
    asked.push({ line: `${request.method} ${request.url}`, proof: proofOf(request) })
    const { 'proxy-authorization': _, ...headers } = request.headers
    const passedOn = askHttp(request.url ?? '', { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(passedOn)
  })
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    asked.push({ line: `CONNECT ${request.url}`, proof: proofOf(request) })
    if (request.url?.startsWith('refused.test')) {
      socket.end('HTTP/1.1 403 Not For You\r\n\r\n')
      return
    }
    const { hostname, port } = new URL(`http://${request.url}`)
    const passedOn = connect({ host: hostname, port: Number(port) }, () => {
      socket.write('HTTP/1.1 200 Connection established\r\nvia: test\r\n\r\n')
      passedOn.pipe(socket).pipe(passedOn)
    })
    for (const each of [socket, passedOn]) open.add(each.on('error', () => {}))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    port: portOf(proxy),
    asked,
    stop: () => {
      for (const socket of open) socket.destroy()
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

describe('through a proxy', () => {
  let proxy: Awaited<ReturnType<typeof startProxy>>
  beforeAll(async () => {
    proxy = await startProxy()
  })
  afterAll(() => proxy.stop())
  const through = (address = `http://127.0.0.1:${proxy.port}`): LoadOptions => {
    proxy.asked.length = 0
    return { access: { proxy_url: address } }
  }
  const lines = () => [...new Set(proxy.asked.map(({ line }) => line))]

  test('it is told the whole address of what is not encrypted, and who asks', async () => {
    const sums = await load([get('/echo', { query: [{ name: 'a', value: '1' }] }), get('/moved')], {
      ...plain(),
      ...through(`http://\${who}:\${password}@127.0.0.1:${proxy.port}/`),
      variables: [
        { type: 'constant', name: 'who', value: 'ann' },
        { type: 'secret', name: 'password' },
      ],
      secrets: { password: 'p@ss:/word' },
      model: users(2, 2),
    })
    expect(failuresOf(sums)).toEqual([])
    expect(lines()).toEqual([
      `GET ${server.url}/echo?a=1`,
      `GET ${server.url}/moved`,
      `GET ${server.url}/echo`,
    ])
    const proof = `Basic ${Buffer.from('ann:p@ss:/word').toString('base64')}`
    expect(proxy.asked.every((each) => each.proof === proof)).toBe(true)
    // It is kept open, as one to a server is.
    expect(sums.counter('/echo', 'connections_opened')).toBe(2)
  })

  test('it opens a tunnel for what is encrypted, and sees nothing of it', async () => {
    const sums = await load([get('/echo'), get('/')], {
      ...encrypted(),
      ...through(`http://ann%40home:x@127.0.0.1:${proxy.port}`),
      model: users(2, 3),
    })
    expect(failuresOf(sums)).toEqual([])
    expect(proxy.asked).toEqual(
      Array.from({ length: 2 }, () => ({
        line: `CONNECT 127.0.0.1:${secure.port}`,
        proof: `Basic ${Buffer.from('ann@home:x').toString('base64')}`,
      })),
    )
    expect(sums.counter('/echo', 'tls_us')).toBeGreaterThan(0)
  })

  test('what it refuses, and what the gate refuses, is told', async () => {
    const gate = {
      resolve: (host: string, port: number) =>
        loopbackGate.resolve(host.replace('refused.test', '127.0.0.1'), port),
    }
    const servers = { srv: { base_url: 'https://refused.test' } }
    const refused = await load([get('/')], { servers, gate, ...through() })
    expect(refused.errors('/')).toEqual({ connect: 1 })
    expect(failuresOf(refused)).toEqual([
      `refused.test:443: The proxy 127.0.0.1:${proxy.port} answered 403 Not For You`,
    ])
    const strange = await load([get('/')], { ...plain(), ...through('http://192.0.2.1:3128') })
    expect(strange.errors('/')).toEqual({ refused_target: 1 })
    // A target that nobody proved is none behind a proxy, either.
    const hidden = await load([get('/')], {
      servers: { srv: { base_url: 'http://192.0.2.1' } },
      ...through(),
    })
    expect(hidden.errors('/')).toEqual({ refused_target: 1 })
    expect(proxy.asked).toEqual([])
    const nameless = await load([get('/')], {
      ...plain(),
      ...through('http://${proxy}'),
      variables: [{ type: 'constant', name: 'proxy', value: 'a b' }],
    })
    expect(failuresOf(nameless)).toEqual([
      expect.stringContaining('The address of the proxy names no host: a b.'),
    ])
  })

  test('its password is in no sample of what failed', async () => {
    const sums = await load([get('/none')], {
      ...plain(),
      ...through(`http://ann:\${password}@127.0.0.1:${proxy.port}`),
      variables: [{ type: 'secret', name: 'password' }],
      secrets: { password: 'hush-hush' },
    })
    expect(sums.errors('/none')).toEqual({ status_4xx: 1 })
    const proof = Buffer.from('ann:hush-hush').toString('base64')
    expect(proxy.asked[0]?.proof).toBe(`Basic ${proof}`)
    expect(JSON.stringify(sums.samples)).not.toContain(proof)
    expect(JSON.stringify(sums.samples)).not.toContain('hush-hush')
  })

  test('WebSockets go through a tunnel, over a slow line, too', async () => {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    sockets.on('connection', (socket) => socket.on('message', () => socket.send('got it')))
    try {
      await once(sockets, 'listening')
      const port = portOf(sockets)
      const sums = await load(
        [
          {
            type: 'websocket',
            id: 'open',
            operation: 'connect',
            connection: 'c',
            server_id: 'srv',
            path: '/',
          },
          { type: 'websocket', id: 'send', operation: 'send', connection: 'c', message: 'this' },
          { type: 'websocket', id: 'hear', operation: 'expect', connection: 'c', contains: 'got it' },
        ],
        {
          servers: { srv: { base_url: `http://127.0.0.1:${port}` } },
          access: { ...through().access, ...network({ latency_ms: 100 }).access },
        },
      )
      expect(failuresOf(sums)).toEqual([])
      expect(lines()).toEqual([`CONNECT 127.0.0.1:${port}`])
      expectAbout(sums, sums.percentile('hear', 'serviceTime', 1), 100)
    } finally {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
    }
  })
})

describe('with pacing', () => {
  test('iterations begin no earlier than it says', async () => {
    const startedAt: number[] = []
    const watched = await startTestServer({
      '/': (_request, response) => {
        startedAt.push(performance.now())
        response.end('x')
      },
    })
    try {
      const sums = await load([get('/')], {
        servers: { srv: { base_url: watched.url } },
        model: { ...users(1, 5), pacing: every(150) },
      })
      const gaps = startedAt.slice(1).map((at, index) => at - (startedAt[index] ?? NaN))
      expect(gaps).toHaveLength(4)
      // The server hears of a start later than it is, by no more than the request takes.
      const laterMs = sums.percentile('/', 'responseTime', 1) + 2
      for (const gap of gaps) expect(gap).toBeGreaterThan(150 - laterMs)
      expect((startedAt.at(-1) ?? 0) - (startedAt[0] ?? 0)).toBeGreaterThan(4 * 150 - laterMs)
      // Waiting for its turn is no time of a request.
      expect(sums.percentile('/', 'responseTime', 0.5)).toBeLessThan(150)
      // Where the machine stood still for longer than a turn, that is told.
      expect(laterMs < 150 ? sums.outcome?.words : []).toEqual([])
    } finally {
      await watched.stop()
    }
  })

  test('where one took longer, the next begins at once, and that is told', async () => {
    const sums = await load([{ type: 'delay', id: 'd', duration: every(60) }, get('/')], {
      ...plain(),
      model: { ...users(2, 4), pacing: { distribution: 'uniform', min_ms: 1, max_ms: 5 } },
    })
    expect(sums.counter('/', 'count')).toBe(8)
    expect(sums.outcome?.words).toEqual([
      'Iterations of Test took longer than the pacing; the next ones began at once.',
    ])
  })
})
