import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readJtlCsv } from '../results/jtl-csv.ts'
import type { ResultSample, ResultSink } from '../results/result-sink.ts'
import { jtlHeading, jtlLine, nameRequest } from './jtl-lines.ts'
import { countRequestRows, readRequestLog, RequestLogError } from './read-request-log.ts'
import { RequestLogWriter } from './request-log-writer.ts'
import type { RequestRow } from './request-row.ts'

const plain: RequestRow = {
  endUs: 1_500_400,
  responseUs: 20_400,
  serviceUs: 18_000,
  connectUs: 2_000,
  downloadUs: 1_000,
  sentBytes: 120,
  receivedBytes: 4096,
  status: 200,
  action: 1,
  user: 6,
  iteration: 2,
  profileUsers: 10,
  allUsers: 14,
  errorClass: '',
  failure: '',
  url: 'http://shop.test/cart?id=7',
}
const run = {
  startedAtMs: 1_764_000_000_000,
  actions: [
    { path: ['checkout'], profile: 'buyers' },
    { path: ['checkout', 'GET /cart'], profile: 'buyers' },
  ],
}

const whole = fc.maxSafeNat()
const word = fc.oneof(fc.constantFrom('', 'reset', 'http://a.test/x'), fc.string({ unit: 'grapheme' }))
const row: fc.Arbitrary<RequestRow> = fc.record({
  // As far as a run of a week goes, in any order.
  endUs: fc.nat(604_800_000_000),
  responseUs: whole,
  serviceUs: fc.oneof(fc.constant(-1), fc.nat(1e9)),
  connectUs: whole,
  downloadUs: fc.oneof(fc.constant(-1), fc.nat(1e9)),
  sentBytes: whole,
  receivedBytes: whole,
  status: fc.nat(999),
  action: fc.nat(65_535),
  user: fc.oneof(fc.constant(-1), fc.nat(1e9)),
  iteration: fc.oneof(fc.constant(-1), fc.nat(1e9)),
  profileUsers: whole,
  allUsers: whole,
  errorClass: word,
  failure: word,
  url: word,
})

function packed(rows: readonly RequestRow[], thread = 0): Uint8Array {
  const writer = new RequestLogWriter(thread)
  for (const each of rows) writer.add(each)
  return writer.take() ?? new Uint8Array()
}

describe('a log of requests', () => {
  test('is read as it was written, over any number of frames and threads', () => {
    fc.assert(
      fc.property(fc.array(fc.array(row, { maxLength: 20 }), { maxLength: 4 }), (frames) => {
        const piece = gzipSync(Buffer.concat(frames.map((rows, thread) => packed(rows, thread))))
        const expected = frames.flatMap((rows, thread) => rows.map((each) => ({ ...each, thread })))
        expect([...readRequestLog(piece)]).toEqual(expected)
        expect(countRequestRows(piece)).toBe(expected.length)
      }),
    )
  })

  test('begins anew with each frame, and is small', () => {
    const writer = new RequestLogWriter(3)
    for (let count = 0; count < 1000; count++) writer.add({ ...plain, endUs: plain.endUs + count * 500 })
    expect(writer.rows).toBe(1000)
    const first = writer.take()
    expect(first?.length).toBeLessThan(35_000)
    expect([writer.rows, writer.take()]).toEqual([0, undefined])
    writer.add(plain)
    expect([...readRequestLog(gzipSync(writer.take() ?? new Uint8Array()))]).toEqual([
      { ...plain, thread: 3 },
    ])
  })

  test.each([
    ['that is no gzip', new Uint8Array([1, 2, 3])],
    ['that is cut off', gzipSync(packed([plain]).subarray(0, -3))],
    ['with a row too few', gzipSync(withRows(packed([plain, plain]), 1))],
    ['with a row too many', gzipSync(withRows(packed([plain]), 2))],
    ['that is too large', gzipSync(new Uint8Array(5_000_000))],
  ])('is refused %s', (_, piece) => {
    expect(() => [...readRequestLog(piece)]).toThrow(RequestLogError)
  })
})

function withRows(frame: Uint8Array, rows: number): Uint8Array {
  new DataView(frame.buffer).setUint32(8, rows)
  return frame
}

function lineOf(each: RequestRow, thread = 0): string {
  const read = { ...each, thread }
  return jtlLine(read, nameRequest(read, { slot: 1, name: 'eu-1' }, run))
}

describe('a JTL of it', () => {
  test('has the columns of JMeter in its order, and more in quotes', () => {
    expect(lineOf(plain)).toBe(
      '1764000001480,20,checkout / GET /cart,200,,buyers 2.1-7,,true,,4096,120,10,14,http://shop.test/cart?id=7,19,eu-1,0,2,18000,20400,buyers,6,2,\n',
    )
    expect(lineOf(plain, 2)).toContain(',eu-1#3,')
  })

  test('has nothing where it is not known whose a request was', () => {
    const line = lineOf({ ...plain, user: -1, iteration: -1 })
    expect(line).toContain(',buyers 2.1,,true,')
    expect(line).toMatch(/,buyers,,,\n$/)
  })

  test('is read by our own import of JTL, with the same times and classes of errors', async () => {
    const failed = {
      ...plain,
      status: 0,
      serviceUs: -1,
      downloadUs: -1,
      errorClass: 'refused_target',
      failure: 'GET: it said "no", and more,\nin two lines',
      url: '',
    }
    const unexpected = { ...plain, errorClass: 'extractor', failure: 'no id in it' }
    const samples = await imported(
      jtlHeading + [plain, failed, unexpected].map((each) => lineOf(each)).join(''),
    )
    expect(samples.map(({ failure }) => failure?.class ?? null)).toEqual([
      null,
      'refused_target',
      'extractor',
    ])
    expect(samples[0]).toMatchObject({
      type: 'http_request',
      name: 'checkout / GET /cart',
      endMs: 1_764_000_001_500,
      elapsedMs: 20.4,
      connectMs: 2,
      waitMs: 17,
      downloadMs: 1,
      sentBytes: 120,
      receivedBytes: 4096,
      status: 200,
    })
    expect(samples[1]).toMatchObject({ status: 0, waitMs: 0, failure: { url: '' } })
  })
})

function refuse(...words: string[]): never {
  throw new Error(words.join(': '))
}

async function imported(jtl: string): Promise<ResultSample[]> {
  const samples: ResultSample[] = []
  async function* content(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(jtl)
  }
  const sink: ResultSink = {
    sample: (sample) => void samples.push(sample),
    band: () => refuse('a band'),
    users: () => {},
    iterations: () => {},
    skip: refuse,
    note: () => {},
  }
  await readJtlCsv(content(), sink)
  return samples
}
