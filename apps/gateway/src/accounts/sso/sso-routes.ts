import { addressKey, createVouchedPerson } from '@flamegate/auth'
import { beginOidc, discoverProvider, finishOidc, OidcFault } from '@flamegate/auth/oidc'
import type { OidcClaims, OidcFaultReason } from '@flamegate/auth/oidc'
import { Problem } from '@flamegate/contract'
import type { ProblemCode } from '@flamegate/contract'
import type { SsoConnection, User } from '@flamegate/operations/ports'
import type { FastifyInstance } from 'fastify'
import { noteSecurity } from '../../security-events.ts'
import { refuseCrossSite } from '../../session/refuse-cross-site.ts'
import type { AccountContext } from '../account-context.ts'
import { goOnInput, readInput, ssoInput } from '../account-input.ts'
import { admit } from '../admission.ts'
import { logInPage, pageAfter } from '../after-log-in.ts'
import { personName } from '../elsewhere/foreign-sign-in.ts'

interface WithWorkspace {
  Params: { workspaceId: string }
}

/** Why a provider's word did not let somebody in; the log-in page knows the words. */
type Refusal =
  | `sso_${OidcFaultReason}`
  | 'sso_no_email'
  | 'sso_email_unverified'
  | 'sso_domain_not_proved'
  | 'sso_address_elsewhere'
  | 'sso_account_exists'
  | 'sso_other_person'
  | 'sso_required'
  | 'account_disabled'
  | 'email_unconfirmed'

/** Refusals of the account here, in the words of the log-in page. */
const refusalOfProblem: Partial<Record<ProblemCode, Refusal>> = {
  account_disabled: 'account_disabled',
  email_unconfirmed: 'email_unconfirmed',
  sso_required: 'sso_required',
  conflict: 'sso_other_person',
}

/**
 * Logging in with the OpenID provider of a workspace. `POST /auth/sso` answers where the browser goes for it, for an e-mail
 * address or a workspace, and `GET /auth/sso/:workspaceId/callback` is where it comes back to: an address for each workspace,
 * so that no provider answers in place of another (RFC 9700, 4.4).
 */
