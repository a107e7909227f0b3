import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Exchange, ExchangeBody } from '../../recording/exchange.ts'
import { importedHar } from '../../testing/har.ts'
import { exportHar } from './export-har.ts'

async function harOf(exchanges: readonly Exchange[]): Promise<Buffer> {
  async function* each(): AsyncGenerator<Exchange> {
    yield* exchanges
  }
  const pieces: Uint8Array[] = []
  for await (const piece of exportHar(each())) pieces.push(piece)
  return Buffer.concat(pieces)
}

const word = fc.stringMatching(/^[A-Za-z][a-z-]{0,8}$/)
const headers = fc.array(fc.record({ name: word, value: fc.string({ unit: 'grapheme' }) }), { maxLength: 4 })
const phase = fc.option(fc.nat(5000))
const text = fc.record({
  contentType: fc.constantFrom(null, 'text/html; charset=utf-8', 'application/json', 'text/plain'),
  content: fc.string({ unit: 'grapheme', minLength: 1 }),
  encoding: fc.constant('text' as const),
})
const binary = fc.record({
  contentType: fc.constantFrom(null, 'image/png', 'application/octet-stream'),
  content: fc
    .uint8Array({ minLength: 1, maxLength: 40 })
    .map((bytes) => Buffer.from(bytes).toString('base64')),
  encoding: fc.constant('base64' as const),
})
const content = fc.oneof(text, binary)
const sizes = fc.record({ sizeBytes: fc.integer({ min: 1, max: 1e6 }), isCut: fc.boolean() })
const answered = fc
  .tuple(content, sizes, fc.option(fc.nat(1e6)))
  .map(([kept, size, transferredBytes]): ExchangeBody => ({ ...kept, ...size, transferredBytes }))
const unkept = fc
  .tuple(sizes, fc.option(fc.nat(1e6)))
  .map(([{ sizeBytes }, transferredBytes]): ExchangeBody => ({
    contentType: 'image/png',
    content: null,
    encoding: 'text',
    isCut: true,
    sizeBytes,
    transferredBytes,
  }))
// What is sent has one size in a HAR.
const sent = fc
  .tuple(content, sizes)
  .map(([kept, size]): ExchangeBody => ({ ...kept, ...size, transferredBytes: size.sizeBytes }))
const httpVersion = fc.constantFrom(null, 'HTTP/1.1', 'h2')

const exchange: fc.Arbitrary<Exchange> = fc
  .record({
    startedAt: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString()),
    request: fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT'),
      url: fc.webUrl({ withQueryParameters: true }),
      httpVersion,
      headers,
      body: fc.option(sent),
    }),
    response: fc.option(
      fc.record({
        status: fc.integer({ min: 100, max: 599 }),
        statusText: fc.string(),
        httpVersion,
        headers,
        body: fc.option(fc.oneof(answered, unkept)),
      }),
    ),
    timings: fc.record({
      blockedMs: phase,
      dnsMs: phase,
      connectMs: phase,
      tlsMs: phase,
      sendMs: fc.nat(5000),
      firstByteMs: fc.nat(5000),
      downloadMs: fc.nat(5000),
      totalMs: fc.nat(50_000),
    }),
    remoteAddress: fc.constantFrom(null, '127.0.0.1:8080', '[::1]:443', '10.0.0.1'),
  })
  .map((made) => ({ ...made, error: made.response === null ? 'connection refused' : null }))

test('a HAR that was written is read as the same exchanges', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(exchange, { maxLength: 5 }), async (exchanges) => {
      const imported = await importedHar(await harOf(exchanges))
      expect(imported.exchanges).toEqual(exchanges)
    }),
    { numRuns: 300 },
  )
})

test('it has what the specification asks for', async () => {
  const [made] = fc.sample(exchange, { numRuns: 1, seed: 1 })
  const { log } = JSON.parse(
    (
      await harOf([
        {
          ...made!,
          request: {
            ...made!.request,
            url: 'https://a.test/?b=c',
            headers: [{ name: 'Cookie', value: 'd=e=f; g=h' }],
          },
        },
      ])
    ).toString(),
  )
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'Flamegate' } })
  expect(log.entries[0].request).toMatchObject({
    queryString: [{ name: 'b', value: 'c' }],
    cookies: [
      { name: 'd', value: 'e=f' },
      { name: 'g', value: 'h' },
    ],
  })
  for (const name of ['send', 'wait', 'receive'])
    expect(log.entries[0].timings[name]).toBeGreaterThanOrEqual(0)
})
