import { addressKey, createVouchedPerson } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import type { User } from '@flamegate/operations/ports'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { noteSecurity } from '../security-events.ts'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import { requirePerson } from './account-context.ts'
import type { AccountContext } from './account-context.ts'
import { goOnInput, readInput } from './account-input.ts'
import { admit } from './admission.ts'
import { logInPage, pageAfter, type GoOn } from './after-log-in.ts'
import { requireAnotherWayIn } from './another-way-in.ts'
import type { ForeignPerson, ForeignSignIn } from './elsewhere/foreign-sign-in.ts'
import { isProofFresh, requireFreshProof } from './fresh-proof.ts'
import { linkSignIn } from './link-sign-in.ts'
import { whereFrom } from './where-from.ts'

interface WithId {
  Params: { id: string }
}

/** Why somebody who came back from another service was not let in; the log-in and the account page know the words. */
type Refusal =
  | 'failed'
  | 'account_disabled'
  | 'sso_required'
  | 'email_unconfirmed'
  | 'email_unconfirmed_there'
  | 'account_exists'
  | 'linked_to_another'
  | 'linked_already'
  | 'proof_needed'

/**
 * Logging in with an account elsewhere. `POST /auth/sign-ins/:id` answers where the browser goes for it, and
 * `GET /auth/sign-ins/:id/callback` is where it comes back to. `POST /auth/account/sign-ins/:id` does the same to link
 * the account elsewhere with the one here; `DELETE` ends that.
 */
