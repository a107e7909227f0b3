import { addressKey, hashPassword, hashSecret } from '@flamegate/auth'
import { newId, Problem } from '@flamegate/contract'
import { Conflict } from '@flamegate/operations/ports'
import type { User } from '@flamegate/operations/ports'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import { requirePerson } from './account-context.ts'
import type { AccountContext } from './account-context.ts'
import { joinInput, readInput, signUpInput } from './account-input.ts'
import { startSession } from './admission.ts'
import { firstWorkspace } from './first-workspace.ts'

/**
 * `POST /auth/sign-up` and `POST /auth/join` (an invitation, for somebody with an account). Where mails arrive, signing
 * up answers 202 whether or not the address has an account, and the mail says which; else it logs in at once.
 */
export function addSignUpRoutes(app: FastifyInstance, context: AccountContext): void {
  const { identity, mail, limiters } = context
  const onRequest = refuseCrossSite(context.siteUrl)

  app.post('/auth/sign-up', { onRequest }, async (request, reply) => {
    const input = readInput(signUpInput, request.body)
    limiters.signUp.count(addressKey(request.ip))
    const person = await createPerson(input)
    if (!context.mustConfirmEmail) {
      if (!person) throw emailTaken()
      await mail.sendVerification(person.user)
      reply.code(201)
      const session = await startSession(context, request, reply, person.user)
      return { ...session, joined_workspace_id: person.joinedWorkspaceId }
    }
    if (person) await mail.sendVerification(person.user)
    else mail.sendAccountExists(input.email)
    reply.code(202)
    return { next: 'confirm_email', email: input.email }
  })

  app.post('/auth/join', { onRequest }, async (request) => {
    const { invitation } = readInput(joinInput, request.body)
    const { user } = await requirePerson(context, request)
    const joined = await identity.acceptInvitation(user.id, hashSecret(invitation))
    if (!joined) {
      throw new Problem(
        'not_found',
        'This invitation was used, has expired, or is for another e-mail address than that of your account. Ask for a new one.',
      )
    }
    return { joined_workspace_id: joined.workspaceId }
  })

  /** Undefined when somebody has that address, found out after the same hashing. */
  async function createPerson(
    input: z.output<typeof signUpInput>,
  ): Promise<{ user: User; joinedWorkspaceId: string | null } | undefined> {
    const { invitation, password, ...person } = input
    const passwordHash = await hashPassword(password)
    try {
      const user = await identity.createUser(
        { id: newId('user'), ...person, passwordHash },
        firstWorkspace(person.name),
      )
      const joined = invitation && (await identity.acceptInvitation(user.id, hashSecret(invitation)))
      return { user, joinedWorkspaceId: joined ? joined.workspaceId : null }
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
