import { gzipSync } from 'node:zlib'
import {
  answerQuestion,
  counterOf,
  errorsByClass,
  phaseMeans,
  planQuestion,
  requestMetrics,
  userCounterOf,
  type SeriesQuestion,
} from '@flamegate/series'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MeasuredResults } from '../ports/index.ts'
import { holdsOthers } from '../bench-runs/holds-others.ts'
import { readBenchResults } from './read-bench-results.ts'
import { batchesOf } from './tick-frames.ts'

async function* inPieces(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** What a run has of results when they are stored: answers of series, as pages ask for them. */
async function imported(content: string | Uint8Array) {
  const frames: Uint8Array[] = []
  const outcome = await readBenchResults(inPieces(Buffer.from(content)), (frame) => void frames.push(frame))
  if ('refused' in outcome) throw new Error(outcome.refused)
  const { results, format } = outcome
  const live: { agent: number; second: number; bytes: Uint8Array }[] = []
  // As they are read from a file: frames are cut anywhere.
  for await (const { ticks } of batchesOf(inPieces(Buffer.concat(frames), 1000), results.startedAtMs / 1000))
    for (const tick of ticks) live.push({ agent: 0, ...tick })
  const containers = new Set(results.actions.flatMap((action, place) => (holdsOthers(action) ? [place] : [])))
  const ask = <Kind extends 'requests' | 'users'>(kind: Kind, more: Partial<SeriesQuestion<Kind>> = {}) => {
    const question = {
      kind,
      from: 0,
      to: Math.max(1, results.durationMs / 1000),
      pointsMax: 1,
      ...more,
    } as SeriesQuestion<Kind>
    return answerQuestion(question, planQuestion(question, { rolledTo: 0, hoursTo: 0 }), {
      chunks: [],
      live,
      run: { containers },
    })
  }
  const total = () => {
    const bucket = ask('requests').groups[0]?.buckets[0]
    if (bucket === undefined) throw new Error('There are no requests')
    return bucket
  }
  return { results, format, frames, ask, total }
}

const refusal = async (content: string | Uint8Array) => {
  const outcome = await readBenchResults(inPieces(Buffer.from(content)), () => undefined)
  return 'refused' in outcome ? outcome.refused : `It was read: ${JSON.stringify(outcome.results)}`
}

const t = Date.UTC(2026, 10, 20, 10)
const heading =
  'timeStamp,elapsed,label,responseCode,responseMessage,success,bytes,allThreads,Latency,Connect'
const row = (atMs: number, ms: number, label = 'home', rest = '200,OK,true,100,5,10,4') =>
  `${t + atMs},${ms},${label},${rest}`
const jtl = (...rows: string[]) => [heading, ...rows, ''].join('\n')

test('a run begins with the whole second of its first request, and lasts as long as its last one', async () => {
  const { results } = await imported(jtl(row(1_250, 100), row(900, 5_000), row(3_000, 10)))
  expect(new Date(results.startedAtMs).toISOString()).toBe('2026-11-20T10:00:00.000Z')
  expect(results.durationMs).toBe(6_000)
  expect(results.requestCount).toBe(3)
})

test('where nothing is told for hours, no second is stored', async () => {
  const week = 7 * 86_400_000 - 2000
  const { results, ask, total } = await imported(jtl(row(0, 10), row(3_000_000, 10), row(week, 10)))
  expect(results.durationMs).toBe(week + 1000)
  expect(counterOf(total(), 'count')).toBe(3)
  expect(results.usersMax).toBe(5)
  const seconds = ask('users', { to: 12_000, pointsMax: 12_000 }).groups[0]?.buckets ?? []
  const users = seconds.map(({ usersMax }) => usersMax)
  // Of the two that are 50 minutes apart, and an hour from the second one on.
  expect(users.findLastIndex((count) => count > 0)).toBe(3000 + 3600)
  expect(new Set(users.slice(0, 6601))).toEqual(new Set([5]))
  expect(results.notes).toEqual([expect.stringContaining('167 hours in all')])
})

test('counts and percentiles are those of all rows, whatever their order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(30_000), fc.nat(40_000), fc.boolean()), { minLength: 1, maxLength: 200 }),
      async (drawn) => {
        const { total, results } = await imported(
          jtl(
            ...drawn.map(([atMs, ms, isGood]) =>
              row(atMs, ms, 'home', isGood ? '200,OK,true,100,5,0,0' : '503,No,false,100,5,0,0'),
            ),
          ),
        )
        const sorted = drawn.map(([, ms]) => ms).toSorted((a, b) => a - b)
        const bucket = total()
        expect(counterOf(bucket, 'count')).toBe(drawn.length)
        expect(results.requestCount).toBe(drawn.length)
        expect(requestMetrics.errors(bucket)).toBe(drawn.filter(([, , isGood]) => !isGood).length)
        expect(counterOf(bucket, 'received_bytes')).toBe(100 * drawn.length)
        for (const [name, percent] of [
          ['p50', 50],
          ['p95', 95],
          ['p99', 99],
          ['max', 100],
        ] as const) {
          const wanted = 1000 * (sorted[Math.max(1, Math.ceil((percent / 100) * sorted.length)) - 1] ?? 0)
          // The precision of a histogram: a thousandth.
          expect(Math.abs((requestMetrics[name](bucket, 'response') ?? NaN) - wanted)).toBeLessThanOrEqual(
            wanted / 1000,
          )
        }
      },
    ),
    { numRuns: 50 },
  )
})