export function addSignInRoutes(app: FastifyInstance, context: AccountContext): void {
  const { identity, tickets, limiters, mail } = context
  const { accounts } = identity
  const onRequest = refuseCrossSite(context.siteUrl)

  app.post<WithId>('/auth/sign-ins/:id', { onRequest }, async (request, reply) => {
    await limiters.logIn.count(addressKey(request.ip))
    const goOn = readInput(goOnInput, request.body)
    return begin(reply, findSignIn(request.params.id), null, goOn)
  })

  app.post<WithId>('/auth/account/sign-ins/:id', { onRequest }, async (request, reply) => {
    const { session, user } = await requirePerson(context, request)
    requireFreshProof(session, context.now)
    return begin(reply, findSignIn(request.params.id), user.id, {})
  })

  app.delete<WithId>('/auth/account/sign-ins/:id', { onRequest }, async (request, reply) => {
    const { session, user } = await requirePerson(context, request)
    requireFreshProof(session, context.now)
    const { issuer } = findSignIn(request.params.id)
    const links = await accounts.linkedSignIns.list(user.id)
    if (!links.some((each) => each.issuer === issuer)) {
      throw new Problem('not_found', 'Your account is not linked with it.')
    }
    await requireAnotherWayIn(context, user)
    await accounts.linkedSignIns.remove(user.id, issuer)
    mail.sendChange(user, 'sign_in_unlinked', whereFrom(request, context.now))
    return reply.code(204).send()
  })

  // Our own pages do not ask for this, so it needs no word of theirs: the ticket ties it to what this browser began.
  // A HEAD request would log in as well, and is recorded nowhere.
  app.get<WithId>('/auth/sign-ins/:id/callback', { exposeHeadRoute: false }, async (request, reply) => {
    const signIn = findSignIn(request.params.id)
    const ticket = await tickets.take(request, reply, 'sign_in_elsewhere')
    if (ticket?.payload['signIn'] !== signIn.id) {
      noteSecurity(request, { outcome: 'failed' })
      return reply.redirect(logInPage({}, { refused: 'failed' }), 303)
    }
    const goOn = goOnInput.parse(ticket.payload['goOn'])
    const linking = ticket.userId
    if (linking !== null) noteSecurity(request, { action: 'link_sign_in', userId: linking })
    const refuse = (refusal: Refusal) => {
      noteSecurity(request, { outcome: refusal })
      const page =
        linking === null ? logInPage(goOn, { refused: refusal }) : `/settings/account?refused=${refusal}`
      return reply.redirect(page, 303)
    }

    let person: ForeignPerson
    try {
      const memory = fieldsOf(ticket.payload['memory'])
      person = await signIn.finish(new URL(request.url, context.siteUrl), memory)
    } catch (err) {
      request.log.warn({ err, signIn: signIn.id }, 'signing in elsewhere failed')
      return refuse('failed')
    }
    if (linking !== null) {
      const session = await context.sessions.find(request.headers.cookie)
      const user = await identity.findUser(linking)
      // Still the same person at the screen as when it began.
      if (!user || session?.userId !== linking) return refuse('failed')
      // They may have been away for long.
      if (!isProofFresh(session, context.now)) return refuse('proof_needed')
      const refusal = await linkSignIn(context, request, user, person)
      return refusal === undefined ? reply.redirect('/settings/account', 303) : refuse(refusal)
    }
    const found = await findOrCreate(person)
    if ('refusal' in found) return refuse(found.refusal)
    try {
      const { user, link } = found
      const admission = await admit(context, request, reply, user, 'sign_in_elsewhere', { link })
      if ('next' in admission) noteSecurity(request, { outcome: 'code_needed' })
      return await reply.redirect('next' in admission ? logInPage(goOn, 'code') : pageAfter(goOn), 303)
    } catch (error) {
      if (error instanceof Problem && error.code === 'email_unconfirmed') return refuse('email_unconfirmed')
      if (error instanceof Problem && error.code === 'account_disabled') return refuse('account_disabled')
      if (error instanceof Problem && error.code === 'sso_required') return refuse('sso_required')
      throw error
    }
  })

  function findSignIn(id: string): ForeignSignIn {
    const found = context.signIns.find((each) => each.id === id)
    if (!found) throw new Problem('not_found', 'One cannot log in with that here.')
    return found
  }

  /** @param linkTo The person whose account it is linked with; null to log in. */
  async function begin(reply: FastifyReply, signIn: ForeignSignIn, linkTo: string | null, goOn: GoOn) {
    const { id, name } = signIn
    const begun = await signIn
      .begin(`${context.siteUrl}/auth/sign-ins/${id}/callback`)
      .catch((cause: unknown) => {
        const detail = `${name} cannot be reached. Try again, or log in in another way.`
        throw new Problem('unavailable', detail, { cause })
      })
    const payload = { signIn: id, memory: begun.memory, goOn }
    await tickets.hand(reply, 'sign_in_elsewhere', { userId: linkTo, payload })
    return { redirect_to: begun.url }
  }

  /** Who is to be let in; with `link` once they are linked with it, which waits for the proofs of their account here. */
  async function findOrCreate(
    person: ForeignPerson,
  ): Promise<{ user: User; link?: ForeignPerson } | { refusal: Refusal }> {
    const linked = await accounts.linkedSignIns.find(person.issuer, person.subject)
    const user = linked && (await identity.findUser(linked.userId))
    if (user) return { user }
    const { email } = person
    // An address that nobody has checked is anybody's.
    if (email === undefined || !person.isEmailVerified) return { refusal: 'email_unconfirmed_there' }
    const existing = await identity.findUserByEmail(email)
    // Both sides must have seen that their person reads mail to it, else one could be slipped under the other.
    if (existing && existing.emailVerifiedAt === null) return { refusal: 'account_exists' }
    if (existing) {
      const links = await accounts.linkedSignIns.list(existing.id)
      if (links.some(({ issuer }) => issuer === person.issuer)) return { refusal: 'linked_already' }
      return { user: existing, link: person }
    }
    const created = await createVouchedPerson(context, { email, name: person.name })
    if (!created) return { refusal: 'failed' }
    const { issuer, subject } = person
    await accounts.linkedSignIns.add({ issuer, subject, userId: created.id, email })
    return { user: created }
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
