import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What a handler knows about a request that the HTTP layer does not. */
export interface RequestNotes {
  operation?: string
  workspaceId?: string
  /** How it ended in the domain's words: a problem code, `cancelled`. */
  outcome?: string
}

const notes = new WeakMap<FastifyRequest, RequestNotes>()

/** Adds to the one line that will be logged for this request. */
export function noteForAccessLog(request: FastifyRequest, more: RequestNotes): void {
  notes.set(request, { ...notes.get(request), ...more })
}

/** Asked for every few seconds by load balancers; they would drown everything else. */
const quietRoutes = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Logs one line per request, when it is over: method, route template (never the URL: signed links and codes live
 * there), status, ms, requestId (from the child logger) and what `noteForAccessLog` was told.
 */
export function addAccessLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => log(request, reply, reply.statusCode))
  // 499: the client went away before the answer, as nginx writes it. Fastify calls no onResponse then.
  app.addHook('onRequestAbort', async (request) => log(request, undefined, 499))
}

function log(request: FastifyRequest, reply: FastifyReply | undefined, status: number): void {
  const route = request.routeOptions.url ?? 'unmatched'
  const level = status >= 500 ? 'error' : quietRoutes.has(route) ? 'debug' : 'info'
  request.log[level](
    {
      method: request.method,
      route,
      status,
      ms: reply && Math.round(reply.elapsedTime * 10) / 10,
      ...notes.get(request),
    },
    'request',
  )
}
