import { expect, test } from 'vitest'
import { collected } from '../testing/results.ts'

const t = 1_764_000_000_000

test("Gatling's log has requests in groups, failures with their words, and users who come and go", async () => {
  const { format, samples, users, skipped } = await collected(
    [
      `RUN\tshop.Simulation\tshop\t${t}\t \t3.9.5`,
      `USER\tBuyers\tSTART\t${t}`,
      `USER\tBuyers\tSTART\t${t + 500}`,
      `REQUEST\tcheckout,pay\tpost order\t${t + 100}\t${t + 350}\tOK\t `,
      `REQUEST\t\thome\t${t + 400}\t${t + 410}\tKO\tstatus.find.in(200,304), but actually found 503`,
      `REQUEST\t\thome\t${t + 400}\t${t + 410}\tKO\tj.n.ConnectException: Connection refused`,
      `REQUEST\t\thome\t${t + 400}\t${t + 410}\tKO\tregex(x).find.exists, found nothing`,
      `GROUP\tcheckout,pay\t${t + 100}\t${t + 400}\t250\tOK`,
      `USER\tBuyers\tEND\t${t + 900}`,
      'ERROR\tsomething\t1764000000000',
      '',
    ].join('\n'),
  )
  expect(format).toBe('gatling')
  expect(
    samples.map(({ type, path, name, elapsedMs }) => [type, ...path, name, elapsedMs].join(' ')),
  ).toEqual([
    'http_request checkout pay post order 250',
    'http_request home 10',
    'http_request home 10',
    'http_request home 10',
    'container checkout pay 300',
  ])
  expect(samples.map(({ status, failure }) => [status, failure?.class])).toEqual([
    [0, undefined],
    [503, 'status_5xx'],
    [0, 'connect'],
    [0, 'assertion'],
    [0, undefined],
  ])
  expect(users.map(({ users: count }) => count)).toEqual([1, 2, 1])
  expect(skipped).toEqual([])
})

test('older logs of Gatling number their users', async () => {
  const { samples, users } = await collected(
    [
      `RUN\tshop.Simulation\tshop\t${t}\t \t3.3.1`,
      `USER\tBuyers\t3\tSTART\t${t}\t${t}`,
      `REQUEST\t3\tcheckout\thome\t${t}\t${t + 20}\tOK\t `,
      `GROUP\t3\tcheckout\t${t}\t${t + 30}\t20\tOK`,
      `USER\tBuyers\t3\tEND\t${t}\t${t + 900}`,
    ].join('\n'),
  )
  expect(samples.map(({ path, name, endMs }) => [...path, name, endMs - t].join(' '))).toEqual([
    'checkout home 20',
    'checkout 30',
  ])
  expect(users.map(({ users: count, atMs }) => [count, atMs - t])).toEqual([
    [1, 0],
    [0, 900],
  ])
})

const history =
  'Timestamp,User Count,Type,Name,Requests/s,Failures/s,50%,95%,100%,Total Request Count,Total Failure Count,Total Median Response Time,Total Average Response Time,Total Min Response Time,Total Max Response Time,Total Average Content Size'

test("Locust's history with all names has what came in each second, by its percentiles", async () => {
  const { format, bands, users, notes } = await collected(
    [
      history,
      '1764000000,5,GET,/cart,0,0,N/A,N/A,N/A,0,0,0,0,0,0,0',
      '1764000000,5,,Aggregated,0,0,N/A,N/A,N/A,0,0,0,0,0,0,0',
      '1764000001,6,GET,/cart,10,1,20,40,55,10,1,20,21,10,55,100',
      '1764000001,6,,Aggregated,10,1,20,40,55,10,1,20,21,10,55,100',
      '1764000002,6,GET,/cart,20,1,22,44,60,30,1,20,21,10,60,100',
    ].join('\n'),
  )
  expect(format).toBe('locust')
  expect(bands).toEqual([
    {
      name: 'GET /cart',
      endMs: t + 1000,
      count: 10,
      failed: 1,
      percentiles: [
        { percent: 50, ms: 20 },
        { percent: 95, ms: 40 },
        { percent: 100, ms: 55 },
      ],
    },
    expect.objectContaining({ endMs: t + 2000, count: 20, failed: 0 }),
  ])
  expect(users.map((each) => each.users)).toEqual([5, 6])
  expect(notes).toEqual([expect.stringMatching(/near, and not exact/)])
})

test('without names its percentiles are those of the end, and it says what is not known', async () => {
  const { bands, notes } = await collected(
    [
      history,
      '1764000001,6,,Aggregated,10,1,99,99,99,10,1,20,21,10,55,100',
      '1764000002,6,,Aggregated,20,1,22,44,60,30,1,20,21,10,60,100',
    ].join('\n'),
  )
  expect(bands.map(({ name, count, percentiles }) => [name, count, percentiles[0]?.ms])).toEqual([
    ['All requests', 10, 22],
    ['All requests', 20, 22],
  ])
  expect(notes).toEqual([expect.stringContaining('--csv-full-history')])
})

test("Locust's table of totals has no times, and is refused", async () => {
  await expect(
    collected('Type,Name,Request Count,Failure Count,Median Response Time\nGET,/cart,10,0,20\n'),
  ).rejects.toThrow('_stats_history.csv')
})

const entry = (path: string, status: number, rest: object = {}) => ({
  pageref: 'p1',
  startedDateTime: '2026-11-20T10:00:00.000Z',
  time: 100.5,
  request: { method: 'GET', url: `https://shop.example.com${path}`, headersSize: 100, bodySize: 0 },
  response: { status, statusText: 'x', headersSize: 50, bodySize: 950 },
  timings: { blocked: 1, dns: 2, connect: 30, ssl: 20, send: 1, wait: 50, receive: 16.5 },
  ...rest,
})

test('entries of a HAR are requests of one user, in their pages', async () => {
  const { format, samples, users } = await collected(
    JSON.stringify({
      log: {
        version: '1.2',
        pages: [
          {
            id: 'p1',
            title: 'Cart',
            startedDateTime: '2026-11-20T10:00:00.000Z',
            pageTimings: { onLoad: 300 },
          },
        ],
        entries: [
          entry('/cart?id=1', 200),
          entry('/gone', 404),
          entry('/', 0, { response: { _error: 'net::ERR_NAME_NOT_RESOLVED' } }),
        ],
      },
    }),
  )
  expect(format).toBe('har')
  expect(samples.map(({ type, path, name }) => [type, ...path, name].join(' '))).toEqual([
    'container Cart',
    'http_request Cart GET https://shop.example.com/cart',
    'http_request Cart GET https://shop.example.com/gone',
    'http_request Cart GET https://shop.example.com/',
  ])
  expect(samples[1]).toMatchObject({
    elapsedMs: 100.5,
    dnsMs: 2,
    connectMs: 10,
    tlsMs: 20,
    waitMs: 51,
    downloadMs: 16.5,
    sentBytes: 100,
    receivedBytes: 1000,
  })
  expect(samples.map(({ failure }) => failure?.class)).toEqual([undefined, undefined, 'status_4xx', 'dns'])
  expect(new Set(users.map((each) => each.users))).toEqual(new Set([1]))
})
