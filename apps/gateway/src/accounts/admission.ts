import { addressKey } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import type { User } from '@flamegate/operations/ports'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { noteSecurity } from '../security-events.ts'
import type { AccountContext } from './account-context.ts'
import { linkSignIn } from './link-sign-in.ts'
import type { SignInToLink } from './link-sign-in.ts'
import { joinBySso } from './sso/join-by-sso.ts'
import type { SsoEntry } from './sso/join-by-sso.ts'

/** As `GET /auth/session` tells it. */
export interface SessionView {
  user: { id: string; email: string; name: string }
  expires_at: string
}

export type Admission = SessionView | { next: 'second_factor' }

/** What is done for somebody as soon as everything is proved. */
export interface AfterProof {
  /** An account elsewhere that is the person's too. */
  link?: SignInToLink | undefined
  /** A workspace whose provider let them in. */
  sso?: SsoEntry | undefined
}

/**
 * Lets in somebody who has proved one thing. A passkey is two things at once, the device and whatever unlocks it;
 * everything else is followed by a one-time code, if the person uses them.
 * @throws Problem `account_disabled`, `sso_required`, `email_unconfirmed`
 */
export async function admit(
  context: AccountContext,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
  proof: 'password' | 'passkey' | 'sign_in_elsewhere',
  after: AfterProof = {},
): Promise<Admission> {
  const { codes, tickets } = context
  noteSecurity(request, { userId: user.id })
  mustBeEnabled(user)
  await mustComeByItsProvider(context, user, after.sso)
  if (context.mustConfirmEmail && user.emailVerifiedAt === null) {
    await context.mail.sendVerification(user, addressKey(request.ip))
    throw new Problem(
      'email_unconfirmed',
      'Confirm your e-mail address first: open the link in the mail that we sent you, then log in again.',
    )
  }
  if (proof !== 'passkey' && (await codes.areInUse(user.id))) {
    await tickets.hand(reply, 'second_factor', { userId: user.id, payload: { ...after } })
    reply.code(202)
    return { next: 'second_factor' }
  }
  return enter(context, request, reply, user, after)
}

/**
 * Logs in and does what is to be done for the person, once everything is proved.
 * @throws Problem `account_disabled`, `conflict` when they are somebody else at the provider
 */
export async function enter(
  context: AccountContext,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
  { link, sso }: AfterProof,
): Promise<SessionView> {
  // Whoever was quicker in linking it has it; the person is who they are all the same.
  const isLinked = link !== undefined && (await linkSignIn(context, request, user, link)) === undefined
  if (isLinked) noteSecurity(request, { also: ['link_sign_in'] })
  if (sso !== undefined) await joinBySso(context, request, user, sso)
  return startSession(context, request, reply, user, sso?.workspaceId)
}

/**
 * Begins a session.
 * @param ssoWorkspaceId Whose provider let the person in.
 * @throws Problem `account_disabled`, or `unauthenticated` when the password was changed at this moment
 */
export async function startSession(
  { identity, sessions }: AccountContext,
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
  ssoWorkspaceId?: string,
): Promise<SessionView> {
  const { headers } = request
  noteSecurity(request, { userId: user.id })
  mustBeEnabled(user)
  // Whoever was logged in here before is not any more: a session is never handed over.
  await sessions.end(headers.cookie)
  const { setCookie, expiresAt } = await sessions.start(user.id, headers['user-agent'], ssoWorkspaceId)
  // Choosing another password ends every session; one that was begun with the old one must not come after that.
  if ((await identity.findUser(user.id))?.passwordHash !== user.passwordHash) {
    await sessions.end(setCookie)
    throw new Problem('unauthenticated', 'The password was changed just now. Log in with the new one.')
  }
  reply.header('set-cookie', setCookie)
  return describeSession(user, expiresAt)
}

function mustBeEnabled({ disabledAt }: User): void {
  if (disabledAt === null) return
  throw new Problem(
    'account_disabled',
    'This account was disabled. Ask whoever runs this installation to let you in again.',
  )
}

/** Where a workspace requires its provider, nothing else lets its people in. */
async function mustComeByItsProvider(
  { identity, siteUrl }: AccountContext,
  user: User,
  sso: SsoEntry | undefined,
): Promise<void> {
  const required = await identity.sso.findRequired(user.id)
  if (required === undefined || required.workspaceId === sso?.workspaceId) return
  throw new Problem(
    'sso_required',
    `Your workspace wants you to log in with single sign-on: ${siteUrl}/sign-in/sso/${required.slug}`,
  )
}

export function describeSession({ id, email, name }: User, expiresAt: Date): SessionView {
  return { user: { id, email, name }, expires_at: expiresAt.toISOString() }
}
