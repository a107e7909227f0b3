import { addressKey } from '@flamegate/auth'
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import type { CountedAttempts } from '../accounts/counted-attempts.ts'
import { normalizeClientMetadataText } from './client-metadata.ts'
import { normalizeClientChange } from './client-secrets.ts'
import { allowAnyOrigin, answerPreflight } from './cors.ts'
import { textOf } from './hand-over.ts'
import type { HandOver } from './hand-over.ts'
import { oauthPaths } from './provider.ts'
import { secondsToWait, tooMany } from './too-many.ts'

/**
 * Registration of clients (RFC 7591), for anybody, and management of their own by those who are not shared
 * (RFC 7592). Pages of any site may use both: nothing here looks at a cookie.
 */
export function addRegistrationRoutes(
  app: FastifyInstance,
  handOver: HandOver,
  registrations: CountedAttempts,
): void {
  const { registration } = oauthPaths

  app.post(registration, bounded, async (request, reply) => {
    allowAnyOrigin(reply)
    const seconds = await secondsToWait(registrations.count(addressKey(request.ip)))
    if (seconds !== undefined) return tooMany(reply, 'registrations', seconds)
    handOver(request, reply, { body: normalizeClientMetadataText(textOf(request) ?? '') })
    return reply
  })
  app.options(registration, (_request, reply) => answerPreflight(reply, 'POST'))

  const own = `${registration}/:clientId`
  app.get(own, (request, reply) => handOver(request, allowAnyOrigin(reply)))
  app.put(own, bounded, (request, reply) =>
    handOver(request, allowAnyOrigin(reply), { body: normalizeClientChange(textOf(request) ?? '') }),
  )
  app.delete(own, (request, reply) => handOver(request, allowAnyOrigin(reply)))
  app.options(own, (_request, reply) => answerPreflight(reply, 'GET, PUT, DELETE'))
}

/** Many times what clients send. */
const maxBodyBytes = 16 * 1024

const bounded: RouteShorthandOptions = {
  bodyLimit: maxBodyBytes,
  errorHandler(error, _request, reply) {
    if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error
    allowAnyOrigin(reply)
      .code(413)
      .header('cache-control', 'no-store')
      .send({
        error: 'invalid_client_metadata',
        error_description: `The metadata of a client has at most ${maxBodyBytes} bytes.`,
      })
  },
}
