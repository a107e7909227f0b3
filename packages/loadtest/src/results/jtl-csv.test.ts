import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { collected } from '../testing/results.ts'

const heading =
  'timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect'
const row =
  '1764000000000,250,home,200,OK,Users 1-1,text,true,,5000,120,1,7,https://shop.example.com/,180,0,30'

test('a row is a request: it ends after its elapsed time, and its phases are between its moments', async () => {
  const { format, samples, users } = await collected(`${heading}\n${row}\n`)
  expect(format).toBe('jtl')
  expect(samples).toEqual([
    {
      type: 'http_request',
      path: [],
      name: 'home',
      endMs: 1_764_000_000_250,
      elapsedMs: 250,
      dnsMs: 0,
      connectMs: 30,
      tlsMs: 0,
      waitMs: 150,
      downloadMs: 70,
      sentBytes: 120,
      receivedBytes: 5000,
      status: 200,
      failure: null,
      url: 'https://shop.example.com/',
      user: 'Users 1-1',
    },
  ])
  expect(users).toEqual([{ source: '', atMs: 1_764_000_000_250, users: 7 }])
})

test.each([
  ['columns in another order', 'label,success,elapsed,timeStamp\nhome,true,250,1764000000000\n'],
  ['semicolons', 'timeStamp;elapsed;label;success\n1764000000000;250;home;true\n'],
  ['tabs', 'timeStamp\telapsed\tlabel\tsuccess\r\n1764000000000\t250\thome\ttrue\r\n'],
  ['bars', 'timeStamp|elapsed|label\n1764000000000|250|home'],
  ['cells in quotes', '"timeStamp","elapsed","label"\n"1764000000000","250","home"\n'],
  ['no heading', `${row}\n`],
  ['no heading, as before JMeter 5', `${row.replace(',https://shop.example.com/', '')}\n`],
  ['a byte order mark', `\uFEFF${heading}\n${row}\n`],
])('%s are read as well', async (_what, text) => {
  const { samples, skipped } = await collected(text)
  expect(samples).toMatchObject([{ name: 'home', elapsedMs: 250, endMs: 1_764_000_000_250, failure: null }])
  expect(skipped).toEqual([])
})

test('the microseconds of our own files are taken where they say the same as the milliseconds', async () => {
  const { samples } = await collected(
    'timeStamp,elapsed,label,Latency,"responseTimeUs"\n1764000000000,2,a,1,1568\n1764000000000,2,b,2,1501\n1764000000000,2,c,1,9000\n1764000000000,2,d,1,\n',
  )
  expect(samples.map(({ name, elapsedMs, waitMs, endMs }) => [name, elapsedMs, waitMs, endMs])).toEqual([
    ['a', 1.568, 1, 1_764_000_000_002],
    ['b', 1.501, 2, 1_764_000_000_002],
    ['c', 2, 1, 1_764_000_000_002],
    ['d', 2, 1, 1_764_000_000_002],
  ])
})

test('cells may hold delimiters, quotes and line ends', async () => {
  const { samples } = await collected(
    'timeStamp,elapsed,label,success,failureMessage\n1764000000000,5,"a, ""b""\nc",false,"no,\n""way"""\n1764000000001,6,d,true,\n',
  )
  expect(samples.map(({ name, failure }) => [name, failure?.message])).toEqual([
    ['a, "b"\nc', 'no,\n"way"'],
    ['d', undefined],
  ])
})

test('a quote that is never closed costs its row, and no other', async () => {
  const rest = Array.from({ length: 5 }, (_, index) => `176400000000${index},5,home`).join('\n')
  const { samples, skipped } = await collected(`timeStamp,elapsed,label\n1764000000000,5,"a\n${rest}\n`)
  expect(samples.map(({ name }) => name)).toEqual(['a', ...Array.from({ length: 5 }, () => 'home')])
  expect(skipped).toEqual([])
})

