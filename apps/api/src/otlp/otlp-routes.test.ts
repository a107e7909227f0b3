import { gzipSync } from 'node:zlib'
import { Problem, type Principal } from '@flamegate/contract'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lengthDelimitedField } from '../pushed/protobuf-fields.ts'
import { pushedBytesMax } from '../pushed/pushed-profile.ts'
import { otlpRoutes } from './otlp-routes.ts'

const principal: Principal = {
  userId: 'usr_ada',
  via: 'api_token',
  clientId: 'tok_1',
  clientName: 'Shop',
  scopes: ['push'],
}
const json = 'application/json'
const protobuf = 'application/x-protobuf'

let app: FastifyInstance
let calls: unknown[]
let leftOut: number
let refusal: Error | undefined

beforeEach(async () => {
  calls = []
  leftOut = 0
  refusal = undefined
  app = fastify()
  await app.register(
    otlpRoutes({
      identify: async ({ headers }) => {
        if (headers.authorization !== 'Bearer fg_secret')
          throw new Problem('unauthenticated', 'The API token is unknown, expired or revoked.')
        return principal
      },
      execute: async (operation, input) => {
        if (refusal !== undefined) throw refusal
        calls.push(operation.input.parse(input))
        return { live_app_id: 'app_1', sessions: [], left_out: leftOut, url: '' }
      },
    }),
  )
})
afterEach(() => app.close())

const post = (signal: string, payload: Buffer | string, type: string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: `/v1/live-apps/app_1/otlp/v1/${signal}`,
    payload,
    headers: { authorization: 'Bearer fg_secret', 'content-type': type, ...headers },
  })

// A metric with the name `carts`, below a resource and a scope.
const metric = lengthDelimitedField(
  1,
  lengthDelimitedField(2, lengthDelimitedField(2, lengthDelimitedField(1, Buffer.from('carts')))),
)

/** In either form: a message of protocol buffers begins with it. */
function codeOf({ headers, body, rawPayload }: Awaited<ReturnType<typeof post>>): unknown {
  return headers['content-type']?.startsWith(json) === true ? JSON.parse(body).code : rawPayload[1]
}

test('protobuf and JSON, packed or not, are one request', async () => {
  const request = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'carts' }] }] }] }
  const text = JSON.stringify(request)
  for (const said of [
    await post('metrics', metric, protobuf),
    await post('metrics', gzipSync(metric), protobuf, { 'content-encoding': 'gzip' }),
    await post('metrics', text, json),
    await post('metrics', gzipSync(text), `${json}; charset=utf-8`, { 'content-encoding': 'gzip' }),
  ]) {
    expect(said.statusCode).toBe(200)
    expect(said.body).toBe(said.headers['content-type']?.startsWith(json) ? '{}' : '')
  }
  expect(calls).toHaveLength(4)
  for (const call of calls) expect(call).toEqual({ live_app_id: 'app_1', signal: 'metrics', request })
})

test('spans come to the address of traces', async () => {
  await post('traces', '{"resourceSpans":[]}', json)
  expect(calls).toEqual([{ live_app_id: 'app_1', signal: 'traces', request: { resourceSpans: [] } }])
})

test('what there was no room for is told as partial success, in the form that was sent', async () => {
  leftOut = 7
  expect(JSON.parse((await post('traces', '{}', json)).body)).toEqual({
    partialSuccess: { errorMessage: expect.stringContaining('no room for 7 names') },
  })
  const { rawPayload, headers } = await post('metrics', metric, protobuf)
  expect(headers['content-type']).toBe(protobuf)
  // partial_success = 1, error_message = 2
  expect([rawPayload[0], rawPayload[2], rawPayload.subarray(4).toString()]).toEqual([
    0x0a,
    0x12,
    expect.stringContaining('no room for 7 names'),
  ])
})

test.each([
  ['without a token', () => post('metrics', '{}', json, { authorization: '' }), 401, 16, /token/],
  ['as text', () => post('metrics', '{}', 'text/plain'), 415, 3, /x-protobuf/],
  ['packed as br', () => post('metrics', '{}', json, { 'content-encoding': 'br' }), 415, 3, /gzip/],
  ['as gzip that is none', () => post('metrics', '{}', json, { 'content-encoding': 'gzip' }), 400, 3, /gzip/],
  ['that is no JSON', () => post('metrics', '{', json), 400, 3, /no JSON/],
  [
    'of too many objects',
    () => post('metrics', `[${'{},'.repeat(500_000)}{}]`, json),
    413,
    8,
    /more than 500000/,
  ],
  [
    'that is too large unpacked',
    () =>
      post('traces', gzipSync(Buffer.alloc(pushedBytesMax + 1, ' ')), json, { 'content-encoding': 'gzip' }),
    413,
    8,
    /16777216 bytes/,
  ],
  ['of logs', () => post('logs', '{}', json), 404, 5, /OTEL_LOGS_EXPORTER=none/],
])('a request %s is refused with a google.rpc.Status', async (_what, request, status, code, words) => {
  const said = await request()
  expect(said.statusCode).toBe(status)
  expect(said.body).toMatch(words)
  expect(codeOf(said)).toBe(code)
  expect(calls).toEqual([])
})

test('no message of protocol buffers is refused in protocol buffers', async () => {
  const { statusCode, headers, rawPayload } = await post('metrics', Buffer.from('xyz'), protobuf)
  expect([statusCode, headers['content-type']]).toEqual([400, protobuf])
  // code = 1, message = 2
  expect([...rawPayload.subarray(0, 3)]).toEqual([0x08, 3, 0x12])
  expect(rawPayload.toString()).toContain('no message of OTLP')
})

test.each([
  [new Problem('rate_limited', 'Too much.', { retryAfterSeconds: 7 }), 429, '7'],
  [new Problem('unavailable', 'Not now.', { retryAfterSeconds: 2 }), 503, '2'],
])('an exporter is told when to try again', async (problem, status, seconds) => {
  refusal = problem
  const said = await post('metrics', '{}', json)
  expect([said.statusCode, said.headers['retry-after']]).toEqual([status, seconds])
})
