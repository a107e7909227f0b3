import { Problem } from '@flamegate/contract'
import type { User } from '@flamegate/operations/ports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { noteSecurity } from '../security-events.ts'
import type { AccountContext } from './account-context.ts'
import { linkSignIn } from './link-sign-in.ts'
import type { SignInToLink } from './link-sign-in.ts'

/** As `GET /auth/session` tells it. */
export interface SessionView {
  user: { id: string; email: string; name: string }
  expires_at: string
}

export type Admission = SessionView | { next: 'second_factor' }

/**
 * Lets in somebody who has proved one thing. A passkey is two things at once, the device and whatever unlocks it;
 * everything else is followed by a one-time code, if the person uses them.
 * @param link An account elsewhere that is the person's too, as soon as everything is proved.
 * @throws Problem `email_unconfirmed`
 */
export async function admit(
  context: AccountContext,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
  proof: 'password' | 'passkey' | 'sign_in_elsewhere',
  link?: SignInToLink,
): Promise<Admission> {
  const { codes, tickets } = context
  noteSecurity(request, { userId: user.id })
  if (context.mustConfirmEmail && user.emailVerifiedAt === null) {
    await context.mail.sendVerification(user)
    throw new Problem(
      'email_unconfirmed',
      'Confirm your e-mail address first: open the link in the mail that we sent you, then log in again.',
    )
  }
  if (proof !== 'passkey' && (await codes.areInUse(user.id))) {
    await tickets.hand(reply, 'second_factor', { userId: user.id, payload: { link } })
    reply.code(202)
    return { next: 'second_factor' }
  }
  return enter(context, request, reply, user, link)
}

/** Logs in and links what is to be linked, once everything is proved. */
export async function enter(
  context: AccountContext,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
  link: SignInToLink | undefined,
): Promise<SessionView> {
  // Whoever was quicker in linking it has it; the person is who they are all the same.
  const isLinked = link !== undefined && (await linkSignIn(context, request, user, link)) === undefined
  if (isLinked) noteSecurity(request, { also: ['link_sign_in'] })
  return startSession(context, request, reply, user)
}

/**
 * Begins a session.
 * @throws Problem `unauthenticated` when the password was changed at this moment
 */
export async function startSession(
  { identity, sessions }: AccountContext,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
): Promise<SessionView> {
  const { headers } = request
  noteSecurity(request, { userId: user.id })
  // Whoever was logged in here before is not any more: a session is never handed over.
  await sessions.end(headers.cookie)
  const { setCookie, expiresAt } = await sessions.start(user.id, headers['user-agent'])
  // Choosing another password ends every session; one that was begun with the old one must not come after that.
  if ((await identity.findUser(user.id))?.passwordHash !== user.passwordHash) {
    await sessions.end(setCookie)
    throw new Problem('unauthenticated', 'The password was changed just now. Log in with the new one.')
  }
  reply.header('set-cookie', setCookie)
  return describeSession(user, expiresAt)
}

export function describeSession({ id, email, name }: User, expiresAt: Date): SessionView {
  return { user: { id, email, name }, expires_at: expiresAt.toISOString() }
}
