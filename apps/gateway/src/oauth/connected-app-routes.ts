import { Problem } from '@flamegate/contract'
import type { IdentityStore } from '@flamegate/operations/ports'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { noteSecurity } from '../security-events.ts'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import type { WebSessions } from '../session/web-session.ts'
import { offerChoices, readChoices } from './allowance.ts'

export interface ConnectedAppOptions {
  identity: IdentityStore
  sessions: WebSessions
  /** The public URL. */
  siteUrl: string
}

type WithId = { Params: { id: string } }

/**
 * `GET` and `PUT /auth/connected-apps/:id/choices`: what a person chose for an app, and changing it. No operations,
 * because an app may call operations, and must not widen what it was left.
 */
export function addConnectedAppRoutes(app: FastifyInstance, options: ConnectedAppOptions): void {
  const { identity, sessions, siteUrl } = options
  const path = '/auth/connected-apps/:id/choices'

  app.get<WithId>(path, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const userId = await findPerson(request)
    const before = await identity.grants.findChoices(userId, request.params.id)
    if (!before) throw noSuchApp()
    return offerChoices(identity, userId, before)
  })

  app.put<WithId>(path, { onRequest: refuseCrossSite(siteUrl) }, async (request, reply) => {
    const userId = await findPerson(request)
    const choices = await readChoices(identity, userId, request.body)
    noteSecurity(request, { userId, target: request.params.id, workspaceIds: choices.workspaceIds })
    if (!(await identity.grants.changeChoices(userId, request.params.id, choices))) throw noSuchApp()
    return reply.code(204).send()
  })

  async function findPerson({ headers }: FastifyRequest<WithId>): Promise<string> {
    const session = await sessions.find(headers.cookie)
    if (!session) throw new Problem('unauthenticated', 'Log in first.')
    return session.userId
  }
}

function noSuchApp(): Problem {
  return new Problem('connected_app_not_found', 'You have connected no such app. Reload the page.')
}