test('transactions are told apart by their message, and by their URL where they have none', async () => {
  const words = '"Number of samples in transaction : 2, number of failing samples : 1"'
  const told = await collected(
    `timeStamp,elapsed,label,responseCode,responseMessage,success,URL\n1764000000000,5,home,200,OK,true,null\n1764000000000,9,checkout,,${words},false,null\n`,
  )
  expect(told.samples.map(({ type, name }) => `${type} ${name}`)).toEqual([
    'http_request home',
    'container checkout',
  ])
  const untold = await collected(
    'timeStamp,elapsed,label,responseCode,success,URL\n1764000000000,5,home,200,true,http://a/\n1764000000000,9,checkout,200,true,null\n',
  )
  expect(untold.samples.map(({ type }) => type)).toEqual(['http_request', 'container'])
  expect(untold.notes).toEqual([expect.stringContaining('no column responseMessage')])
})

test.each([
  ['404', 'Not Found', '', 'status_4xx', 404],
  ['503', 'Service Unavailable', '', 'status_5xx', 503],
  ['200', 'OK', 'Test failed: text expected to contain /cart/', 'assertion', 200],
  ['Non HTTP response code: java.net.SocketTimeoutException', 'Read timed out', '', 'timeout', 0],
  ['Non HTTP response code: java.net.UnknownHostException', 'shop.invalid', '', 'dns', 0],
  ['Non HTTP response code: org.apache.http.conn.HttpHostConnectException', 'refused', '', 'connect', 0],
  ['Non HTTP response code: javax.net.ssl.SSLHandshakeException', 'No trust', '', 'tls', 0],
  ['Non HTTP response code: java.net.SocketException', 'Connection reset', '', 'reset', 0],
  ['', 'whatever', '', 'other', 0],
])('the failure %s %s %s is of the class %5$s', async (code, message, why, wanted, status) => {
  const { samples } = await collected(
    `timeStamp,elapsed,label,responseCode,responseMessage,success,failureMessage\n1764000000000,5,home,${code},${message},false,${why}\n`,
  )
  expect(samples).toMatchObject([{ status, failure: { class: wanted } }])
})

test.each([
  ['2026/01/02 10:00:00.000,5,home', /line 2: its time is "2026\/01\/02 10:00:00.000".*timestamp_format=ms/],
  ['1764000000000,fast,home', /line 2: its elapsed time is "fast"/],
  ['1764000000000,5', /line 2: it has 2 cells, and the heading 3/],
])('a row %s cannot be read, and it is told why', async (bad, words) => {
  const { samples, skipped } = await collected(`timeStamp,elapsed,label\n${bad}\n1764000000000,5,home\n`)
  expect(samples).toHaveLength(1)
  expect(skipped).toEqual([expect.stringMatching(words)])
})

test('a success in the words of another language is not taken for one', async () => {
  const { samples, skipped } = await collected(
    'timeStamp,elapsed,label,success\n1764000000000,5,home,FALSCH\n1764000000000,5,home,TRUE\n1764000000000,5,home,\n',
  )
  expect(samples.map(({ failure }) => failure)).toEqual([null, null])
  expect(skipped).toEqual([
    expect.stringMatching(/line 2: its success is "FALSCH", and must be true or false/),
  ])
})

test('sums of samples have no times of single ones', async () => {
  const { skipped } = await collected('timeStamp,elapsed,label,SampleCount\n1764000000000,50,home,10\n')
  expect(skipped).toEqual([expect.stringContaining('sum of 10 samples')])
})

test('a heading that lacks what is needed is refused', async () => {
  await expect(collected('timeStamp,elapsed,success\n1764000000000,5,true\n')).rejects.toThrow(
    'line 1: The JTL has no column label.',
  )
  await expect(collected('1764000000000,5,home,true\n')).rejects.toThrow('print_field_names=true')
})

test('what comes in pieces of any size, with any labels, is the same', async () => {
  const label = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !text.includes('\r'))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(label, fc.nat(100_000)), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 50 }),
      async (rows, size) => {
        const written = rows.map(([name, ms]) => `1764000000000,${ms},"${name.replaceAll('"', '""')}",true\n`)
        const { samples } = await collected(`timeStamp,elapsed,label,success\n${written.join('')}`, size)
        expect(samples.map(({ name, elapsedMs }) => [name, elapsedMs])).toEqual(rows)
      },
    ),
  )
})
