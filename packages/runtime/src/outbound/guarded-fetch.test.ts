import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import type { Server } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { guardedFetch } from './guarded-fetch.ts'
import type { GuardedRequest } from './guarded-fetch.ts'
import { OutboundRefused } from './outbound-refused.ts'
import type { Resolver } from './address-policy.ts'
import type { RefusalReason } from './outbound-refused.ts'

const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/hello': (_request, response) => response.setHeader('x-kind', 'greeting').end('hello'),
  '/echo': (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method, headers } = request
      response.end(JSON.stringify({ method, headers, body: Buffer.concat(chunks).toString() }))
    })
  },
  '/gzip': (_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('packed')),
  '/deflate': (_request, response) =>
    response.setHeader('content-encoding', 'deflate').end(deflateSync('packed')),
  '/br': (_request, response) =>
    response.setHeader('content-encoding', 'br').end(brotliCompressSync('packed')),
  '/bomb': (_request, response) =>
    response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(20_000_000))),
  '/stacked': (_request, response) => response.setHeader('content-encoding', 'gzip, gzip').end('x'),
  '/garbled': (_request, response) => response.setHeader('content-encoding', 'gzip').end('this is no gzip'),
  '/large': (_request, response) => response.end(Buffer.alloc(2_000_000)),
  '/endless': (_request, response) => {
    const more = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(more))
  },
  '/silent': () => {},
  '/broken': (request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('only this')
    setTimeout(() => request.socket.destroy(), 20)
  },
  '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/to': (request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams
    response
      .writeHead(Number(query.get('status') ?? 302), { location: query.get('url') ?? '' })
      .end('see there')
  },
}

