import { addressKey, hashPassword, hashSecret } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import type { TicketPurpose, User } from '@flamegate/operations/ports'
import type { FastifyInstance } from 'fastify'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import { requirePerson } from './account-context.ts'
import type { AccountContext } from './account-context.ts'
import { emailInput, readInput, resetInput, tokenInput } from './account-input.ts'

/**
 * What goes by mail: `POST /auth/verify-email` takes the link of a new account, `POST /auth/account/verification-mail`
 * sends it again, `POST /auth/forgot-password` asks for a link to choose a new password, `POST /auth/reset-password`
 * takes it. The links lead to pages whose button sends these, because programs open links in mails as well.
 */
export function addMailRoutes(app: FastifyInstance, context: AccountContext): void {
  const { identity, mail, limiters } = context
  const { accounts } = identity
  const onRequest = refuseCrossSite(context.siteUrl)

  app.post('/auth/verify-email', { onRequest }, async (request) => {
    const { token } = readInput(tokenInput, request.body)
    limiters.logIn.count(addressKey(request.ip))
    const user = await findTicketUser(token, 'verify_email')
    await takeTicket(token, 'verify_email')
    await accounts.confirmEmail(user.id)
    return { email: user.email }
  })

  app.post('/auth/account/verification-mail', { onRequest }, async (request, reply) => {
    const { user } = await requirePerson(context, request)
    limiters.mailRequests.count(addressKey(request.ip))
    if (user.emailVerifiedAt === null) await mail.sendVerification(user)
    return reply.code(204).send()
  })

  app.post('/auth/forgot-password', { onRequest }, async (request, reply) => {
    const { email } = readInput(emailInput, request.body)
    limiters.mailRequests.count(addressKey(request.ip))
    // After the answer, so that its time does not tell whether there is an account.
    sendResetMail(email).catch((err: unknown) => request.log.error({ err }, 'a reset could not be prepared'))
    reply.code(202)
    return { email }
  })

  app.post('/auth/reset-password', { onRequest }, async (request) => {
    const { token, password, end_connected_apps } = readInput(resetInput, request.body)
    limiters.logIn.count(addressKey(request.ip))
    const user = await findTicketUser(token, 'reset_password')
    const passwordHash = await hashPassword(password)
    await takeTicket(token, 'reset_password')
    // Nobody has shown yet that the account's address was theirs, and now somebody has: what was put in before, a
    // passkey for instance, may be of somebody else who wanted to share the account. A link that did not go by mail
    // shows nothing: then nothing is taken away, and the address is no more confirmed than before.
    if (context.mustConfirmEmail && user.emailVerifiedAt === null) {
      await accounts.removeProofs(user.id)
      await accounts.confirmEmail(user.id)
    }
    await accounts.setPassword(user.id, passwordHash)
    await accounts.tickets.discard(user.id, 'reset_password')
    // Whoever has given the old password and not yet the code has given nothing.
    await accounts.tickets.discard(user.id, 'second_factor')
    await accounts.removeSessions(user.id)
    if (end_connected_apps) await accounts.revokeGrants(user.id)
    return { email: user.email }
  })

  async function sendResetMail(email: string): Promise<void> {
    const user = await identity.findUserByEmail(email)
    if (user) await mail.sendReset(user)
    else mail.sendNoAccount(email)
  }

  async function findTicketUser(token: string, purpose: TicketPurpose): Promise<User> {
    const ticket = await accounts.tickets.find(hashSecret(token), purpose)
    const user = ticket?.userId ? await identity.findUser(ticket.userId) : undefined
    if (!user) throw linkUsed()
    return user
  }

  async function takeTicket(token: string, purpose: TicketPurpose): Promise<void> {
    if (!(await accounts.tickets.take(hashSecret(token), purpose))) throw linkUsed()
  }
}

function linkUsed(): Problem {
  return new Problem('not_found', 'This link was used already or is too old. Ask for a new one.')
}
