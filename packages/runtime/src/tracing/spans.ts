import {
  context,
  isSpanContextValid,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanOptions,
} from '@opentelemetry/api'
import { Problem } from '@flamegate/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Where a trace goes on: `traceparent`, and `tracestate` if there is one, as W3C Trace Context writes them. */
export type TraceCarrier = Readonly<Record<string, unknown>>

/** Asked for each time, because one belongs to the tracing that was started last when it was asked for. */
const tracer = () => trace.getTracer('flamegate')

/**
 * A span per request, below the caller's when it sent a `traceparent`; everything the request does runs inside it.
 * Attributes: https://opentelemetry.io/docs/specs/semconv/http/http-spans/ but for the URL: signed links and codes live there.
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
export function withSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return inSpan(name, { attributes }, context.active(), work)
}

/**
 * Runs `work` inside a span below the one that `carrier` names, as a message brought it. The span of the HTTP request,
 * which may belong to another trace, is linked.
 */
export async function withSpanBelow<T>(
  carrier: TraceCarrier,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const here = context.active()
  const request = trace.getSpanContext(here)
  const parent = propagation.extract(trace.deleteSpan(here), carrier)
  const options = { kind: SpanKind.SERVER, links: request ? [{ context: request }] : [] }
  return inSpan(name, options, parent, work)
}

/** Runs a job inside a span below that of whoever queued it; of one that nobody traced a trace begins. */
export function withJobSpan<T>(
  carrier: TraceCarrier | undefined,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const parent = propagation.extract(trace.deleteSpan(context.active()), carrier ?? {})
  return inSpan(name, { kind: SpanKind.CONSUMER, attributes }, parent, work)
}

async function inSpan<T>(
  name: string,
  options: SpanOptions,
  parent: Context,
  work: () => Promise<T>,
): Promise<T> {
  return tracer().startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work()
    } catch (error) {
      noteFailure(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** The kind of error and never its message, which may quote what somebody sent. What a caller did wrong is no failure of ours. */
function noteFailure(span: Span, error: unknown): void {
  const isTheirs = error instanceof Problem && error.status < 500
  span.setAttribute('error.type', error instanceof Problem ? error.code : nameOf(error))
  if (!isTheirs) span.setStatus({ code: SpanStatusCode.ERROR })
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

/** Adds the `traceparent` of where we are to what goes to another of our processes: the headers of a request, or a job. */
export function addTraceHeaders(headers: Record<string, string>): Record<string, string> {
  propagation.inject(context.active(), headers)
  return headers
}

/** The trace that we are in, in hex; undefined when traces go nowhere. */
export function currentTraceId(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext()
  return span !== undefined && isSpanContextValid(span) ? span.traceId : undefined
}
