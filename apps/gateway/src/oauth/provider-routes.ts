import type { ServerResponse } from 'node:http'
import { addressKey } from '@flamegate/auth'
import type { AttemptLimit, AttemptStore } from '@flamegate/operations/ports'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errors } from 'oidc-provider'
import type { Provider } from 'oidc-provider'
import { countAttempts, rate } from '../accounts/counted-attempts.ts'
import { addDiscoveryRoutes } from './discovery-routes.ts'
import { createHandOver, textOf } from './hand-over.ts'
import { namedClient } from './named-client.ts'
import { createOAuthLimits } from './oauth-limits.ts'
import type { Requester, RequestLimits } from './oauth-limits.ts'
import { oauthPaths } from './provider.ts'
import { withCanonicalResource, withGrantableScope, withKnownScope } from './requested-access.ts'
import { addRegistrationRoutes } from './registration-routes.ts'
import type { Resources } from './resources.ts'
import { withSignedToken } from './signed-token-revocation.ts'
import { secondsToWait, tooMany, tooManyPage } from './too-many.ts'

/** Every one is stored until its code is over. */
const deviceStartLimit = rate(300, 3_600_000)

export interface ProviderRouteOptions {
  provider: Provider
  resources: Resources
  attempts: AttemptStore
  registrationLimit: AttemptLimit
  limits: RequestLimits | undefined
}

/**
 * The provider's own routes, each handed over with what lenience towards clients needs: a default scope, canonical
 * resources, normalized registrations, metadata also where clients look for it.
 */
export function addProviderRoutes(app: FastifyInstance, options: ProviderRouteOptions): void {
  const { provider, resources, attempts, registrationLimit } = options
  const handOver = createHandOver(provider)
  const limits = createOAuthLimits(options.limits)
  const requesters = new WeakMap<ServerResponse, Requester>()
  const deviceStarts = countAttempts(attempts, 'deviceStarts', deviceStartLimit)
  const { authorization, token, device_authorization: device, revocation, jwks } = oauthPaths

  // Bodies stay text: the provider reads them itself, after our changes.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: 56 * 1024 },
    (_request: FastifyRequest, text: string, done: (error: null, body: string) => void) => done(null, text),
  )

  app.get(authorization, async (request, reply) => {
    const seconds = await limits.authorization(request.ip)
    if (seconds !== undefined) {
      const isPerson = request.headers.accept?.includes('text/html') ?? false
      return (isPerson ? tooManyPage : tooMany)(reply, 'log-ins', seconds)
    }
    const { pathname, searchParams } = new URL(request.url, provider.issuer)
    const parameters = withCanonicalResource(withGrantableScope(searchParams), resources)
    handOver(request, reply, { url: `${pathname}?${parameters.toString()}` })
    return reply
  })
  app.get(`${authorization}/:uid`, (request, reply) => handOver(request, reply))

  app.post(token, async (request, reply) => {
    const parameters = withKnownScope(new URLSearchParams(textOf(request)))
    const requester = { clientId: namedClient(request, parameters), address: request.ip }
    const seconds = await limits.token(requester)
    if (seconds !== undefined) return tooMany(reply, 'requests for tokens', seconds)
    requesters.set(reply.raw, requester)
    handOver(request, reply, { body: withCanonicalResource(parameters, resources).toString() })
    return reply
  })
  provider.on('grant.error', ({ res }, error) => {
    const requester = requesters.get(res)
    // A program that waits for its person did nothing wrong.
    if (!requester || error instanceof errors.AuthorizationPending) return
    limits.failedToken(requester).catch((err: unknown) => app.log.error({ err }, 'Failed token not counted'))
  })
  app.post(device, async (request, reply) => {
    const seconds = await secondsToWait(deviceStarts.count(addressKey(request.ip)))
    if (seconds !== undefined) return tooMany(reply, 'log-ins', seconds)
    const parameters = withGrantableScope(new URLSearchParams(textOf(request)))
    handOver(request, reply, { body: withCanonicalResource(parameters, resources).toString() })
    return reply
  })
  app.options(token, (request, reply) => handOver(request, reply))

  app.post(revocation, (request, reply) => {
    const parameters = new URLSearchParams(textOf(request))
    handOver(request, reply, { body: withSignedToken(parameters).toString() })
  })
  app.options(revocation, (request, reply) => handOver(request, reply))
  app.get(jwks, (request, reply) => handOver(request, reply))
  app.options(jwks, (request, reply) => handOver(request, reply))

  addRegistrationRoutes(app, handOver, countAttempts(attempts, 'registrations', registrationLimit))
  addDiscoveryRoutes(app, handOver)
}
