import type { IncomingHttpHeaders } from 'node:http'
import { PassThrough, pipeline, Readable } from 'node:stream'
import { catalogue, Problem, waitsForWork } from '@flamegate/contract'
import { addTraceHeaders } from '@flamegate/runtime'
import { hangUpSignal, runnerErrorHandler } from '@flamegate/surfaces'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Pool } from 'undici'
import { apiConnections, askedAgain } from './api-connections.ts'

/** Headers about one connection and not about the message (RFC 9110, 7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const eventStream = 'text/event-stream'
const pathOfEvents = /^[^?]*\/events(?:\?|$)/
const pathOfWaiting = new RegExp(
  `^(?:${catalogue
    .filter(waitsForWork)
    .map(({ http }) => http.path.replaceAll(/\{\w+\}/g, '[^/?]+'))
    .join('|')})(?:\\?|$)`,
)

/**
 * Passes `/v1`, `/scim/v2`, and `/upload` of CodSpeed's runner, on to the API and its answers back, as they come: nothing is gathered,
 * so uploads may be large.
 */
export function restProxy(apiUrl: string): FastifyPluginAsync {
  const settings = { ...apiConnections, headersTimeout: 60_000 }
  const pool = new Pool(apiUrl, { ...settings, connections: 128 })
  // Each has a connection as long as it is open, and would keep others from theirs. The API has no more than that.
  const streams = new Pool(apiUrl, { ...settings, connections: 2_048 })
  // So would idle agents and collectors, which ask for ten seconds at a time.
  const waiting = new Pool(apiUrl, { ...settings, connections: 1_024 })
  const poolFor = (url: string) =>
    pathOfEvents.test(url) ? streams : pathOfWaiting.test(url) ? waiting : pool
  const openStreams = new Set<PassThrough>()

  const passOn = async (request: FastifyRequest, reply: FastifyReply) => {
    const ask = () =>
      poolFor(request.url).request({
        method: request.method,
        path: request.url,
        headers: forwardedHeaders(request),
        body: request.body instanceof Readable ? request.body : undefined,
        signal: hangUpSignal(reply),
      })
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const { statusCode, headers, body } = await (isRead ? askedAgain(ask) : ask()).catch((cause: unknown) => {
      request.log.error({ err: cause }, 'the API did not answer')
      throw new Problem('unavailable', 'Try again in a few seconds.', { cause, retryAfterSeconds: 5 })
    })
    reply.code(statusCode).headers(endToEnd(headers))
    if (!String(headers['content-type']).startsWith(eventStream)) return reply.send(body)
    const stream = new PassThrough().once('close', () => openStreams.delete(stream))
    openStreams.add(stream)
    // Whichever breaks ends the other.
    pipeline(body, stream, () => {})
    return reply.header('connection', 'close').send(stream)
  }

  return async (app) => {
    app.removeAllContentTypeParsers()
    // The body stays a stream.
    app.addContentTypeParser('*', async (_request: unknown, body: Readable) => body)
    // They do not end by themselves, and their clients come again.
    app.addHook('preClose', async () => {
      for (const stream of openStreams) stream.end()
    })
    app.addHook('onClose', () => Promise.all([pool, streams, waiting].map((each) => each.close())))

    app.all('/v1/*', passOn)
    app.all('/scim/v2/*', passOn)
    await app.register(async (uploads) => {
      uploads.setErrorHandler(runnerErrorHandler('json'))
      uploads.post('/upload', passOn)
    })
    await app.register(async (archives) => {
      archives.setErrorHandler(runnerErrorHandler('text'))
      archives.put('/upload/*', passOn)
    })
  }
}

function forwardedHeaders(request: FastifyRequest): IncomingHttpHeaders {
  const { expect: _answeredHere, host: _ours, ...headers } = endToEnd(request.headers)
  return {
    ...headers,
    // Ours in place of the caller's, which it is below.
    ...addTraceHeaders({}),
    'x-request-id': request.id,
    'x-forwarded-for': request.ip,
    'x-forwarded-host': request.host,
    'x-forwarded-proto': request.protocol,
  }
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !named.has(name)),
  )
}