test('requests count in the second in which they ended, and users stay until others are told of', async () => {
  const { ask } = await imported(
    jtl(row(0, 100, 'home', '200,OK,true,0,2,0,0'), row(3_500, 1_000, 'home', '200,OK,true,0,7,0,0')),
  )
  const bySecond = ask('requests', { pointsMax: 100 }).groups[0]?.buckets
  expect(bySecond?.map((bucket) => counterOf(bucket, 'count'))).toEqual([1, 0, 0, 0, 1])
  const users = ask('users', { pointsMax: 100 }).groups[0]?.buckets
  expect(users?.map((bucket) => bucket.users)).toEqual([2, 2, 2, 2, 7])
})

const withHost = (host: string, users: number) =>
  `${heading},Hostname\n${row(0, 10, 'home', `200,OK,true,0,${users},0,0`)},${host}\n`

test('users of several machines count together, those of one are told of by all its files', async () => {
  const { results } = await imported(withHost('a', 5) + withHost('b', 3) + withHost('a', 6))
  expect(results.usersMax).toBe(9)
})

test('phases and classes of failures are there', async () => {
  const { total } = await imported(
    jtl(row(0, 100, 'home', '200,OK,true,0,1,60,20'), row(10, 50, 'home', '404,Not Found,false,0,1,50,0')),
  )
  const { connect, wait, download } = phaseMeans(total()) ?? {}
  // Sums over both, in microseconds: 20; 40 and 50; 40 and 0 ms.
  expect([connect, wait, download]).toEqual([10_000, 45_000, 20_000])
  expect(errorsByClass(total())).toMatchObject([{ class: 'status_4xx', count: 1 }])
})

test('transactions are containers, and totals leave them out', async () => {
  const words = ',"Number of samples in transaction : 1, number of failing samples : 0",true,0,1,0,0'
  const { results, total } = await imported(jtl(row(0, 10), row(0, 900, 'checkout', words)))
  expect(results.actions.map(({ type, name }) => `${type} ${name}`)).toEqual([
    'http_request home',
    'container checkout',
  ])
  expect(counterOf(total(), 'count')).toBe(1)
  const alone = await imported(jtl(row(0, 900, 'checkout', words)))
  expect(counterOf(alone.total(), 'count')).toBe(1)
  expect(alone.results.notes).toEqual(['It tells of transactions only, so these count as requests.'])
})

test('iterations of k6 and percentiles of Locust are kept', async () => {
  const k6 = await imported(
    'metric_name,timestamp,metric_value,status\nhttp_req_duration,1764000000,20,200\nvus,1764000000,3,\niterations,1764000001,4,\n',
  )
  const [users] = k6.ask('users').groups[0]?.buckets ?? []
  expect(users && [users.usersMax, userCounterOf(users, 'iterations')]).toEqual([3, 4])
  const locust = await imported(
    'Timestamp,User Count,Type,Name,50%,90%,100%,Total Request Count,Total Failure Count\n1764000000,5,GET,/a,20,40,80,100,3\n1764000000,5,,Aggregated,20,40,80,100,3\n',
  )
  const bucket = locust.total()
  expect(counterOf(bucket, 'count')).toBe(100)
  expect(requestMetrics.errors(bucket)).toBe(3)
  const percentile = (name: 'p50' | 'p90' | 'max') =>
    Math.round((requestMetrics[name](bucket, 'response') ?? 0) / 1000)
  expect([percentile('p50'), percentile('p90'), percentile('max')]).toEqual([20, 40, 80])
})

test('more seconds than are held at once are all there in the end', async () => {
  const rows = Array.from({ length: 12_000 }, (_, index) => row(((index * 7_919) % 12_000) * 1000, 10))
  const { total, frames } = await imported(jtl(...rows))
  expect(counterOf(total(), 'count')).toBe(12_000)
  // Requests of each, and users of each.
  expect(frames.length).toBeGreaterThanOrEqual(24_000)
})