const server = createServer((request, response) => {
  seen.push(`${request.headers.host} ${request.url}`)
  routes[(request.url ?? '').split('?')[0] ?? '']?.(request, response)
})
let seen: string[] = []
let base = ''
let port = 0

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = portOf(server)
  base = `http://127.0.0.1:${port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  seen = []
})

function portOf(listening: Server): number {
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return address.port
}

/** A resolver that knows one answer for every name. */
const alwaysGives =
  (...addresses: string[]): Resolver =>
  async () =>
    addresses.map((address) => ({ address, family: 4 }))

/** As in production, except for where the test's server is. */
const open: GuardedRequest = {
  maxBytes: 1_000_000,
  timeoutMs: 5_000,
  allowedSchemes: ['http'],
  allowLoopback: true,
}
const guarded: GuardedRequest = { ...open, allowLoopback: false }

async function refusal(url: string, options: GuardedRequest): Promise<RefusalReason | 'not refused'> {
  try {
    await guardedFetch(url, options)
    return 'not refused'
  } catch (error) {
    if (error instanceof OutboundRefused) return error.reason
    throw error
  }
}

const echoSchema = z.object({ headers: z.record(z.string(), z.string()) })
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

test('an answer comes back with status, headers, final URL and body', async () => {
  const answer = await guardedFetch(`${base}/hello`, open)
  expect({ ...answer, body: text(answer.body) }).toMatchObject({
    status: 200,
    headers: { 'x-kind': 'greeting' },
    url: `${base}/hello`,
    body: 'hello',
  })
})

test('method, headers and body are sent', async () => {
  const headers = { authorization: 'Bearer t', 'content-type': 'text/plain' }
  const answer = await guardedFetch(`${base}/echo`, { ...open, method: 'POST', headers, body: 'ping' })
  expect(JSON.parse(text(answer.body))).toMatchObject({ method: 'POST', headers, body: 'ping' })
})

test.each(['/gzip', '/deflate', '/br'])('%s is decompressed', async (path) => {
  expect(text((await guardedFetch(`${base}${path}`, open)).body)).toBe('packed')
})

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/', // decimal
  'http://0x7f000001/', // hexadecimal
  'http://0x7f.0.0.1/',
  'http://017700000001/', // octal
  'http://0177.0.0.1/',
  'http://0/',
  'http://10.0.0.1/',
  'http://192.168.0.1:8080/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.100.100.200/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[0:0:0:0:0:ffff:0a00:0001]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://\u2460\u2461\u2466.0.0.1/', // circled digits, which are 127 after normalisation
  'http://localhost/',
])('%s is not called', async (url) => {
  expect(await refusal(url, guarded)).toBe('address_not_allowed')
})

test.each<[string, RefusalReason]>([
  ['not a url', 'invalid_url'],
  ['http://', 'invalid_url'],
  ['http://999.999.999.999/', 'invalid_url'],
  ['ftp://example.com/', 'scheme_not_allowed'],
  ['file:///etc/passwd', 'scheme_not_allowed'],
  ['gopher://127.0.0.1:25/', 'scheme_not_allowed'],
  ['https://example.com/', 'scheme_not_allowed'],
  ['http://user:secret@example.com/', 'credentials_in_url'],
])('%s is refused as %s', async (url, reason) => {
  expect(await refusal(url, guarded)).toBe(reason)
})

test('https alone is allowed unless told otherwise', async () => {
  expect(await refusal('http://example.com/', { maxBytes: 1, timeoutMs: 1_000 })).toBe('scheme_not_allowed')
})

test.each(['Host', 'Transfer-Encoding', 'Content-Length', 'Proxy-Authorization', 'Connection'])(
  'the header %s cannot be set',
  async (name) => {
    expect(await refusal(`${base}/hello`, { ...open, headers: { [name]: 'x' } })).toBe('header_not_allowed')
  },
)

test('a name that resolves to a private address is refused, also next to a public one', async () => {
  const resolve = alwaysGives('93.184.216.34', '10.0.0.7')
  expect(await refusal('http://inside.example/', { ...guarded, resolve })).toBe('address_not_allowed')
})

test('a name that does not resolve, or to nothing, is refused', async () => {
  const nothing = { ...guarded, resolve: alwaysGives() }
  expect(await refusal('http://nowhere.example/', nothing)).toBe('name_not_found')
  const fails = { ...guarded, resolve: () => Promise.reject(new Error('ENOTFOUND')) }
  expect(await refusal('http://nowhere.example/', fails)).toBe('name_not_found')
})

test('the connection goes to the address that was checked: a name server is asked once and cannot rebind', async () => {
  const answers = [{ address: '127.0.0.1', family: 4 }]
  let asked = 0
  const resolve = async () => {
    asked += 1
    return asked === 1 ? answers : [{ address: '10.0.0.1', family: 4 }]
  }
  const answer = await guardedFetch(`http://rebind.example:${port}/hello`, { ...open, resolve })
  expect(text(answer.body)).toBe('hello')
  expect(asked).toBe(1)
  expect(seen).toEqual([`rebind.example:${port} /hello`])
})

