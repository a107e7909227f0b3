import {
  context,
  isSpanContextValid,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
} from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Asked for each time, because one belongs to the tracing that was started last when it was asked for. */
const tracer = () => trace.getTracer('flamegate')

/**
 * A span per request, below the caller's when it sent a `traceparent`; everything the request does runs inside it.
 * Attributes: https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
export function traceRequests(app: FastifyInstance): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = propagation.extract(context.active(), request.headers)
    const span = tracer().startSpan(request.method, { kind: SpanKind.SERVER }, parent)
    span.setAttributes({ 'http.request.method': request.method, 'flamegate.request_id': request.id })
    spans.set(request, span)
    context.with(trace.setSpan(parent, span), done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    const route = request.routeOptions.url ?? 'unmatched'
    span?.updateName(`${request.method} ${route}`)
    span?.setAttributes({ 'http.route': route, 'http.response.status_code': reply.statusCode })
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}

/** Runs `work` inside a span; it fails when `work` does. Costs next to nothing when traces go nowhere. */
export async function withSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return tracer().startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({
        code: SpanStatusCode.ERROR,
        message: error instanceof Error ? error.message : 'failed',
      })
      throw error
    } finally {
      span.end()
    }
  })
}

/**
 * Runs `work` inside a span below the one that `carrier` names: `traceparent`, and `tracestate` and `baggage` if there
 * are, as a message brought them. The span of the HTTP request, which may belong to another trace, is linked.
 */
export async function withSpanBelow<T>(
  carrier: Readonly<Record<string, unknown>>,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const here = context.active()
  const request = trace.getSpanContext(here)
  const parent = propagation.extract(trace.deleteSpan(here), carrier)
  const options = { kind: SpanKind.SERVER, links: request ? [{ context: request }] : [] }
  return tracer().startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work()
    } finally {
      span.end()
    }
  })
}

/** Adds the `traceparent` of where we are to the headers of a request to another of our processes. */
export function addTraceHeaders(headers: Record<string, string>): Record<string, string> {
  propagation.inject(context.active(), headers)
  return headers
}

/** The trace that we are in, in hex; undefined when traces go nowhere. */
export function currentTraceId(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext()
  return span !== undefined && isSpanContextValid(span) ? span.traceId : undefined
}
