import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { piecesOf } from '../testing/har.ts'
import type { Exchange, ExchangeBody } from './exchange.ts'
import { keptBodyBytesMax } from './kept-exchange.ts'
import { readExchange, readRecording } from './read-recording.ts'
import { RecordingWriter } from './recording-writer.ts'

function exchangeOf(url: string, body: Partial<ExchangeBody> | null = null): Exchange {
  const none = { blockedMs: null, dnsMs: null, connectMs: null, tlsMs: null }
  return {
    startedAt: '2026-01-01T00:00:00.000Z',
    request: { method: 'GET', url, httpVersion: null, headers: [], body: null },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: null,
      headers: [],
      body: body && {
        contentType: 'text/html',
        sizeBytes: body.content?.length ?? 0,
        transferredBytes: null,
        content: null,
        encoding: 'text',
        isCut: false,
        ...body,
      },
    },
    error: null,
    timings: { ...none, sendMs: 0, firstByteMs: 1, downloadMs: 0, totalMs: 1 },
    remoteAddress: null,
  }
}

async function written(exchanges: readonly Exchange[]): Promise<{ bytes: Buffer; writer: RecordingWriter }> {
  const pieces: Uint8Array[] = []
  const writer = new RecordingWriter((bytes) => void pieces.push(bytes))
  for (const [place, exchange] of exchanges.entries()) expect(await writer.keep(exchange)).toBe(place)
  return { bytes: Buffer.concat(pieces), writer }
}

/** The body of the answer as a recording keeps it. */
async function kept(body: Partial<ExchangeBody>): Promise<ExchangeBody | null | undefined> {
  return readExchange((await written([exchangeOf('https://a.test/', body)])).bytes).response?.body
}

test('what was written is read again, in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 500 }),
      async (texts, size) => {
        const exchanges = texts.map((content, index) => exchangeOf(`https://a.test/${index}`, { content }))
        const { bytes, writer } = await written(exchanges)
        const read: Exchange[] = []
        for await (const exchange of readRecording(piecesOf(bytes, size), writer.index)) read.push(exchange)
        expect(read).toEqual(exchanges)
      },
    ),
    { numRuns: 100 },
  )
})

test('one exchange is read by the place that the index tells', async () => {
  const exchanges = ['a', 'b', 'c'].map((name) => exchangeOf(`https://a.test/${name}`))
  const { bytes, writer } = await written(exchanges)
  expect(writer.index.exchanges.map(({ method, url, status }) => [method, url, status])).toEqual(
    exchanges.map(({ request }) => ['GET', request.url, 200]),
  )
  const { offset, length } = writer.index.exchanges[1]!
  expect(readExchange(bytes.subarray(offset, offset + length))).toEqual(exchanges[1])
  expect(gunzipSync(bytes).toString().trimEnd().split('\n')).toHaveLength(3)
})

test('a body of more than 2 MB is cut, never within a character', async () => {
  const body = await kept({ content: `x${'€'.repeat(1_000_000)}`, sizeBytes: 3_000_001 })
  expect(body).toMatchObject({ isCut: true, sizeBytes: 3_000_001 })
  expect(Buffer.byteLength(body?.content ?? '')).toBe(keptBodyBytesMax - 1)
  expect(body?.content?.endsWith('€')).toBe(true)
})

test('base64 is cut where it can be decoded', async () => {
  const bytes = Buffer.alloc(keptBodyBytesMax + 10, 7)
  const body = await kept({
    content: bytes.toString('base64'),
    encoding: 'base64',
    contentType: 'application/pdf',
  })
  expect(body?.isCut).toBe(true)
  const decoded = Buffer.from(body?.content ?? '', 'base64')
  expect(decoded).toEqual(bytes.subarray(0, decoded.length))
  expect(decoded.length).toBeGreaterThan(keptBodyBytesMax - 3)
})

test.each(['image/png', 'font/woff2', 'video/mp4'])('content of %s is not kept', async (contentType) => {
  const body = await kept({ contentType, content: 'AAAA', encoding: 'base64', sizeBytes: 3 })
  expect(body).toMatchObject({ content: null, isCut: true, sizeBytes: 3 })
})

test('of what a request authenticates with the scheme is kept, and cookies are', async () => {
  const headers = [
    { name: 'Authorization', value: 'Bearer eyJhbGciOi.x.y' },
    { name: 'proxy-authorization', value: 'basic YW5uOnMzY3JldA==' },
    { name: 'authorization', value: 'a-key-of-its-own' },
    { name: 'Cookie', value: 'session=0d1dc0ed' },
  ]
  const exchange = exchangeOf('https://a.test/')
  const { bytes } = await written([{ ...exchange, request: { ...exchange.request, headers } }])
  expect(readExchange(bytes).request.headers.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'Authorization: Bearer •••',
    'proxy-authorization: basic •••',
    'authorization: •••',
    'Cookie: session=0d1dc0ed',
  ])
})

test('bytes that are no recording are refused', async () => {
  expect(() => readExchange(Buffer.from('x'))).toThrow(RangeError)
  const { bytes, writer } = await written([exchangeOf('https://a.test/')])
  const read = async () => {
    for await (const exchange of readRecording(piecesOf(bytes.subarray(1), 100), writer.index)) void exchange
  }
  await expect(read()).rejects.toThrow('The recording is shorter than its index says.')
})
