import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { Problem } from '@flamegate/contract'
import { hangUpSignal, runnerErrorHandler } from '@flamegate/surfaces'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Pool } from 'undici'

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

/**
 * Passes `/v1`, and `/upload` of CodSpeed's runner, on to the API and its answers back, as they come: nothing is gathered,
 * so uploads may be large.
 */
export function restProxy(apiUrl: string): FastifyPluginAsync {
  const pool = new Pool(apiUrl, { connections: 128, connect: { timeout: 5_000 }, headersTimeout: 60_000 })

  const passOn = async (request: FastifyRequest, reply: FastifyReply) => {
    const { statusCode, headers, body } = await pool
      .request({
        method: request.method,
        path: request.url,
        headers: forwardedHeaders(request),
        body: request.body instanceof Readable ? request.body : undefined,
        signal: hangUpSignal(reply),
      })
      .catch((cause: unknown) => {
        request.log.error({ err: cause }, 'the API did not answer')
        throw new Problem('unavailable', 'Try again in a few seconds.', { cause, retryAfterSeconds: 5 })
      })
    return reply.code(statusCode).headers(endToEnd(headers)).send(body)
  }

  return async (app) => {
    app.removeAllContentTypeParsers()
    // The body stays a stream.
    app.addContentTypeParser('*', async (_request: unknown, body: Readable) => body)
    app.addHook('onClose', () => pool.close())

    app.all('/v1/*', passOn)
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
