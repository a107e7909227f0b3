import { expect, test } from 'vitest'
import { collected } from '../testing/results.ts'

const metric = (name: string) =>
  JSON.stringify({ type: 'Metric', data: { name, type: 'trend', contains: 'time' }, metric: name })
const point = (name: string, value: number, tags: Record<string, string> = {}, second = 0) =>
  JSON.stringify({
    metric: name,
    type: 'Point',
    data: { time: `2026-11-20T10:00:0${second}.250+00:00`, value, tags },
  })
const at = Date.UTC(2026, 10, 20, 10, 0, 0, 250)

const tags = {
  method: 'GET',
  name: 'https://shop.example.com/cart',
  url: 'https://shop.example.com/cart?id=1',
  status: '200',
  expected_response: 'true',
  group: '::checkout::pay',
}
const parts = (given: Record<string, string>) => [
  point('http_reqs', 1, given),
  point('http_req_duration', 100, given),
  point('http_req_blocked', 40, given),
  point('http_req_connecting', 10, given),
  point('http_req_tls_handshaking', 25, given),
  point('http_req_sending', 1, given),
  point('http_req_waiting', 90, given),
  point('http_req_receiving', 9, given),
]

test('points of one request become one, with its phases, in its groups', async () => {
  const { format, samples, users, iterations } = await collected(
    [
      metric('http_reqs'),
      ...parts(tags),
      point('http_req_failed', 0, tags),
      point('group_duration', 140, { group: '::checkout::pay' }, 1),
      point('iterations', 1, {}, 1),
      point('vus', 5, {}, 1),
    ].join('\n'),
  )
  expect(format).toBe('k6')
  expect(samples).toEqual([
    {
      type: 'http_request',
      path: ['checkout', 'pay'],
      name: 'GET https://shop.example.com/cart',
      endMs: at,
      elapsedMs: 100,
      dnsMs: 0,
      connectMs: 10,
      tlsMs: 25,
      waitMs: 91,
      downloadMs: 9,
      sentBytes: 0,
      receivedBytes: 0,
      status: 200,
      failure: null,
      url: 'https://shop.example.com/cart?id=1',
    },
    expect.objectContaining({ type: 'container', path: ['checkout'], name: 'pay', elapsedMs: 140 }),
  ])
  expect(users).toEqual([{ source: '', atMs: at + 1000, users: 5 }])
  expect(iterations).toBe(1)
})

test.each([
  ['what k6 says', { ...tags, expected_response: '' }, 1, 'status_4xx'],
  ['the expectation', { ...tags, expected_response: 'false', status: '302' }, null, 'assertion'],
  ['a code', { status: '0', error_code: '1212', error: 'dial: connection refused' }, null, 'connect'],
  ['a timeout', { status: '0', error_code: '1050', error: 'request timeout' }, null, 'timeout'],
  ['a name', { status: '0', error_code: '1101', error: 'lookup: no such host' }, null, 'dns'],
  ['a reset', { status: '0', error_code: '1220' }, null, 'reset'],
  ['TLS', { status: '0', error_code: '1310' }, null, 'tls'],
  ['a status', { status: '503', error_code: '1503' }, null, 'status_5xx'],
  ['a status without a code', { status: '404' }, null, 'status_4xx'],
])('a request failed by %s', async (_what, given, failed, wanted) => {
  const status = 'status' in given && _what === 'what k6 says' ? { ...given, status: '404' } : given
  const { samples } = await collected(
    [...parts(status), ...(failed === null ? [] : [point('http_req_failed', failed, status)])].join('\n'),
  )
  expect(samples).toMatchObject([{ failure: { class: wanted } }])
})

test('who a request was of is known where that is told, as metadata or as tags', async () => {
  const before = point('http_req_duration', 100, { ...tags, vu: '3', iter: '12' })
  const since = before.replace('"tags":', '"metadata":{"vu":"4","iter":"0"},"ignored":')
  const { samples } = await collected([before, since, ...parts(tags)].join('\n'))
  expect(samples.map(({ user, iteration }) => [user, iteration])).toEqual([
    ['3', 12],
    ['4', 0],
    [undefined, undefined],
  ])
})

test('iterations that k6 left out are told of', async () => {
  const { notes } = await collected(
    [...parts(tags), point('dropped_iterations', 2), point('dropped_iterations', 1)].join('\n'),
  )
  expect(notes).toEqual([expect.stringContaining('3 iterations did not begin')])
})

test('checks are told of, and fail no request', async () => {
  const { samples, notes } = await collected(
    [...parts(tags), point('checks', 1, { check: 'a' }), point('checks', 0, { check: 'b' })].join('\n'),
  )
  expect(samples).toMatchObject([{ failure: null }])
  expect(notes).toEqual([expect.stringContaining('1 of 2 checks')])
})

const csvRow = (time: string) =>
  `http_req_duration,${time},100.5,,,,true,::checkout,GET,https://a/,HTTP/2.0,default,,200,,tls1.3,https://a/,`

test('the CSV tells the same, in times of any unit', async () => {
  const heading =
    'metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,service,status,subproto,tls_version,url,extra_tags'
  const times = [
    '1764000000',
    '1764000000250',
    '1764000000250000',
    '1764000000250000000',
    '2025-11-24T16:00:00.250Z',
  ]
  const { format, samples, notes } = await collected([heading, ...times.map(csvRow), ''].join('\n'))
  expect(format).toBe('k6')
  expect(samples.map(({ endMs }) => endMs)).toEqual([
    1_764_000_000_000,
    ...Array.from({ length: 4 }, () => 1_764_000_000_250),
  ])
  expect(samples[0]).toMatchObject({ path: ['checkout'], name: 'GET https://a/', elapsedMs: 100.5 })
  expect(notes).toEqual([expect.stringContaining('whole seconds')])
})

test('a summary of the end is refused, saying what to export', async () => {
  const summary = { root_group: { name: '' }, metrics: { http_req_duration: { avg: 1, 'p(95)': 2 } } }
  await expect(collected(JSON.stringify(summary, null, 2))).rejects.toThrow('--out json=')
})

test('a line that was cut off is passed over', async () => {
  const { samples, skipped } = await collected(
    `${parts(tags).join('\n')}\n{"type":"Point","metric":"vus","da`,
  )
  expect(samples).toHaveLength(1)
  expect(skipped).toEqual([expect.stringMatching(/^line 9: /)])
})