test('a name that turns to the inside for the second hop is refused there', async () => {
  let asked = 0
  const resolve = async () => {
    asked += 1
    return [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
  }
  const url = `http://rebind.example:${port}/to?url=${encodeURIComponent(`http://other.example:${port}/hello`)}`
  expect(await refusal(url, { ...open, resolve })).toBe('address_not_allowed')
  expect(seen).toHaveLength(1)
})

test.each<[string, RefusalReason]>([
  ['http://10.0.0.1/', 'address_not_allowed'],
  ['http://[::ffff:10.0.0.1]/', 'address_not_allowed'],
  ['http://169.254.169.254/latest', 'address_not_allowed'],
  ['//192.168.1.1/', 'address_not_allowed'],
  ['file:///etc/passwd', 'scheme_not_allowed'],
  ['http://user:pw@127.0.0.1/', 'credentials_in_url'],
  ['http://[', 'invalid_url'],
])('a redirect to %s is refused as %s', async (target, reason) => {
  expect(await refusal(`${base}/to?url=${encodeURIComponent(target)}`, open)).toBe(reason)
})

test('redirects are followed up to the limit', async () => {
  const twice = `/to?url=${encodeURIComponent('/to?url=/hello')}`
  expect((await guardedFetch(`${base}${twice}`, { ...open, maxRedirects: 2 })).url).toBe(`${base}/hello`)
  expect(await refusal(`${base}${twice}`, { ...open, maxRedirects: 1 })).toBe('too_many_redirects')
  expect(await refusal(`${base}/loop`, open)).toBe('too_many_redirects')
  expect((await guardedFetch(`${base}/loop`, { ...open, maxRedirects: 0 })).status).toBe(302)
})

test('credentials stay with their origin; only plain headers go to another one', async () => {
  const headers = { authorization: 'Bearer t', cookie: 'a=b', 'x-api-key': 'k', accept: 'text/html' }
  const echoAt = async (origin: string) => {
    const url = `${base}/to?url=${encodeURIComponent(`${origin}/echo`)}`
    const answer = await guardedFetch(url, { ...open, headers, resolve: alwaysGives('127.0.0.1') })
    return echoSchema.parse(JSON.parse(text(answer.body))).headers
  }
  expect(await echoAt(base)).toMatchObject(headers)
  const elsewhere = await echoAt(`http://other.example:${port}`)
  expect(elsewhere).toMatchObject({ accept: 'text/html' })
  expect(Object.keys(elsewhere)).not.toEqual(expect.arrayContaining(['authorization']))
  expect(JSON.stringify(elsewhere)).not.toMatch(/Bearer|a=b|x-api-key/)
})

test.each([
  { status: 301, method: 'GET', body: '' },
  { status: 302, method: 'GET', body: '' },
  { status: 303, method: 'GET', body: '' },
  { status: 307, method: 'POST', body: 'ping' },
  { status: 308, method: 'POST', body: 'ping' },
])('a POST that meets $status goes on as $method', async ({ status, method, body }) => {
  const url = `${base}/to?status=${status}&url=/echo`
  const answer = await guardedFetch(url, {
    ...open,
    method: 'POST',
    body: 'ping',
    headers: { 'content-type': 'a/b' },
  })
  expect(JSON.parse(text(answer.body))).toMatchObject({ method, body })
})

test.each<[string, RefusalReason]>([
  ['/large', 'too_large'],
  ['/bomb', 'too_large'],
  ['/stacked', 'unsupported_encoding'],
  ['/garbled', 'unreadable_encoding'],
  ['/broken', 'unreachable'],
])('%s is refused as %s', async (path, reason) => {
  expect(await refusal(`${base}${path}`, open)).toBe(reason)
})

test.each(['/endless', '/silent'])('%s ends when the total time is up', async (path) => {
  const startedAt = performance.now()
  expect(await refusal(`${base}${path}`, { ...open, timeoutMs: 200 })).toBe('timed_out')
  expect(performance.now() - startedAt).toBeLessThan(4_000)
})

test('an answer without an end is read as far as it is wanted', async () => {
  const wanted = (bytes: number) => {
    let soFar = 0
    return guardedFetch(`${base}/endless`, {
      ...open,
      isEnough: (_headers, piece) => {
        soFar += piece.length
        return soFar >= bytes
      },
    })
  }
  expect((await wanted(0)).body).toHaveLength(0)
  expect((await wanted(3)).body.length).toBeGreaterThanOrEqual(3)
  const { body } = await guardedFetch(`${base}/gzip`, {
    ...open,
    isEnough: (headers) => headers['content-encoding'] === undefined,
  })
  expect(new TextDecoder().decode(body)).toBe('packed')
})

test('a resolver that hangs is part of the total time', async () => {
  const hangs = { ...guarded, timeoutMs: 100, resolve: () => new Promise<never>(() => {}) }
  expect(await refusal('http://slow.example/', hangs)).toBe('timed_out')
})

test('a port where nobody listens, and one that speaks something else, are unreachable', async () => {
  const other = createSocketServer((socket) => socket.resume().end('220 mail.example ESMTP\r\n'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const otherPort = portOf(other)
  expect(await refusal(`http://127.0.0.1:${otherPort}/`, open)).toBe('unreachable')
  await new Promise((resolve) => other.close(resolve))
  expect(await refusal(`http://127.0.0.1:${otherPort}/`, open)).toBe('unreachable')
})
