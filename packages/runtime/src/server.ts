import { Problem } from '@flamegate/contract'
import fastify, { LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyBodyParser, FastifyInstance } from 'fastify'
import { addAccessLog } from './access-log.ts'
import type { Logger } from './logger.ts'
import { addRequestId, requestIdOf } from './request-id.ts'
import { traceRequests } from './tracing/spans.ts'

export interface ServerOptions {
  log: Logger
  /** Addresses or CIDR ranges of reverse proxies whose `x-forwarded-*` headers are believed; none by default. */
  trustedProxies?: readonly string[]
  /** Whether traces go anywhere: then each request is a span. */
  isTraced?: boolean
  /** Largest body of an ordinary request; routes that stream set their own. */
  bodyLimitBytes?: number
}

const addressPartMax = 1_000

/** A Fastify instance with what all our servers share: our logger, request ids and one log line per request. */
export function createServer(options: ServerOptions): FastifyInstance {
  const trusted = options.trustedProxies ?? []
  const app = fastify({
    loggerInstance: baseLogger(options.log),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: trusted.length === 0 ? false : [...trusted],
    bodyLimit: options.bodyLimitBytes ?? 1_048_576,
    // A request must have arrived within this time; answers may take as long as they like (event streams).
    requestTimeout: 600_000,
    // What was on its way when we were told to stop is answered as ever.
    return503OnClosing: false,
    // What no field of an input is longer than: Fastify's own limit would refuse the URIs of many benchmarks.
    routerOptions: { maxParamLength: addressPartMax },
    // An address that cannot be read comes to no handler of errors, and to no hook.
    frameworkErrors(_error, request, reply) {
      const problem = new Problem(
        'malformed_request',
        `The address could not be read: its parts are percent-encoded UTF-8 of at most ${addressPartMax} characters each.`,
      )
      reply.raw
        .writeHead(problem.status, { 'content-type': 'application/problem+json; charset=utf-8' })
        .end(JSON.stringify(problem.toDetails('/v1/docs', request.id)))
    },
  })
  takeEmptyJson(app)
  if (options.isTraced === true) traceRequests(app)
  addRequestId(app)
  addAccessLog(app)
  hearRequestsOut(app)
  closeConnectionsWhenClosing(app)
  return app
}

/** Many clients say of every request that it is JSON, also where there is nothing to send. */
function takeEmptyJson(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, emptyJsonParser(app))
}

/** Reads JSON as Fastify does, and an empty body as none. For `addContentTypeParser`, with `parseAs: 'string'`. */
export function emptyJsonParser(app: FastifyInstance): FastifyBodyParser<string> {
  const parse = app.getDefaultJsonParser('error', 'error')
  return (request, body, done) =>
    body.length === 0 ? done(null, undefined) : void parse(request, body, done)
}

/** Forgets that the logger is pino: otherwise its type becomes part of the type of every app and plugin. */
function baseLogger(log: Logger): FastifyBaseLogger {
  return log
}

/**
 * Fastify closes the connection of a request that it refuses before its body was read. What the client still sends then
 * meets a closed socket, and the client sees a reset instead of our answer (RFC 9112, 9.6). Kept open, the rest is read and
 * thrown away, for no longer than any request may take.
 */
function hearRequestsOut(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (!request.raw.complete && reply.getHeader('connection') === 'close') reply.removeHeader('connection')
  })
}

/** Without this an answer given while closing leaves its connection open, and `close()` waits for the client to hang up. */
function closeConnectionsWhenClosing(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
}
