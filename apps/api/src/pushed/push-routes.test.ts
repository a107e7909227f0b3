import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Problem, type Principal } from '@flamegate/contract'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lengthDelimitedField } from './protobuf-fields.ts'
import { pushRoutes } from './push-routes.ts'
import { pushedBytesMax } from './pushed-profile.ts'
import { recorded } from './test-requests.ts'

const principal: Principal = {
  userId: 'usr_ada',
  via: 'api_token',
  clientId: 'tok_1',
  clientName: 'Agent',
  scopes: ['upload'],
}
const prefix = '/v1/projects/prj_1/pyroscope'

let app: FastifyInstance
let calls: Record<string, unknown>[]
let stored: { key: string; bytes: Buffer }[]
let jobs: unknown[]
let credentials: (string | undefined)[]
let refusal: Error | undefined

beforeEach(async () => {
  calls = []
  stored = []
  jobs = []
  credentials = []
  refusal = undefined
  app = fastify()
  await app.register(
    pushRoutes({
      storage: {
        write: async (key, bytes) => {
          stored.push({ key, bytes: Buffer.from(bytes) })
          return { sizeBytes: bytes.length }
        },
      },
      queue: { add: async (name, payload) => void jobs.push({ name, ...payload }) },
      identify: async ({ headers }) => {
        credentials.push(headers.authorization)
        if (headers.authorization !== 'Bearer fg_secret')
          throw new Problem('unauthenticated', 'The API token is unknown, expired or revoked.')
        return principal
      },
      execute: async (operation, input) => {
        if (refusal !== undefined) throw refusal
        calls.push({ operation: operation.id, ...operation.input.parse(input) })
        const number = calls.length
        return { workspace_id: 'ws_1', file_id: `fil_${number}`, task_id: `tsk_${number}` }
      },
    }),
  )
})
afterEach(() => app.close())

const post = (url: string, payload: Buffer | string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, payload, headers: { authorization: 'Bearer fg_secret', ...headers } })
const ingest = (query: string, payload: Buffer | string, headers: Record<string, string> = {}) =>
  post(`${prefix}/ingest?${query}`, payload, { 'content-type': 'application/octet-stream', ...headers })
const send = (name: Parameters<typeof recorded>[0]) => {
  const { path, headers, body } = recorded(name)
  return post(prefix + path, body, headers)
}

