import { Problem } from '@flamegate/contract'
import type { IdentityStore, Session } from '@flamegate/operations/ports'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errors } from 'oidc-provider'
import type { Provider } from 'oidc-provider'
import { noteSecurity } from '../security-events.ts'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import type { WebSessions } from '../session/web-session.ts'
import { readAllowance } from './allowance.ts'
import { describeConsent, grantRequested } from './consent.ts'
import type { Interaction } from './consent.ts'
import { oauthPaths } from './provider.ts'
import { sendErrorPage } from './render-error.ts'
import type { Resources } from './resources.ts'

type WithUid = { Params: { uid: string } }

export interface InteractionOptions {
  provider: Provider
  identity: IdentityStore
  sessions: WebSessions
  resources: Resources
}

/**
 * Where an authorization request waits for its person.
 *
 *     /oauth/authorize -> /oauth/interaction/<uid> -> /log-in?interaction=<uid>   when nobody is logged in,
 *                            ^                             |                      or again, if the client wants that
 *                            `-----------------------------'
 *                         /oauth/interaction/<uid> -> /consent/<uid>              the page decides by
 *                                                     POST /auth/interactions/<uid>/allow or /deny,
 *                                                     and goes to the `redirect_to` of the answer
 *
 * The decision is JSON and not a form, because browsers apply the `form-action` of a page to every redirect after
 * its form, and clients may be anywhere.
 */
export function addInteractionRoutes(app: FastifyInstance, options: InteractionOptions): void {
  const { provider, identity, sessions, resources } = options
  const onRequest = refuseCrossSite(provider.issuer)

  app.get<WithUid>(`${oauthPaths.interaction}/:uid`, async (request, reply) => {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
    const { uid } = request.params
    const interaction = await findOwnInteraction(request, reply)
    // The cookie is what binds the request to this browser: without it, somebody could send their own request
    // to another person and come back logged in as them.
    if (!interaction || interaction.uid !== uid) return expiredPage(reply)

    const session = await sessions.find(request.headers.cookie)
    const logIn = `/log-in?interaction=${encodeURIComponent(uid)}`
    if (!session) return reply.redirect(logIn, 303)
    if (interaction.prompt.name === 'login') {
      if (wantsFreshLogIn(interaction) && !isFresh(session, interaction)) return reply.redirect(logIn, 303)
      return reply.redirect(await finishLogIn(interaction, session), 303)
    }
    if (interaction.session?.accountId !== session.userId) return expiredPage(reply)
    return reply.redirect(`/consent/${encodeURIComponent(uid)}`, 303)
  })

  app.get<WithUid>('/auth/interactions/:uid', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const { interaction, user } = await findConsent(request)
    return describeConsent(provider, interaction, user, identity)
  })

  app.post<WithUid>('/auth/interactions/:uid/allow', { onRequest }, async (request) => {
    const { interaction, user } = await findConsent(request)
    if (interaction.result) return goOnAsDecided(request, interaction)
    const allowance = await readAllowance(identity, user.id, request.body)
    const grantId = await grantRequested(provider, interaction, identity, resources, allowance)
    noteSecurity(request, { target: grantId, workspaceIds: allowance.choices.workspaceIds })
    return finish(interaction, { ...interaction.lastSubmission, consent: { grantId } })
  })

  app.post<WithUid>('/auth/interactions/:uid/deny', { onRequest }, async (request) => {
    const { interaction } = await findConsent(request)
    if (interaction.result) return goOnAsDecided(request, interaction)
    return finish(interaction, {
      error: 'access_denied',
      error_description: 'The person did not allow it.',
    })
  })

  /** The interaction that this browser has a cookie for. */
  async function findOwnInteraction(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Interaction | undefined> {
    try {
      return await provider.interactionDetails(request.raw, reply.raw)
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined
      throw error
    }
  }

  /**
   * The consent that the logged-in person was asked for. It needs no interaction cookie: it got their account only in
   * a browser that had it, and the provider goes on only in that browser (its resume cookie).
   */
  async function findConsent(request: FastifyRequest<WithUid>) {
    const { headers, params } = request
    const session = await sessions.find(headers.cookie)
    const user = session && (await identity.findUser(session.userId))
    if (!user) throw new Problem('unauthenticated', 'Nobody is logged in.')
    const interaction = await provider.Interaction.find(params.uid)
    if (interaction?.prompt.name !== 'consent' || interaction.session?.accountId !== user.id) {
      throw new Problem('not_found', 'This request has expired. Start again from the app that sent you here.')
    }
    noteSecurity(request, { userId: user.id, client: await clientOf(interaction) })
    return { interaction, user }
  }

  async function clientOf({ params }: Interaction): Promise<{ id: string; name: string }> {
    const id = String(params['client_id'])
    return { id, name: (await provider.Client.find(id))?.clientName ?? id }
  }

  async function finishLogIn(
    interaction: Interaction,
    { userId, provedAt, createdAt }: Session,
  ): Promise<string> {
    const before = interaction.session
    if (before && before.accountId !== userId) {
      // Somebody else was here: the provider's session of theirs ends, and this request goes on without it.
      await (await provider.Session.findByUid(before.uid))?.destroy()
      interaction.session = undefined
    }
    // Else the provider would take this moment for the log-in, and an old one for fresh when a client asks next.
    const ts = Math.floor((provedAt ?? createdAt).getTime() / 1000)
    const { redirect_to } = await finish(interaction, { login: { accountId: userId, ts } })
    return redirect_to
  }
}

/** The first decision stands, and the same click again leads to the same place. */
function goOnAsDecided(request: FastifyRequest, interaction: Interaction): { redirect_to: string } {
  noteSecurity(request, { outcome: 'decided_already' })
  return goOn(interaction)
}

async function finish(
  interaction: Interaction,
  result: Interaction['result'],
): Promise<{ redirect_to: string }> {
  interaction.result = result
  await interaction.persist()
  return goOn(interaction)
}

/** Where the page goes after a decision. */
function goOn({ returnTo }: Interaction): { redirect_to: string } {
  return { redirect_to: returnTo }
}

/** Whether the client asked for a log-in although somebody may be logged in (`prompt=login`, `max_age`). */
function wantsFreshLogIn({ prompt }: Interaction): boolean {
  return prompt.reasons.some((reason) => reason === 'login_prompt' || reason === 'max_age')
}

function isFresh(session: Session, interaction: Interaction): boolean {
  return session.provedAt !== null && session.provedAt.getTime() >= interaction.iat * 1000
}

function expiredPage(reply: FastifyReply): FastifyReply {
  return sendErrorPage(reply.code(400), 'request_expired')
}
