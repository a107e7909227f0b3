import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter as ProtobufMetrics } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

/**
 * A shop that is instrumented with the official SDK, and knows of us only what the variables OTEL_EXPORTER_OTLP_… of its environment
 * say. It prices 60 carts, exports, prices 40 more, and ends.
 */

const isJson = process.env['OTEL_EXPORTER_OTLP_PROTOCOL'] === 'http/json'
const resource = resourceFromAttributes({ 'service.name': 'shop', 'process.pid': process.pid })
const tracers = new TracerProvider({
  resource,
  spanProcessors: [new BatchSpanProcessor({ exporter: isJson ? new JsonTraces() : new ProtobufTraces() })],
})
const reader = new PeriodicExportingMetricReader({
  exporter: isJson ? new JsonMetrics() : new ProtobufMetrics(),
  exportIntervalMillis: 3_600_000,
  exportTimeoutMillis: 10_000,
})
const meters = new MeterProvider({ resource, readers: [reader] })
const tracer = tracers.getTracer('shop')
const meter = meters.getMeter('shop')
const orders = meter.createCounter('orders')
const durations = meter.createHistogram('pricing', { unit: 'ms' })
let openCarts = 0
meter.createObservableGauge('open_carts').addCallback((result) => result.observe(openCarts))

function priceCarts(count: number): void {
  for (let cart = 1; cart <= count; cart++) {
    const startTime = Date.now() - 1000
    const request = { kind: SpanKind.SERVER, startTime, attributes: { 'http.request.method': 'GET' } }
    const served = tracer.startSpan('GET /carts/:id', request)
    served.setAttributes({
      'http.route': '/carts/:id',
      'http.response.status_code': cart === count ? 500 : 200,
    })
    const query = tracer.startSpan('SELECT carts', {
      kind: SpanKind.CLIENT,
      startTime,
      attributes: {
        'db.system.name': 'postgresql',
        'db.query.text': `SELECT * FROM carts WHERE owner = 'customer ${cart}'`,
      },
    })
    query.end(startTime + 2)
    const pricing = tracer.startSpan('price cart', { startTime })
    if (cart === count) pricing.setStatus({ code: SpanStatusCode.ERROR, message: 'no such voucher' })
    pricing.end(startTime + cart)
    served.end(startTime + cart + 5)
    orders.add(1)
    durations.record(cart)
    openCarts++
  }
}

priceCarts(60)
await Promise.all([tracers.forceFlush(), reader.forceFlush()])
priceCarts(40)
await Promise.all([tracers.shutdown(), meters.shutdown()])
