import { addressKey, verifyPassword } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import type { FastifyInstance } from 'fastify'
import { noteSecurity } from '../security-events.ts'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import { requirePerson } from './account-context.ts'
import type { AccountContext } from './account-context.ts'
import { codeInput, logInInput, readInput } from './account-input.ts'
import { admit, describeSession, enter } from './admission.ts'
import { signInToLinkSchema } from './link-sign-in.ts'
import { canUsePasskeys } from './passkeys.ts'
import { ssoEntrySchema } from './sso/join-by-sso.ts'
import { takeCode } from './take-code.ts'

/**
 * `POST /auth/log-in` with a password, `POST /auth/log-in/code` with a one-time code if that was answered by
 * `{next: 'second_factor'}`, `POST /auth/log-out`, `GET /auth/session`, and `GET /auth/ways`: how one can log in here.
 */
export function addLogInRoutes(app: FastifyInstance, context: AccountContext): void {
  const { identity, sessions, mail, tickets, limiters } = context
  const onRequest = refuseCrossSite(context.siteUrl)

  app.post('/auth/log-in', { onRequest }, async (request, reply) => {
    const { email, password } = readInput(logInInput, request.body)
    noteSecurity(request, { email })
    const address = addressKey(request.ip)
    const personKey = `${address} ${email}`
    await limiters.logIn.count(address)
    await limiters.passwordsPerPlace.count(personKey)
    const user = await identity.findUserByEmail(email)
    const matches = await verifyPassword(user?.passwordHash ?? undefined, password)
    if (!user || !matches) throw notRight()
    if (context.mustConfirmEmail && user.emailVerifiedAt === null) {
      noteSecurity(request, { outcome: 'email_unconfirmed' })
      // The same answer, at once: whoever has just signed up with a stranger's address would else learn here that it
      // had no account before. The mail tells the person.
      mail
        .sendVerification(user, address)
        .catch((err: unknown) => request.log.error({ err }, 'a confirmation could not be prepared'))
      throw notRight()
    }
    await limiters.passwordsPerPlace.forget(personKey)
    return admit(context, request, reply, user, 'password')
  })

  app.post('/auth/log-in/code', { onRequest }, async (request, reply) => {
    const { code } = readInput(codeInput, request.body)
    const ticket = await tickets.find(request, 'second_factor')
    const user = ticket?.userId ? await identity.findUser(ticket.userId) : undefined
    if (!ticket || !user) throw tookTooLong()
    noteSecurity(request, { userId: user.id })
    if (!(await takeCode(context, request, user, code))) {
      const message = 'This code is not right, or was used before. Wait for the next one.'
      throw new Problem('invalid_input', message, { errors: [{ field: 'code', message }] })
    }
    // Changing the password makes the ticket worthless, also in this very moment.
    if (!(await tickets.take(request, reply, 'second_factor'))) throw tookTooLong()
    const link = signInToLinkSchema.optional().parse(ticket.payload['link'])
    const sso = ssoEntrySchema.optional().parse(ticket.payload['sso'])
    return enter(context, request, reply, user, { link, sso })
  })

  app.post('/auth/log-out', { onRequest }, async (request, reply) => {
    noteSecurity(request, { userId: (await sessions.find(request.headers.cookie))?.userId })
    reply.header('set-cookie', await sessions.end(request.headers.cookie))
    return reply.code(204).send()
  })

  app.get('/auth/session', async (request, reply) => {
    const { session, user } = await requirePerson(context, request)
    const extended = await sessions.extend(request.headers.cookie, session)
    if (extended) reply.header('set-cookie', extended.setCookie)
    return describeSession(user, extended?.expiresAt ?? session.expiresAt)
  })

  app.get('/auth/ways', async () => ({
    passkeys: canUsePasskeys(context.siteUrl),
    sign_ins: context.signIns.map(({ id, name }) => ({ id, name })),
    sso: await identity.sso.isInUse(),
  }))

  function notRight(): Problem {
    const detail = 'The e-mail address or the password is not right.'
    const orElse =
      ' If you have just signed up, confirm your e-mail address first: open the link in the mail that we sent you.'
    return new Problem('unauthenticated', context.mustConfirmEmail ? detail + orElse : detail)
  }
}

function tookTooLong(): Problem {
  return new Problem('unauthenticated', 'That took too long. Log in again.')
}
