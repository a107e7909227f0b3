import { describe, expect, test } from 'vitest'
import { SourceError } from '../import/importer.ts'
import { GatlingLogWriter } from '../testing/gatling-log.ts'
import { collected } from '../testing/results.ts'
import { readResults } from './read-results.ts'
import type { ResultSink } from './result-sink.ts'

const t = 1_764_000_000_000
const run = { version: '3.15.1', startMs: t, scenarios: ['Buyers', 'Администраторы'], assertions: 2 }

const nowhere = () => undefined

/** What Gatling writes for the end of a message that nobody asked for: the low bytes of Long.MinValue less the begin of the run. */
const noEnd = Number(BigInt.asIntN(32, -(2n ** 63n) - BigInt(t)))

const made = () =>
  new GatlingLogWriter(run)
    .user('Buyers', true, 0)
    .user('Администраторы', true, 500)
    .request(['checkout', 'pay'], 'заказ', [100, 350])
    .request([], 'home', [400, 410], 'status.find.in(200,304), found 503')
    .request([], 'home', [400, 410], 'j.n.ConnectException:\nConnection refused')
    .request([], 'home', [420, 420], 'j.n.ConnectException:\nConnection refused')
    .request(['checkout'], 'home', [430, 440], 'regex(Größe).find.exists, found nothing')
    .request([], 'ticker', [440, noEnd])
    .group(['checkout', 'pay'], [100, 400])
    .group(['checkout'], [100, 400], false)
    .error("No attribute named 'sku' is defined", 450)
    .user('Buyers', false, 900)
    .bytes()

const size = made().length

/** With another byte at a place. */
function changed(at: number, value: number): Buffer {
  const bytes = made()
  bytes[at] = value
  return bytes
}

test.each([1, 7, 65_536])(
  'a log in bytes that comes in pieces of %i has requests in groups, failures with their words, and users who come and go',
  async (pieceSize) => {
    const { format, samples, users, skipped, notes } = await collected(made(), pieceSize)
    expect(format).toBe('gatling')
    expect(
      samples.map(({ type, path, name, endMs, elapsedMs }) =>
        [type, ...path, name, endMs - t, elapsedMs].join(' '),
      ),
    ).toEqual([
      'http_request checkout pay заказ 350 250',
      'http_request home 410 10',
      'http_request home 410 10',
      'http_request home 420 0',
      'http_request checkout home 440 10',
      'container checkout pay 400 300',
      'container checkout 400 300',
    ])
    expect(samples.map(({ status, failure }) => [status, failure?.class, failure?.message])).toEqual([
      [0, undefined, undefined],
      [503, 'status_5xx', 'status.find.in(200,304), found 503'],
      [0, 'connect', 'j.n.ConnectException: Connection refused'],
      [0, 'connect', 'j.n.ConnectException: Connection refused'],
      [0, 'assertion', 'regex(Größe).find.exists, found nothing'],
      [0, undefined, undefined],
      [0, 'other', 'A request of the group failed.'],
    ])
    expect(users.map(({ users: count, atMs }) => [count, atMs - t])).toEqual([
      [1, 0],
      [2, 500],
      [1, 900],
    ])
    expect([...skipped, ...notes]).toEqual([])
  },
)

test('a log that is cut off gives what is whole, and says that it is', async () => {
  const { samples, skipped } = await collected(made().subarray(0, size - 12))
  expect(samples).toHaveLength(7)
  expect(skipped).toEqual(['record 12: the file ends within it'])
})

test('a request that ends before it begins is told', async () => {
  const { samples, skipped } = await collected(
    new GatlingLogWriter(run).request([], 'home', [5, 4]).request([], 'home', [5, 6]).bytes(),
  )
  expect(samples).toHaveLength(1)
  expect(skipped).toEqual(['record 2: it ends before it begins'])
})

describe('what cannot be read is refused in words', () => {
  /** Offset of the kind of the record behind that of the run. */
  const second = new GatlingLogWriter(run).bytes().length
  test.each<[what: string, bytes: Buffer, words: RegExp]>([
    [
      'another major version',
      new GatlingLogWriter({ ...run, version: '4.0.0' }).bytes(),
      /record 1 \(byte 0\).*Gatling 4\.0\.0.*not known/,
    ],
    ['a cut within its begin', made().subarray(0, second - 1), /record 1 .*Gatling 3\.15\.1.*ends within it/],
    [
      'a record of another kind',
      changed(second, 5),
      new RegExp(`record 2 \\(byte ${second}\\).*Gatling 3\\.15\\.1.*kind 5`),
    ],
    ['a scenario that is not there', changed(second + 4, 9), /record 2 .*no scenario 9/],
    ['a truth that is none', changed(second + 5, 2), /record 2 .*neither true nor false/],
    // The groups of the first request.
    ['more groups than can be', changed(second + 21, 0x7f), /record 4 .*no count/],
    [
      'a text that did not come before',
      Buffer.concat([
        new GatlingLogWriter(run).bytes(),
        Buffer.from([4, 0xff, 0xff, 0xff, 0xf8, 0, 0, 0, 0]),
      ]),
      /record 2 .*no text 8/,
    ],
    [
      'a text of more than two bytes for a character',
      Buffer.concat([
        new GatlingLogWriter(run).bytes(),
        Buffer.from([4, 0, 0, 0, 1, 0, 0, 0, 1, 65, 2, 0, 0, 0, 0]),
      ]),
      /record 2 .*coding 2/,
    ],
  ])('%s', async (_what, bytes, words) => {
    const refused = await collected(bytes).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(SourceError)
    expect(String(refused)).toMatch(words)
  })
})

test('whatever byte is changed, and wherever it ends, it is read or refused', async () => {
  const unexpected: unknown[] = []
  const tryOut = (bytes: Buffer) =>
    collected(bytes).catch((error: unknown) => void (error instanceof SourceError || unexpected.push(error)))
  for (let at = 40; at < size; at++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await tryOut(made().subarray(0, at))
    for (const value of [0, 1, 0x7f, 0xff]) {
      // oxlint-disable-next-line no-await-in-loop -- see above
      await tryOut(changed(at, value))
    }
  }
  expect(unexpected).toEqual([])
})

test('more different messages than can be held are refused, and not the end of the process', async () => {
  const start = new GatlingLogWriter(run).bytes()
  const text = Buffer.alloc(60_000, 65)
  /** Errors of the simulation, each with another number: 60 kB each, as many as are too many. */
  async function* pieces() {
    yield start
    for (let number = 1; number < 3000; number++) {
      const head = Buffer.from([4, 0, 0, 0, 0, 0, 0, 0, 0])
      head.writeInt32BE(number, 1)
      head.writeInt32BE(text.length, 5)
      yield Buffer.concat([head, text, Buffer.from([0, 0, 0, 0, 0])])
    }
  }
  const sink: ResultSink = {
    sample: nowhere,
    band: nowhere,
    users: nowhere,
    iterations: nowhere,
    skip: nowhere,
    note: nowhere,
  }
  await expect(readResults(pieces(), sink)).rejects.toThrow(/record \d+: There are 16\d\d different/)
})
