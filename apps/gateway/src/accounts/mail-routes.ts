import { addressKey, hashPassword, hashSecret, verifyPassword } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import type { TicketPurpose, User } from '@flamegate/operations/ports'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { noteSecurity } from '../security-events.ts'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import { requirePerson } from './account-context.ts'
import type { AccountContext } from './account-context.ts'
import { emailInput, readInput, resetInput, verifyInput, wrong } from './account-input.ts'
import { waitingSignUpIn } from './waiting-sign-up.ts'
import type { WaitingSignUp } from './waiting-sign-up.ts'
import { whereFrom } from './where-from.ts'

/**
 * What goes by mail: `POST /auth/verify-email` takes the link of a new account, `POST /auth/account/verification-mail`
 * sends it again, `POST /auth/forgot-password` asks for a link to choose a new password, `POST /auth/reset-password`
 * takes it. The links lead to pages whose button sends these, because programs open links in mails as well.
 */
export function addMailRoutes(app: FastifyInstance, context: AccountContext): void {
  const { identity, sessions, mail, tickets, limiters } = context
  const { accounts } = identity
  const onRequest = refuseCrossSite(context.siteUrl)

  app.post('/auth/verify-email', { onRequest }, async (request, reply) => {
    const { token, password } = readInput(verifyInput, request.body)
    await limiters.logIn.count(addressKey(request.ip))
    const { user, payload } = await findTicket(token, 'verify_email')
    noteSecurity(request, { userId: user.id })
    if (user.emailVerifiedAt !== null) throw linkUsed()
    const waiting = waitingSignUpIn(payload)
    await requireWhoSignedUp(request, user, waiting, password)
    await takeTicket(token, 'verify_email')
    if (waiting.passwordHash === null || waiting.passwordHash === user.passwordHash) {
      await accounts.confirmEmail(user.id)
    } else {
      await accounts.claim(user.id, { ...waiting, passwordHash: waiting.passwordHash })
    }
    // Links of others who signed up with this address, and of earlier times.
    await accounts.tickets.discard(user.id, 'verify_email')
    await tickets.take(request, reply, 'sign_up')
    const joined = waiting.invitation && (await identity.acceptInvitation(user.id, waiting.invitation))
    if (joined) noteSecurity(request, { also: ['join_workspace'], workspaceIds: [joined.workspaceId] })
    return { email: user.email, joined_workspace_id: joined?.workspaceId ?? null }
  })

  app.post('/auth/account/verification-mail', { onRequest }, async (request, reply) => {
    const { user } = await requirePerson(context, request)
    const asker = addressKey(request.ip)
    await limiters.mailRequests.count(asker)
    if (user.emailVerifiedAt === null) await mail.sendVerification(user, asker)
    return reply.code(204).send()
  })

  app.post('/auth/forgot-password', { onRequest }, async (request, reply) => {
    const { email } = readInput(emailInput, request.body)
    await limiters.mailRequests.count(addressKey(request.ip))
    // After the answer, so that its time does not tell whether there is an account.
    sendResetMail(email).catch((err: unknown) => request.log.error({ err }, 'a reset could not be prepared'))
    reply.code(202)
    return { email }
  })

  app.post('/auth/reset-password', { onRequest }, async (request) => {
    const { token, password, end_connected_apps } = readInput(resetInput, request.body)
    await limiters.logIn.count(addressKey(request.ip))
    const { user } = await findTicket(token, 'reset_password')
    noteSecurity(request, { userId: user.id })
    const passwordHash = await hashPassword(password)
    await takeTicket(token, 'reset_password')
    // Nobody has shown yet that the account's address was theirs, and now somebody has: what was put in before, a
    // passkey for instance, may be of somebody else who wanted to share the account. A link that did not go by mail
    // shows nothing: then nothing is taken away, and the address is no more confirmed than before.
    const isClaimed = context.mustConfirmEmail && (await accounts.claim(user.id, { passwordHash }))
    if (!isClaimed) await accounts.setPassword(user.id, passwordHash)
    if (end_connected_apps) await accounts.revokeGrants(user.id)
    await limiters.codesPerPerson.forget(user.id)
    mail.sendChange(user, 'password_reset', whereFrom(request, context.now))
    return { email: user.email }
  })

  async function sendResetMail(email: string): Promise<void> {
    const user = await identity.findUserByEmail(email)
    if (user) await mail.sendReset(user)
    else await mail.sendNoAccount(email)
  }

  /**
   * Whoever follows the link must also be the one who chose the password that counts from then on: a stranger may have
   * signed up with this address, and waits for its owner to press the button.
   */
  async function requireWhoSignedUp(
    request: FastifyRequest,
    user: User,
    { passwordHash }: WaitingSignUp,
    password: string | undefined,
  ): Promise<void> {
    const signedUp = await tickets.find(request, 'sign_up')
    if (passwordHash !== null && signedUp?.payload['passwordHash'] === passwordHash) return
    const session = await sessions.find(request.headers.cookie)
    if (session?.userId === user.id && passwordHash === user.passwordHash) return
    if (password === undefined) {
      throw new Problem('proof_needed', 'Enter the password you chose when signing up.')
    }
    const placeKey = `${addressKey(request.ip)} ${user.email}`
    await limiters.passwordsPerPlace.count(placeKey)
    if (!(await verifyPassword(passwordHash ?? undefined, password))) {
      throw wrong(
        'password',
        'This is not the password that was chosen when signing up. If it was not you who signed up, sign up yourself or choose a new password.',
      )
    }
    await limiters.passwordsPerPlace.forget(placeKey)
  }

  async function findTicket(
    token: string,
    purpose: TicketPurpose,
  ): Promise<{ user: User; payload: Record<string, unknown> }> {
    const ticket = await accounts.tickets.find(hashSecret(token), purpose)
    const user = ticket?.userId ? await identity.findUser(ticket.userId) : undefined
    if (!ticket || !user) throw linkUsed()
    return { user, payload: ticket.payload }
  }

  async function takeTicket(token: string, purpose: TicketPurpose): Promise<void> {
    if (!(await accounts.tickets.take(hashSecret(token), purpose))) throw linkUsed()
  }
}

/** Answers alike whatever is wrong with a link. */
export function linkUsed(): Problem {
  return new Problem('not_found', 'This link was used already or is too old. Ask for a new one.')
}
