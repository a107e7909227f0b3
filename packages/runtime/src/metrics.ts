import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Histogram, Registry, collectDefaultMetrics } from 'prom-client'

export interface MetricsOptions {
  /** Whoever sends `Authorization: Bearer <this>` may read the metrics from anywhere. */
  token?: string
}

/** A registry with the process's own metrics (CPU, memory, event loop, GC). One per process. */
export function createMetricsRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

/** Records `http_request_duration_seconds` by method, route template and status for every request of this server. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    // Templates, not paths: the number of label values has to stay small.
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched'
    durations.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000)
  })
}

/**
 * Adds `/metrics` in the Prometheus text format, for programs on this machine and for holders of the token. To
 * everybody else there is no such page.
 */
export function addMetricsRoute(
  app: FastifyInstance,
  registry: Registry,
  options: MetricsOptions = {},
): void {
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, options.token)) return reply.callNotFound()
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}

function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  const bearer = /^Bearer (?<token>\S+)$/i.exec(request.headers.authorization ?? '')?.groups?.['token']
  if (token !== undefined && bearer !== undefined) return isSame(bearer, token)
  // A reverse proxy on this machine makes everybody look local, but it says for whom it speaks.
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some(
    (name) => name in request.headers,
  )
  return !isForwarded && isLoopback(request.socket.remoteAddress ?? '')
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address)
}

/** Takes as long for a near miss as for anything else. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
