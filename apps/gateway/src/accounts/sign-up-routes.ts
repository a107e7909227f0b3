import { addressKey, firstWorkspace, hashPassword } from '@flamegate/auth'
import { newId, Problem } from '@flamegate/contract'
import { Conflict } from '@flamegate/operations/ports'
import type { NewUser, User } from '@flamegate/operations/ports'
import type { FastifyInstance } from 'fastify'
import { noteSecurity } from '../security-events.ts'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import { requirePerson } from './account-context.ts'
import type { AccountContext } from './account-context.ts'
import { joinInput, readInput, signUpInput } from './account-input.ts'
import { startSession } from './admission.ts'
import { invitationIn } from './waiting-sign-up.ts'

/**
 * `POST /auth/sign-up` and `POST /auth/join` (an invitation, for somebody with an account). Where mails arrive, signing
 * up answers 202 whether or not the address has an account, and the mail says which; else it logs in at once.
 */
export function addSignUpRoutes(app: FastifyInstance, context: AccountContext): void {
  const { identity, mail, tickets, limiters } = context
  const onRequest = refuseCrossSite(context.siteUrl)

  app.post('/auth/sign-up', { onRequest }, async (request, reply) => {
    const input = readInput(signUpInput, request.body)
    const asker = addressKey(request.ip)
    await limiters.signUp.count(asker)
    const { name, email, password } = input
    noteSecurity(request, { email })
    const passwordHash = await hashPassword(password)
    const invitation = invitationIn(input)
    const created = await createPerson({ name, email, passwordHash })
    if (!context.mustConfirmEmail) {
      if (!created) throw emailTaken()
      await mail.sendVerification(created, asker)
      const joined = invitation && (await identity.acceptInvitation(created.id, invitation))
      if (joined) noteSecurity(request, { also: ['join_workspace'], workspaceIds: [joined.workspaceId] })
      reply.code(201)
      const session = await startSession(context, request, reply, created)
      return { ...session, joined_workspace_id: joined?.workspaceId ?? null }
    }
    const user = created ?? (await identity.findUserByEmail(email))
    // Somebody else may have signed up with the address before, in vain: that must not keep its owner away.
    if (user?.emailVerifiedAt === null)
      await mail.sendVerification(user, asker, { name, passwordHash, invitation })
    else {
      noteSecurity(request, { outcome: 'account_exists' })
      await mail.sendAccountExists(email)
    }
    // By this, the browser that chose the password need not ask for it again.
    await tickets.hand(reply, 'sign_up', { userId: null, payload: { passwordHash } })
    reply.code(202)
    return { next: 'confirm_email', email }
  })

  app.post('/auth/join', { onRequest }, async (request) => {
    const invitation = invitationIn(readInput(joinInput, request.body))
    const { user } = await requirePerson(context, request)
    if (context.mustConfirmEmail && user.emailVerifiedAt === null) {
      throw new Problem('email_unconfirmed', 'Confirm your e-mail address first, then join.')
    }
    const joined = invitation && (await identity.acceptInvitation(user.id, invitation))
    if (!joined) {
      throw new Problem(
        'not_found',
        'This invitation was used, has expired, or is for another e-mail address than that of your account. Ask for a new one.',
      )
    }
    noteSecurity(request, { workspaceIds: [joined.workspaceId] })
    return { joined_workspace_id: joined.workspaceId }
  })

  /** Undefined when somebody has that address. */
  async function createPerson(person: Omit<NewUser, 'id'>): Promise<User | undefined> {
    try {
      return await identity.createUser({ id: newId('user'), ...person }, firstWorkspace(person.name))
    } catch (error) {
      if (error instanceof Conflict && error.field === 'email') return undefined
      throw error
    }
  }
}

function emailTaken(): Problem {
  const message = 'Somebody has signed up with this e-mail address. Log in instead.'
  return new Problem('conflict', message, { errors: [{ field: 'email', message }] })
}
