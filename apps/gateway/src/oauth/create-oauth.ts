import type { EventEmitter } from 'node:events'
import type { AttemptLimit, IdentityStore } from '@flamegate/operations/ports'
import type { FastifyPluginAsync } from 'fastify'
import { rate } from '../accounts/counted-attempts.ts'
import type { SiteNames } from '../site-names.ts'
import type { WebSessions } from '../session/web-session.ts'
import { anyClient } from './client-admission.ts'
import type { ClientPolicy } from './client-admission.ts'
import type { FetchDocument } from './client-documents.ts'
import { addConnectedAppRoutes } from './connected-app-routes.ts'
import { addDeviceRoutes } from './device-routes.ts'
import { addInteractionRoutes } from './interaction-routes.ts'
import { addResourceMetadataRoutes } from './metadata-routes.ts'
import type { RequestLimits } from './oauth-limits.ts'
import { addProviderRoutes } from './provider-routes.ts'
import { createProvider } from './provider.ts'
import { recordOAuth } from './recorded-routes.ts'
import { noteClientUse } from './registered-clients.ts'
import { createResources } from './resources.ts'
import type { Resources } from './resources.ts'

export interface OAuthOptions {
  identity: IdentityStore
  /** The public URL, without a path and without a trailing slash. */
  issuer: string
  /** By which clients may reach it; those of the issuer when left out. */
  names?: SiteNames | undefined
  sessions: WebSessions
  /** The guarded way out, for client ID metadata documents. */
  fetchDocument: FetchDocument
  /** Which clients may come; any when left out. */
  clients?: ClientPolicy
  /** Registrations per client address. */
  registrationLimit?: AttemptLimit
  /** 600 when left out. */
  accessTokenLifetimeSeconds?: number
  /** Limits of requests for authorization and for tokens; none when left out. */
  limits?: RequestLimits | undefined
}

const hourMs = 3_600_000
const defaultRegistrationLimit = rate(300, hourMs)

export interface OAuth {
  /** All routes of the authorization server, for the root of the application. */
  plugin: FastifyPluginAsync
  resources: Resources
}

/** The authorization server. Its keys are made on first use and shared by all processes through `identity`. */
export async function createOAuth(options: OAuthOptions): Promise<OAuth> {
  const { identity, issuer, sessions, fetchDocument } = options
  const { clients = anyClient, registrationLimit = defaultRegistrationLimit } = options
  const { accessTokenLifetimeSeconds = 600, limits } = options
  if (new URL(issuer).origin !== issuer) throw new TypeError(`The issuer must be an origin: ${issuer}`)
  const resources = createResources(issuer, options.names)
  const provider = await createProvider({
    identity,
    issuer,
    resources,
    sessions,
    fetchDocument,
    clients,
    accessTokenLifetimeSeconds,
  })

  const plugin: FastifyPluginAsync = async (app) => {
    const logFailure = (error: Error) => app.log.error({ err: error }, 'OAuth request failed')
    provider.on('server_error', (_context, error) => logFailure(error))
    // What fails outside of its own error handling, Koa tells and would otherwise print.
    const koa: EventEmitter = provider
    koa.on('error', logFailure)
    noteClientUse(provider, identity.oauthClients, logFailure)
    recordOAuth(app, provider, identity, logFailure)
    addResourceMetadataRoutes(app, resources)
    addInteractionRoutes(app, { provider, identity, sessions, resources })
    addDeviceRoutes(app, { provider, identity, sessions, resources })
    addConnectedAppRoutes(app, { identity, sessions, siteUrl: issuer })
    await app.register(async (scope) =>
      addProviderRoutes(scope, {
        provider,
        resources,
        attempts: identity.accounts.attempts,
        registrationLimit,
        limits,
      }),
    )
  }
  return { plugin, resources }
}
