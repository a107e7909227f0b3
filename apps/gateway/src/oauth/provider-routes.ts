import { addressKey } from '@flamegate/auth'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { createAttemptLimiter } from '../accounts/attempt-limiter.ts'
import type { AttemptLimit } from '../accounts/attempt-limiter.ts'
import { addDiscoveryRoutes } from './discovery-routes.ts'
import { createHandOver, textOf } from './hand-over.ts'
import { oauthPaths } from './provider.ts'
import {
  withCanonicalResource,
  withGrantableScope,
  withKnownScope,
  withMachineScope,
} from './requested-access.ts'
import { addRegistrationRoutes } from './registration-routes.ts'
import type { Resources } from './resources.ts'
import { withSignedToken } from './signed-token-revocation.ts'

/** Every one is stored until its code is over. */
const deviceStartLimit: AttemptLimit = { attempts: 300, windowMs: 3_600_000 }

export interface ProviderRouteOptions {
  provider: Provider
  resources: Resources
  registrationLimit: AttemptLimit
}

/**
 * The provider's own routes, each handed over with what lenience towards clients needs: a default scope, canonical
 * resources, normalized registrations, metadata also where clients look for it.
 */
export function addProviderRoutes(app: FastifyInstance, options: ProviderRouteOptions): void {
  const { provider, resources, registrationLimit } = options
  const handOver = createHandOver(provider)
  const deviceStarts = createAttemptLimiter(deviceStartLimit)
  const { authorization, token, device_authorization: device, revocation, jwks } = oauthPaths

  // Bodies stay text: the provider reads them itself, after our changes.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: 56 * 1024 },
    (_request: FastifyRequest, text: string, done: (error: null, body: string) => void) => done(null, text),
  )

  app.get(authorization, (request, reply) => {
    const { pathname, searchParams } = new URL(request.url, provider.issuer)
    const parameters = withCanonicalResource(withGrantableScope(searchParams), resources)
    handOver(request, reply, { url: `${pathname}?${parameters.toString()}` })
  })
  app.get(`${authorization}/:uid`, (request, reply) => handOver(request, reply))

  app.post(token, (request, reply) => {
    const parameters = withKnownScope(withMachineScope(new URLSearchParams(textOf(request))))
    handOver(request, reply, { body: withCanonicalResource(parameters, resources).toString() })
  })
  app.post(device, (request, reply) => {
    deviceStarts.count(addressKey(request.ip))
    const parameters = withGrantableScope(new URLSearchParams(textOf(request)))
    handOver(request, reply, { body: withCanonicalResource(parameters, resources).toString() })
  })
  app.options(token, (request, reply) => handOver(request, reply))

  app.post(revocation, (request, reply) => {
    const parameters = new URLSearchParams(textOf(request))
    handOver(request, reply, { body: withSignedToken(parameters).toString() })
  })
  app.options(revocation, (request, reply) => handOver(request, reply))
  app.get(jwks, (request, reply) => handOver(request, reply))
  app.options(jwks, (request, reply) => handOver(request, reply))

  addRegistrationRoutes(app, handOver, registrationLimit)
  addDiscoveryRoutes(app, handOver)
}
