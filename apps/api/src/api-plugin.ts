import {
  bearerChallenge,
  callerAssertionHeader,
  type AuthenticationFailure,
  type Authenticator,
} from '@flamegate/auth'
import { Problem, type Operation } from '@flamegate/contract'
import type { Execute } from '@flamegate/operations'
import type { IdempotencyStore, Sealing, Stores } from '@flamegate/operations/ports'
import { currentTraceId, noteForAccessLog, withSpan } from '@flamegate/runtime'
import { callMarksHeader, openApi, readCallMarks, referencePage, restRoutes } from '@flamegate/surfaces'
import type { FastifyPluginAsync, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { codspeedRoutes, type CodspeedOptions } from './codspeed/codspeed-routes.ts'
import { pushRoutes, type PushOptions } from './pushed/push-routes.ts'
import { otlpRoutes } from './otlp/otlp-routes.ts'
import { badgeRoutes } from './badge-routes.ts'
import { callsAtWork } from './calls-at-work.ts'
import { liveRoutes, type LiveOptions } from './live/live-routes.ts'
import { scimRoutes, type ScimOptions } from './scim/scim-routes.ts'
import { runOnce } from './run-once.ts'
import { sharedProfileRoutes } from './shared-profile-routes.ts'
import { sharedReportRoutes } from './shared-report-routes.ts'

export interface ApiOptions {
  execute: Execute
  authenticator: Authenticator
  /** Where answers to calls with an idempotency key are kept, and what they are sealed with. */
  idempotency: { store: IdempotencyStore; sealing: Sealing }
  /** What badges and public links are read from; there are none when left out. */
  badges?: Stores
  /** Without a trailing slash. Links, metadata and the audience of access tokens (`<publicUrl>/v1`) follow it. */
  publicUrl: string
  /** Whether the gateway's word for who is calling counts: only where strangers cannot reach this server. */
  allowAssertion: boolean
  /** Routes of the local object storage, when that is what is used. */
  objectRoutes?: FastifyPluginAsync
  /** What takes the archives of CodSpeed's runner; nothing does when left out. */
  codspeed?: CodspeedOptions
  /** What takes the profiles that agents push; nothing does when left out. */
  pushed?: PushOptions
  /** What identity providers of workspaces provision by; they cannot when left out. */
  scim?: ScimOptions
  /** What event streams of load tests live on; there are none when left out. */
  live?: LiveOptions
}

/**
 * REST under `/v1`: every operation, the OpenAPI document and the reference page; the addresses that agents push profiles
 * to; `/upload`, where CodSpeed's runner uploads; and `/scim/v2`, where identity providers of workspaces say who is a member.
 */
export function apiPlugin(options: ApiOptions): FastifyPluginCallback {
  const { publicUrl, authenticator } = options
  const docsUrl = `${publicUrl}/v1/docs`
  const resourceMetadataUrl = `${publicUrl}/.well-known/oauth-protected-resource/v1`
  const document = JSON.stringify(openApi(publicUrl))
  const page = referencePage(publicUrl)

  return (app, _options, done) => {
    const atWork = callsAtWork()
    app.addHook('onClose', () => atWork.done())
    app.get('/v1/openapi.json', (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(document),
    )
    app.get('/v1/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(page))
    if (options.badges !== undefined) void app.register(badgeRoutes(options.badges))
    if (options.objectRoutes !== undefined) void app.register(options.objectRoutes)
    const execute: Execute = (operation, input, origin) =>
      atWork.note(
        withSpan(operation.id, {}, () =>
          options.execute(operation, input, { ...origin, traceId: currentTraceId() }),
        ),
      )
    if (options.badges !== undefined) {
      const shared = { links: options.badges.shareLinks, execute, docsUrl }
      void app.register(sharedProfileRoutes(shared))
      void app.register(sharedReportRoutes(shared))
    }
    if (options.codspeed !== undefined) {
      void app.register(codspeedRoutes({ ...options.codspeed, execute, identify }))
    }
    if (options.pushed !== undefined) {
      void app.register(pushRoutes({ ...options.pushed, execute, identify }))
    }
    if (options.live !== undefined) {
      void app.register(liveRoutes({ ...options.live, execute, identify, docsUrl }))
    }
    if (options.scim !== undefined) void app.register(scimRoutes(publicUrl, options.scim))
    void app.register(otlpRoutes({ execute, identify }))
    restRoutes(app, {
      execute,
      docsUrl,
      identify,
      once: (principal, key, operation, input, run) =>
        atWork.note(runOnce(options.idempotency, principal, key, operation, input, run)),
      challengeScope: (reply, operation) =>
        challenge(reply, 'insufficient_scope', operation.scopes.join(' or '), operation),
      marks: ({ headers }) => {
        const isFromGateway = options.allowAssertion && headers[callerAssertionHeader] !== undefined
        return isFromGateway ? readCallMarks(single(headers[callMarksHeader]) ?? '') : {}
      },
      note: (request, operation) => noteForAccessLog(request, { operation: operation.id }),
    })
    done()
  }

  async function identify(request: FastifyRequest, reply: FastifyReply) {
    const { headers } = request
    const authentication = await authenticator.authenticate(
      {
        method: request.method,
        authorization: headers.authorization,
        cookie: headers.cookie,
        origin: headers.origin,
        secFetchSite: single(headers['sec-fetch-site']),
        callerAssertion: single(headers[callerAssertionHeader]),
        address: request.ip,
      },
      { audience: `${publicUrl}/v1`, allowSession: true, allowAssertion: options.allowAssertion },
    )
    if ('principal' in authentication) return authentication.principal
    throw refusal(authentication.failure, reply)
  }

  function refusal(failure: AuthenticationFailure, reply: FastifyReply): Problem {
    if (failure.status === 403) return new Problem('insufficient_scope', failure.description)
    challenge(reply, failure.error, failure.description)
    return new Problem(
      'unauthenticated',
      `${failure.description} Log in, or send Authorization: Bearer with an API token (fg_…).`,
    )
  }

  function challenge(
    reply: FastifyReply,
    error: string | undefined,
    description: string,
    operation?: Operation,
  ): void {
    reply.header(
      'www-authenticate',
      bearerChallenge({ error, description, scope: operation?.scopes ?? ['read'], resourceMetadataUrl }),
    )
  }
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
