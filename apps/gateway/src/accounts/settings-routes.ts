import { addressKey, hashPassword, verifyPassword } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import type { User } from '@flamegate/operations/ports'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import { requirePerson } from './account-context.ts'
import type { AccountContext } from './account-context.ts'
import { nameInput, passwordChangeInput, proofInput, readInput, wrong } from './account-input.ts'
import { isProofFresh, requireFreshProof } from './fresh-proof.ts'
import { describePasskey } from './passkey-routes.ts'
import { canUsePasskeys } from './passkeys.ts'
import { takeCode } from './take-code.ts'
import { whereFrom } from './where-from.ts'

/**
 * The account page: `GET /auth/account` shows all of it, `PATCH` changes the name, `POST /auth/account/password` the
 * password, `POST /auth/account/sessions/end-others` and `DELETE /auth/account/sessions/:id` end sessions, and
 * `POST /auth/prove` proves once more who is there, which the dangerous changes want.
 */
export function addSettingsRoutes(app: FastifyInstance, context: AccountContext): void {
  const { identity, sessions, codes, limiters, mail, now } = context
  const { accounts } = identity
  const onRequest = refuseCrossSite(context.siteUrl)

  app.get('/auth/account', async (request) => {
    const { session, user } = await requirePerson(context, request)
    const current = sessions.hashOf(request.headers.cookie)
    const [listedSessions, passkeys, links, usesCodes, recoveryCodeCount] = await Promise.all([
      accounts.listSessions(user.id),
      accounts.passkeys.list(user.id),
      accounts.linkedSignIns.list(user.id),
      codes.areInUse(user.id),
      codes.countRecoveryCodes(user.id),
    ])
    return {
      user: { id: user.id, email: user.email, name: user.name },
      is_email_confirmed: user.emailVerifiedAt !== null,
      has_password: user.passwordHash !== null,
      is_proof_fresh: isProofFresh(session, now),
      sessions: listedSessions.map(({ tokenHash, createdAt, userAgent }) => ({
        id: sessionId(tokenHash),
        is_current: tokenHash === current,
        user_agent: userAgent,
        created_at: createdAt.toISOString(),
      })),
      can_use_passkeys: canUsePasskeys(context.siteUrl),
      passkeys: passkeys.map(describePasskey),
      one_time_codes: { in_use: usesCodes, recovery_codes_left: recoveryCodeCount },
      sign_ins: context.signIns.map(({ id, name, issuer }) => {
        const link = links.find((each) => each.issuer === issuer)
        const linked = link && { email: link.email, linked_at: link.createdAt.toISOString() }
        return { id, name, linked: linked ?? null }
      }),
    }
  })

  app.patch('/auth/account', { onRequest }, async (request, reply) => {
    const { user } = await requirePerson(context, request)
    const { name } = readInput(nameInput, request.body)
    await accounts.rename(user.id, name)
    return reply.code(204).send()
  })

  app.post('/auth/account/password', { onRequest }, async (request, reply) => {
    const { session, user } = await requirePerson(context, request)
    const input = readInput(passwordChangeInput, request.body)
    if (user.passwordHash === null) requireFreshProof(session, now)
    else await requirePassword(request, user, input.present_password ?? '', 'present_password')
    const passwordHash = await hashPassword(input.new_password)
    await accounts.setPassword(user.id, passwordHash, sessions.hashOf(request.headers.cookie))
    await limiters.codesPerPerson.forget(user.id)
    mail.sendChange(user, 'password_changed', whereFrom(request, now))
    return reply.code(204).send()
  })

  app.post('/auth/account/sessions/end-others', { onRequest }, async (request, reply) => {
    const { user } = await requirePerson(context, request)
    await accounts.removeSessions(user.id, sessions.hashOf(request.headers.cookie))
    return reply.code(204).send()
  })

  app.delete<{ Params: { id: string } }>(
    '/auth/account/sessions/:id',
    { onRequest },
    async (request, reply) => {
      const { user } = await requirePerson(context, request)
      const listed = await accounts.listSessions(user.id)
      const found = listed.find(({ tokenHash }) => sessionId(tokenHash) === request.params.id)
      if (!found) throw new Problem('not_found', 'This session has ended already.')
      await identity.removeSession(found.tokenHash)
      return reply.code(204).send()
    },
  )

  app.post('/auth/prove', { onRequest }, async (request, reply) => {
    const { user } = await requirePerson(context, request)
    const { password, code } = readInput(proofInput, request.body)
    await requirePassword(request, user, password, 'password')
    if (await codes.areInUse(user.id)) await requireCode(request, user, code)
    await identity.noteProof(sessions.hashOf(request.headers.cookie) ?? '')
    return reply.code(204).send()
  })

  async function requirePassword(
    request: FastifyRequest,
    user: User,
    password: string,
    field: string,
  ): Promise<void> {
    const personKey = `${addressKey(request.ip)} ${user.email}`
    await limiters.passwordsPerPlace.count(personKey)
    if (!(await verifyPassword(user.passwordHash ?? undefined, password))) {
      throw wrong(field, 'This is not your password.')
    }
    await limiters.passwordsPerPlace.forget(personKey)
  }

  async function requireCode(request: FastifyRequest, user: User, code: string | undefined): Promise<void> {
    if (code === undefined) throw wrong('code', 'A one-time code is needed too.')
    if (await takeCode(context, request, user, code)) return
    throw wrong('code', 'This code is not right, or was used before.')
  }
}

/** What a page may know of a session: enough of its hash to tell it from others, and nothing to use it with. */
function sessionId(tokenHash: string): string {
  return tokenHash.slice(0, 24)
}
