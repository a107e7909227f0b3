import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import {
  AggregationTemporalityPreference,
  OTLPMetricExporter as JsonMetrics,
} from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter as ProtobufMetrics } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AggregationType, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { addedTo, type ItemsBefore } from '../added-to.ts'
import { liveSections } from '../limits.ts'
import { livePush, type ReceivedLivePush } from '../push.ts'
import { percentileIn } from '../questions/histogram.ts'
import { decodeMetrics, decodeTraces } from './messages.ts'
import { otlpReceived, type OtlpReceived, type OtlpSignal } from './received.ts'

/** Exporters of the official SDK send to a server that reads them as ours do. */
async function receiver(): Promise<{ url: string; received: OtlpReceived[]; types: Set<string> }> {
  const received: OtlpReceived[] = []
  const types = new Set<string>()
  const server = createServer((request, response) => {
    void (async () => {
      const sent = await buffer(request)
      const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
      const type = request.headers['content-type'] ?? ''
      const signal: OtlpSignal = request.url === '/v1/traces' ? 'traces' : 'metrics'
      const content: unknown = type.includes('json')
        ? JSON.parse(bytes.toString())
        : (signal === 'traces' ? decodeTraces : decodeMetrics)(bytes)
      types.add(`${type} ${request.headers['content-encoding']}`)
      received.push(...otlpReceived(signal, content))
      response.writeHead(200, { 'content-type': type }).end(type.includes('json') ? '{}' : '')
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, received, types }
}

const resource = resourceFromAttributes({
  'service.name': 'shop',
  'service.version': '1.2.3',
  'service.instance.id': '627cc493-f310-47de-96bd-71410b7dec09',
  'telemetry.sdk.language': 'nodejs',
  'process.runtime.name': 'nodejs',
  'process.runtime.version': '24.1.0',
  'process.pid': 4711,
  'process.command_args': ['node', 'shop.js'],
  'host.name': 'north',
})

/** How the session stands after all that came; every push on the way is one that the platform takes. */
function standing(received: readonly OtlpReceived[]) {
  let before: ItemsBefore = new Map()
  const logs: ReceivedLivePush['logs'] = []
  for (const each of received) {
    const { session, program } = each
    const push = livePush.parse({
      session,
      program,
      sequence: 0,
      at: 1,
      ...addedTo(before, each, Date.now()),
    })
    const told = new Map(before)
    for (const section of liveSections) {
      const now = push.sections[section]
      if (now !== undefined) told.set(section, now)
    }
    before = told
    logs.push(...push.logs)
  }
  const find = (section: keyof ReceivedLivePush['sections'], start: string) => {
    const items = before.get(section)?.items ?? []
    const item = items.find(({ name }) => name.startsWith(start))
    if (item === undefined) throw new Error(`no ${start} among ${items.map(({ name }) => name).join(', ')}`)
    return item
  }
  return { find, logs, sections: before }
}

describe.each([
  ['JSON', JsonTraces, JsonMetrics, 'application/json'],
  ['protobuf', ProtobufTraces, ProtobufMetrics, 'application/x-protobuf'],
])('as %s', (_what, Traces, Metrics, type) => {
  test('spans become functions, requests and queries', async () => {
    const { url, received, types } = await receiver()
    vi.stubEnv('OTEL_EXPORTER_OTLP_COMPRESSION', 'gzip')
    onTestFinished(() => void vi.unstubAllEnvs())
    const provider = new TracerProvider({
      resource,
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: new Traces({ url: `${url}/v1/traces` }),
        }),
      ],
    })
    onTestFinished(() => provider.shutdown())
    const tracer = provider.getTracer('shop')
    const span = (
      name: string,
      kind: SpanKind,
      durationMs: number,
      attributes: Record<string, string | number>,
      error?: string,
    ) => {
      const startTime = 1_764_000_000_000
      const each = tracer.startSpan(name, { kind, startTime, attributes })
      if (error !== undefined) {
        each.recordException(new RangeError(error))
        each.setStatus({ code: SpanStatusCode.ERROR })
      }
      each.end(startTime + durationMs)
      return each.spanContext().traceId
    }
    for (let number = 1; number <= 99; number++) span('price cart', SpanKind.INTERNAL, number, {})
    const failed = span('price cart', SpanKind.INTERNAL, 2000, {}, 'no such cart')
    const route = { 'http.request.method': 'GET', 'http.route': '/carts/:id' }
    span('GET /carts/:id', SpanKind.SERVER, 5, { ...route, 'http.response.status_code': 200 })
    span('GET /carts/:id', SpanKind.SERVER, 7, { ...route, 'http.response.status_code': 503 })
    span('GET', SpanKind.CLIENT, 20, {
      'http.request.method': 'GET',
      'url.full': 'http://stock.example.com:8080/items/4711?token=secret',
      'http.response.status_code': 404,
    })
    span('SELECT carts', SpanKind.CLIENT, 3, {
      'db.system.name': 'postgresql',
      'db.query.text': "SELECT * FROM carts WHERE owner = 'ada' AND id = 17",
    })
    await provider.forceFlush()

    expect([...types]).toEqual([`${type} gzip`])
    expect(received[0]?.program).toEqual({
      name: 'shop',
      source: 'otlp',
      language: 'nodejs',
      runtime: 'nodejs 24.1.0',
      version: '1.2.3',
      host: 'north',
      pid: 4711,
    })
    const { find, logs } = standing(received)
    const { kind, distributions } = find('functions_timing', 'price cart')
    const duration = distributions?.['duration']
    expect(kind).toBe('internal')
    expect(duration).toMatchObject({ count: 100, total: 6950e6, max: 2000e6 })
    expect(percentileIn(duration!.histogram!, 50)! / 50e6).toBeCloseTo(1, 1)
    const log = logs.find(({ section, item }) => section === 'functions_timing' && item === 'price cart')
    expect(log?.value?.slice(-1)).toEqual([2000e6])
    expect(log?.kind?.slice(-2)).toEqual(['ok', 'error'])
    expect(log?.text?.at(-1)).toBe(`trace ${failed}, error: RangeError: no such cart`)
    expect(failed).toMatch(/^[0-9a-f]{32}$/)
    expect(log?.at.at(-1)).toBe(1_764_000_002_000)
    expect(find('server', 'GET /carts/:id')).toMatchObject({
      counters: { status_4xx: 0, status_5xx: 1 },
      distributions: { duration: { count: 2, total: 12e6 } },
    })
    expect(find('http', 'GET stock.example.com:8080/items/{id}')).toMatchObject({
      counters: { errors: 1 },
      distributions: { duration: { count: 1 } },
    })
    expect(find('sql', 'SELECT * FROM carts WHERE owner = ? AND id = ?')).toMatchObject({
      kind: 'postgresql',
    })
    expect(JSON.stringify(received)).not.toMatch(/secret|'ada'/)
  })

  test.each([
    ['totals', AggregationTemporalityPreference.CUMULATIVE],
    ['differences', AggregationTemporalityPreference.DELTA],
  ])('metrics that come as %s become gauges', async (_how, temporalityPreference) => {
    const { url, received } = await receiver()
    const reader = new PeriodicExportingMetricReader({
      exporter: new Metrics({ url: `${url}/v1/metrics`, temporalityPreference }),
      exportIntervalMillis: 3_600_000,
      exportTimeoutMillis: 10_000,
    })
    const provider = new MeterProvider({
      resource,
      readers: [reader],
      views: [
        { instrumentName: 'exponential', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM } },
      ],
    })
    onTestFinished(() => provider.shutdown())
    const meter = provider.getMeter('shop')
    let carts = 3
    meter
      .createObservableGauge('carts')
      .addCallback((result) => result.observe(carts, { shop: 'north', open: true }))
    const orders = meter.createCounter('orders', { unit: '{order}' })
    const open = meter.createUpDownCounter('open')
    const durations = meter.createHistogram('duration', { unit: 's' })
    const exponential = meter.createHistogram('exponential', { unit: 'ms' })
    const parts = meter.createHistogram('parts', { unit: '{part}' })
    for (const batch of [1, 2]) {
      for (let number = 1; number <= 500; number++) {
        orders.add(1)
        exponential.record(number * batch)
        durations.record((number * batch) / 100)
        parts.record(batch)
      }
      open.add(batch)
      carts += batch
      await reader.forceFlush()
    }
    const { find, logs } = standing(received)
    expect(received).toHaveLength(2)
    expect(find('gauges', 'carts')).toMatchObject({
      id: 'carts{shop="north",open="true"}',
      kind: 'gauge',
      levels: { value: 6 },
      counters: { logged: 2 },
    })
    const log = logs.filter(({ item }) => item.startsWith('carts'))
    expect(log.flatMap(({ value }) => value)).toEqual([4, 6])
    expect(log[0]!.at[0]! / Date.now()).toBeCloseTo(1, 5)
    expect(find('gauges', 'orders')).toMatchObject({
      kind: 'counter',
      counters: { added: 1000 },
      texts: { unit: '{order}' },
    })
    expect(find('gauges', 'open')).toMatchObject({ kind: 'gauge', levels: { value: 3 } })
    expect(find('gauges', 'parts')).toMatchObject({ kind: 'histogram', counters: { count: 1000, sum: 1500 } })
    const exact = find('gauges', 'exponential').distributions!['duration']!
    expect(exact).toMatchObject({ count: 1000, max: 1000e6 })
    expect(exact.total / 375_750e6).toBeCloseTo(1, 6)
    expect(percentileIn(exact.histogram!, 50)! / 333e6).toBeCloseTo(1, 1)
    expect(percentileIn(exact.histogram!, 99)! / 980e6).toBeCloseTo(1, 1)
    // The bounds that are usual are those of milliseconds; all that is told of so few seconds is that they are below five.
    const coarse = find('gauges', 'duration').distributions!['duration']!
    expect(coarse.count).toBe(1000)
    expect(percentileIn(coarse.histogram!, 50)).toBeLessThan(5.1e9)
  })
})
