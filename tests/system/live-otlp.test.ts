import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { operations } from '@flamegate/contract'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { platform, signUp, type Person } from './person.ts'

const program = join(import.meta.dirname, '../../packages/live/src/otlp/testing/sdk-program.ts')
const cli = join(import.meta.dirname, '../../apps/cli/src/main.ts')
const run = promisify(execFile)

let owner: Person
let projectId: string

beforeAll(async () => {
  owner = await signUp('Exporting')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Instrumented with OpenTelemetry',
  })
  projectId = project.id
})

const register = (name: string) =>
  owner.client.call(operations.registerLiveApp, { project_id: projectId, name })

const resources = async (live_app_id: string, section: 'server' | 'sql') =>
  (await owner.client.call(operations.liveResources, { live_app_id, section })).rows

const post = async (path: string, token: string, body: string | Uint8Array<ArrayBuffer>, type: string) =>
  fetch(platform().url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body,
  })

describe.each(['http/protobuf', 'http/json'])('a program with the official SDK, by %s', (protocol) => {
  let live_app_id: string

  beforeAll(async () => {
    const { live_app: app, otlp_environment: environment } = await register(protocol)
    live_app_id = app.id
    await run(process.execPath, [program], {
      env: { ...process.env, ...environment, OTEL_EXPORTER_OTLP_PROTOCOL: protocol },
    })
  })

  test('is asked for its functions, and for the calls of one', async () => {
    const { rows } = await owner.client.call(operations.functionsTiming, { live_app_id })
    expect(rows.map(({ name, kind }) => [name, kind])).toEqual([
      ['GET /carts/:id', 'server'],
      ['price cart', 'internal'],
      ['SELECT carts', 'client'],
    ])
    expect(rows[1]?.measures).toMatchObject({ calls: 100, total_ns: (1830 + 820) * 1e6, max_ns: 60e6 })
    const { p50_ns: p50 = 0 } = rows[1]?.measures ?? {}
    expect(p50 / 25e6).toBeCloseTo(1, 0)
    const { entries } = await owner.client.call(operations.functionTimingLogs, {
      live_app_id,
      function_name: 'price cart',
      limit: 200,
    })
    expect(entries).toHaveLength(100)
    expect(entries.filter(({ kind }) => kind === 'error').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^trace [0-9a-f]{32}, error: no such voucher$/),
      expect.stringMatching(/^trace [0-9a-f]{32}, error: no such voucher$/),
    ])
  })

  test('is asked for its requests and queries, without what customers are called', async () => {
    const [served] = await resources(live_app_id, 'server')
    expect(served).toMatchObject({ name: 'GET /carts/:id', measures: { calls: 100, status_5xx: 2 } })
    const [query, ...others] = await resources(live_app_id, 'sql')
    expect(others).toEqual([])
    expect(query).toMatchObject({
      name: 'SELECT * FROM carts WHERE owner = ?',
      measures: { calls: 100, total_ns: 200e6 },
    })
  })

  test('is asked for its metrics', async () => {
    const { rows } = await owner.client.call(operations.gauges, { live_app_id })
    const measures = Object.fromEntries(rows.map((row) => [row.name, row.measures]))
    expect(measures['open_carts']).toMatchObject({ value: 100 })
    expect(measures['orders']).toMatchObject({ added: 100 })
    expect(measures['pricing']).toMatchObject({ duration_calls: 100, duration_total_ns: 2650e6 })
    expect(rows.map(({ processes }) => processes)).toEqual([1, 1, 1])
  })
})

const spansOf = (...ids: string[]) =>
  JSON.stringify({
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: ids.map((spanId) => ({
              traceId: 'aa',
              spanId,
              name: 'pay',
              startTimeUnixNano: '1000000',
              endTimeUnixNano: '2000000',
            })),
          },
        ],
      },
    ],
  })
const deltaAt = (timeUnixNano: string) =>
  JSON.stringify({
    resourceMetrics: [
      {
        scopeMetrics: [
          {
            metrics: [
              {
                name: 'orders',
                sum: {
                  isMonotonic: true,
                  aggregationTemporality: 1,
                  dataPoints: [{ asInt: '5', startTimeUnixNano: '1000000', timeUnixNano }],
                },
              },
            ],
          },
        ],
      },
    ],
  })