export function addSsoRoutes(app: FastifyInstance, context: AccountContext): void {
  const { identity, providers, sealing, tickets, limiters, siteUrl } = context
  const onRequest = refuseCrossSite(siteUrl)
  const redirectUriOf = (workspaceId: string) => `${siteUrl}/auth/sso/${workspaceId}/callback`

  app.post('/auth/sso', { onRequest }, async (request, reply) => {
    await limiters.logIn.count(addressKey(request.ip))
    const { email, workspace, ...goOn } = readInput(ssoInput, request.body)
    const connection = await (workspace === undefined
      ? identity.sso.findByDomain(domainOf(email ?? ''))
      : identity.sso.findBySlug(workspace))
    if (connection === undefined) {
      const who = workspace ?? domainOf(email ?? '')
      throw new Problem('sso_not_found', `${who} has no single sign-on here. Log in in another way.`)
    }
    const { workspaceId, issuer } = connection
    const begun = await begin(connection, email).catch((cause: unknown) => {
      if (!(cause instanceof OidcFault)) throw cause
      request.log.warn({ err: cause, workspaceId }, 'single sign-on could not begin')
      throw new Problem('unavailable', `${cause.message} Tell an owner of your workspace, or try again.`, {
        cause,
      })
    })
    const payload = { sso: workspaceId, issuer, memory: begun.memory, goOn }
    await tickets.hand(reply, 'sign_in_elsewhere', { userId: null, payload })
    return { redirect_to: begun.url }
  })

  // As for other services: the ticket ties it to what this browser began, and a HEAD request would be recorded nowhere.
  app.get<WithWorkspace>(
    '/auth/sso/:workspaceId/callback',
    { exposeHeadRoute: false },
    async (request, reply) => {
      const { workspaceId } = request.params
      const ticket = await tickets.take(request, reply, 'sign_in_elsewhere')
      const connection =
        ticket?.payload['sso'] === workspaceId ? await identity.sso.find(workspaceId) : undefined
      const goOn = connection === undefined ? {} : goOnInput.parse(ticket?.payload['goOn'])
      const refuse = (refused: Refusal) => {
        noteSecurity(request, { outcome: refused })
        return reply.redirect(logInPage(goOn, { refused }), 303)
      }
      if (ticket === undefined || connection === undefined) return refuse('sso_failed')
      noteSecurity(request, { workspaceIds: [workspaceId] })
      // Who changes the settings meanwhile does not have what was begun with one provider ended with another.
      if (ticket.payload['issuer'] !== connection.issuer) return refuse('sso_failed')

      let claims: OidcClaims
      try {
        const config = await discoverProvider(await providerOf(connection))
        claims = await finishOidc(config, new URL(request.url, siteUrl), ticket.payload['memory'])
      } catch (err) {
        if (!(err instanceof OidcFault)) throw err
        request.log.warn({ err, workspaceId }, 'single sign-on failed')
        return refuse(`sso_${err.reason}`)
      }
      const found = await findOrCreate(connection, claims)
      if ('refusal' in found) return refuse(found.refusal)
      const sso = {
        workspaceId,
        issuer: connection.issuer,
        subject: claims.subject,
        role: connection.defaultRole,
      }
      try {
        const admission = await admit(context, request, reply, found.user, 'sign_in_elsewhere', { sso })
        if ('next' in admission) noteSecurity(request, { outcome: 'code_needed' })
        return await reply.redirect('next' in admission ? logInPage(goOn, 'code') : pageAfter(goOn), 303)
      } catch (error) {
        const refusal = error instanceof Problem ? refusalOfProblem[error.code] : undefined
        if (refusal === undefined) throw error
        return refuse(refusal)
      }
    },
  )

  async function providerOf({ workspaceId, issuer, clientId, sealedClientSecret }: SsoConnection) {
    const clientSecret = await sealing.open(sealedClientSecret, workspaceId)
    return { issuer, clientId, clientSecret, fetch: providers.fetch, allowHttp: providers.allowsHttp(issuer) }
  }

  async function begin(connection: SsoConnection, email: string | undefined) {
    const config = await discoverProvider(await providerOf(connection))
    return beginOidc(config, redirectUriOf(connection.workspaceId), email)
  }

  /**
   * Who is to be let in. A provider's word counts for addresses of domains that its workspace proved, and for nobody else: it
   * may be anybody's, and could say that it saw anybody.
   */
  async function findOrCreate(
    { workspaceId, issuer }: SsoConnection,
    { subject, email, isEmailVerified, name }: OidcClaims,
  ): Promise<{ user: User } | { refusal: Refusal }> {
    if (email === undefined) return { refusal: 'sso_no_email' }
    if (!isEmailVerified) return { refusal: 'sso_email_unverified' }
    if (!(await identity.sso.hasDomain(workspaceId, domainOf(email)))) {
      return { refusal: 'sso_domain_not_proved' }
    }
    const knownId = await identity.sso.findPerson({ workspaceId, issuer, subject })
    const known = knownId === undefined ? undefined : await identity.findUser(knownId)
    if (known) {
      // Whoever took their account to an address elsewhere took it out of the workspace's hands.
      const isStillTheirs = await identity.sso.hasDomain(workspaceId, domainOf(known.email))
      return isStillTheirs ? { user: known } : { refusal: 'sso_address_elsewhere' }
    }
    const existing = await identity.findUserByEmail(email)
    if (existing === undefined) {
      const user = await createVouchedPerson(context, { email, name: personName(name, email) })
      return user ? { user } : { refusal: 'sso_failed' }
    }
    // An address that nobody confirmed may have been typed by a stranger, who would then share the account; but not the one
    // that an invitation was handed to.
    const isTheirs = existing.emailVerifiedAt !== null || (await isMember(existing.id, workspaceId))
    return isTheirs ? { user: existing } : { refusal: 'sso_account_exists' }
  }

  async function isMember(userId: string, workspaceId: string): Promise<boolean> {
    const memberships = await identity.listMemberships(userId)
    return memberships.some((each) => each.workspaceId === workspaceId)
  }
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1)
}
