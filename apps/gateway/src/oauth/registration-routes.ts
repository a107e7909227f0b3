import { addressKey } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createAttemptLimiter } from '../accounts/attempt-limiter.ts'
import type { AttemptLimit } from '../accounts/attempt-limiter.ts'
import { normalizeClientMetadataText } from './client-metadata.ts'
import { allowAnyOrigin, answerPreflight } from './cors.ts'
import { textOf } from './hand-over.ts'
import type { HandOver } from './hand-over.ts'
import { oauthPaths } from './provider.ts'

/**
 * Registration of clients (RFC 7591), for anybody, and management of their own by those who are not shared
 * (RFC 7592). Pages of any site may use both: nothing here looks at a cookie.
 */
export function addRegistrationRoutes(app: FastifyInstance, handOver: HandOver, limit: AttemptLimit): void {
  const { registration } = oauthPaths
  const registrations = createAttemptLimiter(limit)

  app.post(registration, (request, reply) => {
    allowAnyOrigin(reply)
    const seconds = secondsToWait(() => registrations.count(addressKey(request.ip)))
    if (seconds !== undefined) return tooMany(reply, seconds)
    handOver(request, reply, normalized(request))
    return reply
  })
  app.options(registration, (_request, reply) => answerPreflight(reply, 'POST'))

  const own = `${registration}/:clientId`
  app.get(own, (request, reply) => handOver(request, allowAnyOrigin(reply)))
  app.put(own, (request, reply) => handOver(request, allowAnyOrigin(reply), normalized(request)))
  app.delete(own, (request, reply) => handOver(request, allowAnyOrigin(reply)))
  app.options(own, (_request, reply) => answerPreflight(reply, 'GET, PUT, DELETE'))
}

function normalized(request: FastifyRequest): { body: string } {
  return { body: normalizeClientMetadataText(textOf(request) ?? '') }
}

function secondsToWait(count: () => void): number | undefined {
  try {
    count()
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error.retryAfterSeconds
    throw error
  }
}

/** In the words of OAuth, which clients read here. */
function tooMany(reply: FastifyReply, retryAfterSeconds: number): FastifyReply {
  return reply
    .code(429)
    .header('retry-after', String(retryAfterSeconds))
    .header('cache-control', 'no-store')
    .send({
      error: 'temporarily_unavailable',
      error_description: `Too many registrations from your address. Try again in ${retryAfterSeconds} seconds.`,
    })
}