test('a request that comes again, because its answer was lost, counts once', async () => {
  const { live_app: app, token } = await register('sent twice')
  const path = `/v1/live-apps/${app.id}/otlp/v1`
  const sent = [
    ['traces', spansOf('01', '02')],
    ['metrics', deltaAt('2000000')],
    ['traces', spansOf('01', '02')],
    ['metrics', deltaAt('2000000')],
    ['traces', spansOf('03')],
    ['metrics', deltaAt('3000000')],
  ] as const
  for (const [signal, body] of sent) {
    // oxlint-disable-next-line no-await-in-loop -- as an exporter does it
    expect((await post(`${path}/${signal}`, token, body, 'application/json')).status).toBe(200)
  }
  const timing = await owner.client.call(operations.functionsTiming, { live_app_id: app.id })
  expect(timing.rows.map(({ name, measures }) => [name, measures['calls']])).toEqual([['pay', 3]])
  const { rows } = await owner.client.call(operations.gauges, { live_app_id: app.id })
  expect(rows.map(({ name, measures }) => [name, measures['added']])).toEqual([['orders', 10]])
})

describe('what is no such request is answered as exporters know it', () => {
  test('with a google.rpc.Status, and never as a fault of ours', async () => {
    const { live_app: app, token } = await register('wrong')
    const { live_app: other } = await register('other')
    const json = 'application/json'
    const wrongSpan = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ name: 7 }] }] }] })
    const many = JSON.stringify({
      resourceSpans: Array.from({ length: 201 }, (_, index) => ({
        resource: { attributes: [{ key: 'service.name', value: { stringValue: `shop ${index}` } }] },
        scopeSpans: [{ spans: [{ name: 'a' }] }],
      })),
    })
    const outcomes = [
      await post(`/v1/live-apps/${app.id}/otlp/v1/traces`, token, many, json),
      await post(`/v1/live-apps/${app.id}/otlp/v1/traces`, 'fg_wrong', '{}', json),
      await post(`/v1/live-apps/${other.id}/otlp/v1/traces`, token, '{}', json),
      await post(`/v1/live-apps/${app.id}/otlp/v1/traces`, token, wrongSpan, json),
      await post(`/v1/live-apps/${app.id}/otlp/v1/metrics`, token, '[]', json),
      await post(`/v1/live-apps/${app.id}/otlp/v1/logs`, token, '{}', json),
      await post(`/v1/live-apps/${app.id}/otlp/v1/traces`, token, '{}', json),
    ]
    const said = await Promise.all(
      outcomes.map(async (each) => [each.status, ...Object.values(JSON.parse(await each.text()))]),
    )
    expect(said).toEqual([
      [413, 8, expect.stringContaining('200 programs')],
      [401, 16, expect.stringContaining('token')],
      [404, 5, expect.stringContaining('No such live app')],
      [400, 3, expect.stringContaining('resourceSpans.0.scopeSpans.0.spans.0.name')],
      [400, 3, expect.stringContaining('request')],
      [404, 5, expect.stringContaining('OTEL_LOGS_EXPORTER')],
      [200],
    ])
    const bytes = await post(
      `/v1/live-apps/${app.id}/otlp/v1/metrics`,
      token,
      Uint8Array.of(1, 2, 3),
      'application/x-protobuf',
    )
    expect([bytes.status, bytes.headers.get('content-type')]).toEqual([400, 'application/x-protobuf'])
  })
})

test('what is there for Prometheus is scraped by a bridge, which ends with all of it pushed', async () => {
  const { live_app: app, token } = await register('scraped')
  const scraped = createServer((_request, response) =>
    response.end('# TYPE orders_total counter\norders_total 7\n# TYPE open_carts gauge\nopen_carts 3'),
  )
  scraped.listen(0, '127.0.0.1')
  await once(scraped, 'listening')
  onTestFinished(() => void scraped.close())
  const address = scraped.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const target = `http://127.0.0.1:${address.port}/metrics`
  const options = ['--app', app.id, '--url', platform().url, '--target', target, '--interval', '1s']
  const bridge = spawn(process.execPath, [cli, 'bridge', 'prometheus', ...options], {
    env: { ...process.env, FLAMEGATE_LIVE_TOKEN: token },
    stdio: 'ignore',
  })
  onTestFinished(() => void bridge.kill('SIGKILL'))
  await expect
    .poll(
      async () => {
        const { rows } = await owner.client.call(operations.gauges, { live_app_id: app.id })
        return rows.map(({ name, measures }) => [name, measures['value'] ?? measures['added']])
      },
      { timeout: 90_000 },
    )
    .toEqual([
      ['open_carts', 3],
      ['orders_total', 7],
    ])
  bridge.kill('SIGINT')
  const [exitCode] = await once(bridge, 'exit')
  expect(exitCode).toBe(0)
})
