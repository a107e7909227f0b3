import { Problem } from '@flamegate/contract'
import type { User } from '@flamegate/operations/ports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountContext } from './account-context.ts'

/** As `GET /auth/session` tells it. */
export interface SessionView {
  user: { id: string; email: string; name: string }
  expires_at: string
}

export type Admission = SessionView | { next: 'second_factor' }

/**
 * Lets in somebody who has proved one thing. A passkey is two things at once, the device and whatever unlocks it;
 * everything else is followed by a one-time code, if the person uses them.
 * @throws Problem `email_unconfirmed`
 */
export async function admit(
  context: AccountContext,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
  proof: 'password' | 'passkey' | 'sign_in_elsewhere',
): Promise<Admission> {
  const { codes, tickets } = context
  if (context.mustConfirmEmail && user.emailVerifiedAt === null) {
    await context.mail.sendVerification(user)
    throw new Problem(
      'email_unconfirmed',
      'Confirm your e-mail address first: open the link in the mail that we sent you, then log in again.',
    )
  }
  if (proof !== 'passkey' && (await codes.areInUse(user.id))) {
    await tickets.hand(reply, 'second_factor', { userId: user.id, payload: {} })
    reply.code(202)
    return { next: 'second_factor' }
  }
  return startSession(context, request, reply, user)
}

/** Logs in, once everything is proved. */
export async function startSession(
  { sessions }: AccountContext,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  user: User,
): Promise<SessionView> {
  // Whoever was logged in here before is not any more: a session is never handed over.
  await sessions.end(headers.cookie)
  const { setCookie, expiresAt } = await sessions.start(user.id, headers['user-agent'])
  reply.header('set-cookie', setCookie)
  return describeSession(user, expiresAt)
}

export function describeSession({ id, email, name }: User, expiresAt: Date): SessionView {
  return { user: { id, email, name }, expires_at: expiresAt.toISOString() }
}
