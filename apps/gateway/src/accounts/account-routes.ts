import { hashPassword, hashSecret, verifyPassword } from '@flamegate/auth'
import { newId, Problem } from '@flamegate/contract'
import { Conflict } from '@flamegate/operations/ports'
import type { IdentityStore, User } from '@flamegate/operations/ports'
import type { FastifyPluginAsync } from 'fastify'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import type { WebSessions } from '../session/web-session.ts'
import { joinInput, logInInput, readInput, signUpInput } from './account-input.ts'
import { createAttemptLimiter } from './attempt-limiter.ts'
import type { AttemptLimit } from './attempt-limiter.ts'
import { firstWorkspace } from './first-workspace.ts'

export interface AccountsOptions {
  identity: IdentityStore
  sessions: WebSessions
  /** The public URL. */
  siteUrl: string
  /** Per client address, and for log-in also per person and address. */
  limits?: { signUp: AttemptLimit; logIn: AttemptLimit; logInPerPerson: AttemptLimit }
}

const minuteMs = 60_000

const defaultLimits = {
  signUp: { attempts: 100, windowMs: 60 * minuteMs },
  logIn: { attempts: 100, windowMs: 15 * minuteMs },
  logInPerPerson: { attempts: 10, windowMs: 15 * minuteMs },
}

/**
 * The JSON endpoints behind the log-in and sign-up pages: `POST /auth/sign-up`, `POST /auth/log-in`,
 * `POST /auth/join` (an invitation, for somebody with an account), `POST /auth/log-out` and `GET /auth/session`. They throw `Problem`s for the server's error handler.
 */
export function accountRoutes(options: AccountsOptions): FastifyPluginAsync {
  const { identity, sessions, siteUrl, limits = defaultLimits } = options
  const signUps = createAttemptLimiter(limits.signUp)
  const logIns = createAttemptLimiter(limits.logIn)
  const logInsPerPerson = createAttemptLimiter(limits.logInPerPerson)
  const onRequest = refuseCrossSite(siteUrl)

  return async (app) => {
    // JSON and nothing else: a form of another site cannot send it.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      'application/json',
      { parseAs: 'string' },
      app.getDefaultJsonParser('error', 'error'),
    )

    app.post('/auth/sign-up', { onRequest }, async (request, reply) => {
      const { invitation, password, ...person } = readInput(signUpInput, request.body)
      signUps.count(request.ip)
      const passwordHash = await hashPassword(password)
      const user = await identity
        .createUser({ id: newId('user'), ...person, passwordHash }, firstWorkspace(person.name))
        .catch(explainTakenEmail)
      const joined = invitation && (await identity.acceptInvitation(user.id, hashSecret(invitation)))
      const { setCookie, expiresAt } = await sessions.start(user.id, request.headers['user-agent'])
      reply.code(201).header('set-cookie', setCookie)
      return { ...describeSession(user, expiresAt), joined_workspace_id: joined ? joined.workspaceId : null }
    })

    app.post('/auth/log-in', { onRequest }, async (request, reply) => {
      const { email, password } = readInput(logInInput, request.body)
      const personKey = `${request.ip} ${email}`
      logIns.count(request.ip)
      logInsPerPerson.count(personKey)
      const user = await identity.findUserByEmail(email)
      const matches = await verifyPassword(user?.passwordHash, password)
      if (!user || !matches) {
        throw new Problem('unauthenticated', 'The e-mail address or the password is not right.')
      }
      logInsPerPerson.forget(personKey)
      // Whoever was logged in here before is not any more: a session is never handed over.
      await sessions.end(request.headers.cookie)
      const { setCookie, expiresAt } = await sessions.start(user.id, request.headers['user-agent'])
      reply.header('set-cookie', setCookie)
      return describeSession(user, expiresAt)
    })

    app.post('/auth/join', { onRequest }, async (request) => {
      const { invitation } = readInput(joinInput, request.body)
      const session = await sessions.find(request.headers.cookie)
      if (!session) throw new Problem('unauthenticated', 'Log in first, then open the invitation again.')
      const joined = await identity.acceptInvitation(session.userId, hashSecret(invitation))
      if (!joined) {
        throw new Problem(
          'not_found',
          'This invitation was used, has expired, or is for another e-mail address than that of your account. Ask for a new one.',
        )
      }
      return { joined_workspace_id: joined.workspaceId }
    })

    app.post('/auth/log-out', { onRequest }, async (request, reply) => {
      reply.header('set-cookie', await sessions.end(request.headers.cookie))
      return reply.code(204).send()
    })

    app.get('/auth/session', async ({ headers }, reply) => {
      reply.header('cache-control', 'no-store')
      const session = await sessions.find(headers.cookie)
      const user = session && (await identity.findUser(session.userId))
      if (!user) throw new Problem('unauthenticated', 'Nobody is logged in.')
      const extended = await sessions.extend(headers.cookie, session, headers['user-agent'])
      if (extended) reply.header('set-cookie', extended.setCookie)
      return describeSession(user, extended?.expiresAt ?? session.expiresAt)
    })
  }
}

function describeSession({ id, email, name }: User, expiresAt: Date) {
  return { user: { id, email, name }, expires_at: expiresAt.toISOString() }
}

function explainTakenEmail(error: unknown): never {
  if (!(error instanceof Conflict) || error.field !== 'email') throw error
  const message = 'Somebody has signed up with this e-mail address. Log in instead.'
  throw new Problem('conflict', message, { errors: [{ field: 'email', message }] })
}