describe('what agents of Pyroscope send', () => {
  test("the Node SDK's request becomes a file of the service, which is read", async () => {
    expect((await send('node-wall')).statusCode).toBe(200)
    expect(calls).toMatchObject([
      {
        operation: 'push_profile',
        project_id: 'prj_1',
        service: 'checkout',
        file_name: 'profile.pb.gz',
        size_bytes: 2857,
        started_at: '2026-11-21T21:20:03.000Z',
        duration_ms: 3000,
      },
    ])
    expect(calls[0]!['tags']).toContain('region=eu')
    expect(calls[0]!['tags']).toContain('process.runtime.name=nodejs')
    expect(calls[0]).not.toHaveProperty('stacks')
    expect(stored).toEqual([{ key: 'ws_1/fil_1', bytes: recorded('node-wall').body }])
    expect(jobs).toMatchObject([{ name: 'import_profile', taskId: 'tsk_1', workspaceId: 'ws_1' }])
  })

  test("the Go client's form is taken apart", async () => {
    expect((await send('go')).statusCode).toBe(200)
    expect(calls).toMatchObject([
      { service: 'checkout', tags: ['region=eu'], started_at: '2026-11-21T21:36:56.144Z', duration_ms: 1118 },
    ])
    expect(stored[0]!.bytes.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
    expect(recorded('go').body.includes(stored[0]!.bytes)).toBe(true)
  })

  test('the password of basic authentication is the token', async () => {
    await send('node-heap')
    expect(credentials).toEqual(['Bearer fg_secret'])
  })

  test.each([
    [
      'format=folded&name=checkout.alloc_space',
      { layout: 'folded', type: 'alloc_space', unit: 'bytes', scale: 1 },
    ],
    ['name=checkout', { layout: 'folded', type: 'cpu', unit: 'nanoseconds', scale: 1e7 }],
    ['format=lines&name=checkout.cpu&sampleRate=1000', { layout: 'lines', type: 'cpu', scale: 1e6 }],
    ['format=trie&name=checkout.wall', { layout: 'trie', type: 'wall' }],
    ['format=tree&name=checkout.mutex_count', { layout: 'tree', type: 'contentions', unit: 'count' }],
  ])('%s says what counted stacks are', async (query, stacks) => {
    await ingest(query, 'main;a 1\n')
    expect(calls).toMatchObject([{ service: 'checkout', stacks }])
    expect(gunzipSync(stored[0]!.bytes).toString()).toBe('main;a 1\n')
  })

  test('a recording of Java may come with contexts, of which the profile tells', async () => {
    const form = new FormData()
    form.set('jfr', new Blob(['FLR\0']), 'jfr')
    form.set('labels', new Blob(['x']), 'labels')
    const request = new Request('http://localhost', { method: 'POST', body: form })
    const body = Buffer.from(await request.arrayBuffer())
    await ingest('format=jfr&name=java-app', body, { 'content-type': request.headers.get('content-type')! })
    expect(calls).toMatchObject([
      { file_name: 'profile.jfr.gz', service: 'java-app', notes: [expect.stringContaining('contexts')] },
    ])
    expect(gunzipSync(stored[0]!.bytes).toString()).toBe('FLR\0')
  })

  test('nothing to tell is no profile', async () => {
    expect((await ingest('format=pprof&name=a', '')).statusCode).toBe(200)
    expect(calls).toEqual([])
  })
})

const text = (field: number, value: string) => lengthDelimitedField(field, Buffer.from(value))
const pushRequest = Buffer.concat(
  ['cpu one', 'cpu two'].map((profile) =>
    lengthDelimitedField(
      1,
      Buffer.concat([
        lengthDelimitedField(1, Buffer.concat([text(1, 'service_name'), text(2, 'checkout')])),
        lengthDelimitedField(1, Buffer.concat([text(1, '__name__'), text(2, 'process_cpu')])),
        lengthDelimitedField(1, Buffer.concat([text(1, 'pod'), text(2, profile)])),
        lengthDelimitedField(2, Buffer.concat([text(1, profile), text(2, 'an id')])),
      ]),
    ),
  ),
)
const pushUrl = `${prefix}/push.v1.PusherService/Push`

describe('push.v1.PusherService/Push', () => {
  test.each<[string, Buffer, Record<string, string>]>([
    ['protocol buffers', pushRequest, {}],
    ['the same compressed', gzipSync(pushRequest), { 'content-encoding': 'gzip' }],
  ])('takes %s', async (_what, body, headers) => {
    const said = await post(pushUrl, body, { 'content-type': 'application/proto', ...headers })
    expect([said.statusCode, said.headers['content-type'], said.body]).toEqual([200, 'application/proto', ''])
    expect(calls).toMatchObject([
      { service: 'checkout', tags: ['pod=cpu one'] },
      { service: 'checkout', tags: ['pod=cpu two'] },
    ])
    expect(stored.map(({ bytes }) => gunzipSync(bytes).toString())).toEqual(['cpu one', 'cpu two'])
  })

  test('takes JSON', async () => {
    const series = [
      {
        labels: [{ name: 'service_name', value: 'checkout' }],
        samples: [{ rawProfile: Buffer.from('cpu').toString('base64'), ID: 'x' }],
      },
    ]
    const said = await post(pushUrl, JSON.stringify({ series }), { 'content-type': 'application/json' })
    expect([said.statusCode, said.body]).toEqual([200, '{}'])
    expect(calls).toMatchObject([{ service: 'checkout' }])
  })
})

describe('exports of OpenTelemetry', () => {
  const samples = join(import.meta.dirname, '../../../../packages/profiles/samples/otlp')
  const url = '/v1/projects/prj_1/otlp/v1development/profiles'

  test('become a profile for each service', async () => {
    const body = gzipSync(readFileSync(join(samples, 'two-services.otlp')))
    const said = await post(url, body, {
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
    })
    expect([said.statusCode, said.headers['content-type'], said.body]).toEqual([
      200,
      'application/x-protobuf',
      '',
    ])
    expect(calls).toMatchObject([{ service: 'checkout' }, { service: 'payments' }])
    expect(gunzipSync(stored[0]!.bytes)).toEqual(readFileSync(join(samples, 'checkout.otlp')))
  })

  test('stay one profile as JSON', async () => {
    const body = readFileSync(join(samples, 'checkout.json'))
    const said = await post(url, body, { 'content-type': 'application/json' })
    expect([said.statusCode, said.body]).toEqual([200, '{}'])
    expect(calls).toHaveLength(1)
  })

  test('are refused in their own form', async () => {
    const headers = { 'content-type': 'application/x-protobuf' }
    const said = await post(url, Buffer.from([10, 200, 1]), headers)
    expect(said.statusCode).toBe(400)
    // google.rpc.Status: code 3, INVALID_ARGUMENT, and a message.
    expect(said.rawPayload.subarray(0, 3)).toEqual(Buffer.from([8, 3, 18]))
    expect(said.body).toContain('cut off')
    const asJson = await post(url, '{}', { 'content-type': 'application/json', authorization: 'Bearer no' })
    expect(asJson.statusCode).toBe(401)
    expect(asJson.json()).toEqual({ code: 16, message: expect.stringContaining('unknown') })
  })

  test('may be asked to wait', async () => {
    refusal = new Problem('rate_limited', 'Too many.', { retryAfterSeconds: 7 })
    const body = readFileSync(join(samples, 'checkout.otlp'))
    const said = await post(url, body, { 'content-type': 'application/x-protobuf' })
    expect([said.statusCode, said.headers['retry-after']]).toEqual([429, '7'])
  })
})

test.each<[string, () => Promise<{ statusCode: number; body: string }>, number, string, RegExp]>([
  [
    'without a token',
    () => ingest('name=a', 'x 1', { authorization: '' }),
    401,
    'unauthenticated',
    /unknown/,
  ],
  ['without a name', () => ingest('format=pprof', 'x'), 400, 'invalid_argument', /name/],
  [
    'with a broken form',
    () => ingest('name=a', 'x', { 'content-type': 'multipart/form-data' }),
    400,
    'invalid_argument',
    /form/,
  ],
  [
    'too large',
    () => ingest('name=a', Buffer.alloc(pushedBytesMax + 1)),
    413,
    'resource_exhausted',
    /too large/,
  ],
  [
    'a bomb',
    () => ingest('name=a', gzipSync(Buffer.alloc(pushedBytesMax + 1)), { 'content-encoding': 'gzip' }),
    413,
    'resource_exhausted',
    /unpacked/,
  ],
  [
    'packed in another way',
    () => ingest('name=a', 'x', { 'content-encoding': 'br' }),
    415,
    'invalid_argument',
    /gzip/,
  ],
  [
    'by gRPC',
    () => post(pushUrl, 'x', { 'content-type': 'application/grpc' }),
    415,
    'invalid_argument',
    /gRPC/,
  ],
  [
    'no message',
    () => post(pushUrl, 'xyz', { 'content-type': 'application/proto' }),
    400,
    'invalid_argument',
    /protocol buffers/,
  ],
  [
    'of too many objects',
    () => post(pushUrl, `{"series":[${'{},'.repeat(50_000)}{}]}`, { 'content-type': 'application/json' }),
    413,
    'resource_exhausted',
    /more than 50000/,
  ],
  [
    'no JSON',
    () => post(pushUrl, 'xyz', { 'content-type': 'application/json' }),
    400,
    'invalid_argument',
    /no JSON/,
  ],
])('a push %s is refused in the form that agents print', async (_what, push, status, code, words) => {
  const said = await push()
  expect(said.statusCode).toBe(status)
  expect(JSON.parse(said.body)).toEqual({ code, message: expect.stringMatching(words) })
  expect(stored).toEqual([])
})
