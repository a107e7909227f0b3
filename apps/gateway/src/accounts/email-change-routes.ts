import { addressKey, hashSecret } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import { Conflict } from '@flamegate/operations/ports'
import type { Ticket, TicketPurpose, User } from '@flamegate/operations/ports'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { noteSecurity } from '../security-events.ts'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import { requirePerson } from './account-context.ts'
import type { AccountContext } from './account-context.ts'
import { emailInput, readInput, tokenInput, wrong } from './account-input.ts'
import { requireFreshProof } from './fresh-proof.ts'
import { linkUsed } from './mail-routes.ts'
import { whereFrom } from './where-from.ts'

const changeSchema = z.object({ from: z.string(), to: z.string() })
const undoSchema = z.object({ email: z.string(), since: z.coerce.date() })

/**
 * Another e-mail address: `POST /auth/account/email` sends a link to the new one, `POST /auth/change-email` takes it
 * from whoever is logged in, and `POST /auth/undo-email-change` takes the link that the old address got then.
 */
export function addEmailChangeRoutes(app: FastifyInstance, context: AccountContext): void {
  const { identity, mail, limiters, now } = context
  const { accounts } = identity
  const onRequest = refuseCrossSite(context.siteUrl)

  app.post('/auth/account/email', { onRequest }, async (request, reply) => {
    const { session, user } = await requirePerson(context, request)
    requireFreshProof(session, now)
    const { email } = readInput(emailInput, request.body)
    if (email === user.email) throw wrong('email', 'This is your address already.')
    await limiters.mailRequests.count(addressKey(request.ip))
    // After the answer, so that its time does not tell whether the address has an account.
    askNewAddress(user, email).catch((err: unknown) =>
      request.log.error({ err }, 'a change of address could not be prepared'),
    )
    reply.code(202)
    return { email }
  })

  app.post('/auth/change-email', { onRequest }, async (request) => {
    const { user } = await requirePerson(context, request)
    const { token } = readInput(tokenInput, request.body)
    await limiters.logIn.count(addressKey(request.ip))
    const ticket = await accounts.tickets.find(hashSecret(token), 'change_email')
    if (ticket && ticket.userId !== user.id) {
      throw new Problem(
        'conflict',
        'This link is for another account. Log in to that one, then open it again.',
      )
    }
    const { payload } = await takeTicket(token, 'change_email')
    const { from, to } = changeSchema.parse(payload)
    // An address that nobody confirmed may be anybody's: it must not get the account.
    const isFormerTold = user.emailVerifiedAt !== null
    const tellFormer = isFormerTold
      ? await mail.prepareEmailChanged(user, whereFrom(request, now))
      : undefined
    if (!(await accounts.changeEmail(user.id, from, to).catch(explainTaken))) throw linkUsed()
    tellFormer?.()
    // What went to the old address is of no use there any more.
    await accounts.tickets.discard(user.id, 'reset_password')
    await accounts.tickets.discard(user.id, 'verify_email')
    return { email: to }
  })

  app.post('/auth/undo-email-change', { onRequest }, async (request) => {
    const { token } = readInput(tokenInput, request.body)
    await limiters.logIn.count(addressKey(request.ip))
    const { userId, payload } = await takeTicket(token, 'undo_email_change')
    noteSecurity(request, { userId })
    const { email, since } = undoSchema.parse(payload)
    await accounts.restoreEmail(userId, email, since).catch(explainTaken)
    // Whoever changed it knew the password: there is none any more, and the owner chooses a new one at once.
    return { email, redirect_to: await mail.makeResetLink(userId) }
  })

  async function askNewAddress(user: User, email: string): Promise<void> {
    await accounts.tickets.discard(user.id, 'change_email')
    const holder = await identity.findUserByEmail(email)
    // Who only claims an address keeps nobody from proving that it is theirs.
    if (holder && holder.emailVerifiedAt !== null) await mail.sendEmailTaken(email)
    else await mail.sendNewEmail(user, email)
  }

  async function takeTicket(token: string, purpose: TicketPurpose): Promise<Ticket & { userId: string }> {
    const ticket = await accounts.tickets.take(hashSecret(token), purpose)
    if (!ticket?.userId) throw linkUsed()
    return { ...ticket, userId: ticket.userId }
  }
}

function explainTaken(error: unknown): never {
  if (!(error instanceof Conflict)) throw error
  throw new Problem('conflict', 'This address has an account of its own by now.', { cause: error })
}