test('of more names than can be told apart the rest is told of together', async () => {
  const rows = Array.from({ length: 2_100 }, (_, index) => row(0, 10, `item ${index}`))
  const { results, total } = await imported(jtl(...rows))
  expect(results.actions).toHaveLength(2_001)
  expect(results.actions.at(-1)?.name).toBe('(other names)')
  expect(results.notes).toEqual([expect.stringContaining('more than 2000 names')])
  expect(counterOf(total(), 'count')).toBe(2_100)
})

const failing = (index: number) =>
  row(index, 10, 'login', '401,"No, password=s3cret was wrong",false,0,1,0,0')

test('the first failures of each kind are kept, without secrets', async () => {
  const { results } = await imported(jtl(...Array.from({ length: 20 }, (_, index) => failing(index))))
  expect(results.samples).toHaveLength(5)
  expect(results.samples[0]).toMatchObject({
    action: 0,
    errorClass: 'status_4xx',
    message: '401 No, password=••• was wrong',
    at: new Date(t + 10),
  })
})

test.each<[string, string, RegExp]>([
  [
    'a time of 1970 among others',
    jtl(row(0, 5), row(500 - t, 5)),
    /began at 1970-01-01T00:00:00\.505Z.*milliseconds since 1970/,
  ],
  ['times in seconds', jtl(`${t / 1000},5,home,200,OK,true,0,1,0,0`), /milliseconds since 1970/],
  [
    'more than a week',
    jtl(row(0, 5), row(8 * 86_400_000, 5)),
    /from 2026-11-20.* to 2026-11-28.*7 days at most/,
  ],
  ['no row', `${heading}\n`, /no request/],
  [
    'rows that cannot be read',
    jtl(...Array.from({ length: 20 }, () => 'x,y')),
    /^20 of 20 parts cannot be read\. line 2: it has 2 cells/,
  ],
])('%s is refused in words', async (_what, content, words) => {
  expect(await refusal(content)).toMatch(words)
})

test('a few rows that cannot be read are told of', async () => {
  const { results } = await imported(jtl(row(0, 5), 'x,y', row(1, 5)))
  expect(results.notes).toEqual([
    '1 of 3 parts could not be read. line 3: it has 2 cells, and the heading 10.',
  ])
})

test('numbers of any size end in results, or in words', async () => {
  const cell = fc.oneof(
    fc.constantFrom('', '0', '-1', '1e400', 'NaN', '999999999999999', 'true', 'false', 'null', '"'),
    fc.nat().map(String),
    fc.string({ maxLength: 10 }),
  )
  const k6 = fc.double({ noNaN: false })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(cell, { minLength: 9, maxLength: 9 }), { maxLength: 8 }),
      k6,
      async (rows, value) => {
        const texts = [
          jtl(row(0, 5), ...rows.map((cells) => `${t},${cells.join(',')}`)),
          `metric_name,timestamp,metric_value,status\nhttp_req_duration,1764000000,${value},200\nvus,1764000000,${value},\niterations,1764000000,${value},\n`,
          `Timestamp,User Count,Type,Name,50%,Total Request Count,Total Failure Count\n1764000000,${value},GET,/a,${value},${value},${value}\n`,
        ]
        // Nothing is thrown.
        expect(await Promise.all(texts.map(refusal))).toEqual(texts.map(() => expect.any(String)))
      },
    ),
    { numRuns: 100 },
  )
})

test('a large file takes no more memory than a small one', async () => {
  const lines = Array.from({ length: 10_000 }, (_, index) =>
    row(index * 10, index % 997, `page ${index % 50}`),
  )
  const block = Buffer.from(`${lines.join('\n')}\n`)
  const heldBy = async (blocks: number) => {
    async function* content(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${heading}\n`)
      for (let index = 0; index < blocks; index++) yield* inPieces(block)
    }
    let held = 0
    const outcome = await readBenchResults(content(), () => {
      held = Math.max(held, process.memoryUsage().heapUsed)
    })
    return { requests: 'refused' in outcome ? 0 : outcome.results.requestCount, held }
  }
  const small = await heldBy(5)
  const large = await heldBy(50)
  expect([small.requests, large.requests]).toEqual([50_000, 500_000])
  // It has 25 MB, and garbage is collected late.
  expect(large.held).toBeLessThan(small.held + 100_000_000)
})

test('what was packed is the same', async () => {
  const plain = await imported(jtl(row(0, 5), row(1, 7)))
  const packed = await imported(gzipSync(jtl(row(0, 5), row(1, 7))))
  expect(packed.results satisfies MeasuredResults).toEqual(plain.results)
  expect(packed.format).toBe('jtl')
})
