import { addressKey } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import { Conflict } from '@flamegate/operations/ports'
import type { Passkey, User } from '@flamegate/operations/ports'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import { requirePerson } from './account-context.ts'
import type { AccountContext } from './account-context.ts'
import { passkeyInput, passkeyProofInput, readInput } from './account-input.ts'
import { admit } from './admission.ts'
import { requireAnotherWayIn } from './another-way-in.ts'
import { requireFreshProof } from './fresh-proof.ts'
import { whereFrom } from './where-from.ts'

/**
 * `POST /auth/passkeys/options` gives what a browser asks its passkeys; `POST /auth/log-in/passkey` and
 * `POST /auth/prove/passkey` take their answer. `POST /auth/account/passkeys/options` and
 * `POST /auth/account/passkeys` register one, `DELETE /auth/account/passkeys/:id` removes it.
 */
export function addPasskeyRoutes(app: FastifyInstance, context: AccountContext): void {
  const { identity, sessions, tickets, passkeys, limiters, mail, now } = context
  const { accounts } = identity
  const onRequest = refuseCrossSite(context.siteUrl)

  app.post('/auth/passkeys/options', { onRequest }, async (request, reply) => {
    await limiters.logIn.count(addressKey(request.ip))
    const options = await passkeys.authenticationOptions()
    await tickets.hand(reply, 'use_passkey', { userId: null, payload: { challenge: options.challenge } })
    return options
  })

  app.post('/auth/log-in/passkey', { onRequest }, async (request, reply) => {
    await limiters.logIn.count(addressKey(request.ip))
    return admit(context, request, reply, await whoAnswered(request, reply), 'passkey')
  })

  app.post('/auth/prove/passkey', { onRequest }, async (request, reply) => {
    const { user } = await requirePerson(context, request)
    await limiters.logIn.count(addressKey(request.ip))
    const { id } = await whoAnswered(request, reply)
    if (id !== user.id) throw notProved()
    await identity.noteProof(sessions.hashOf(request.headers.cookie) ?? '')
    return reply.code(204).send()
  })

  app.post('/auth/account/passkeys/options', { onRequest }, async (request, reply) => {
    const { session, user } = await requirePerson(context, request)
    requireFreshProof(session, now)
    const options = await passkeys.registrationOptions(user)
    const payload = { challenge: options.challenge }
    await tickets.hand(reply, 'register_passkey', { userId: user.id, payload })
    return options
  })

  app.post('/auth/account/passkeys', { onRequest }, async (request, reply) => {
    const { session, user } = await requirePerson(context, request)
    requireFreshProof(session, now)
    const { name, response } = readInput(passkeyInput, request.body)
    const ticket = await tickets.take(request, reply, 'register_passkey')
    if (ticket?.userId !== user.id) throw tookTooLong()
    const challenge = String(ticket.payload['challenge'])
    const passkey = await passkeys.register(user.id, name, challenge, response).catch(explainTaken)
    if (!passkey) throw new Problem('malformed_request', 'This passkey could not be checked. Try again.')
    mail.sendChange(user, 'passkey_added', whereFrom(request, now))
    reply.code(201)
    return describePasskey(passkey)
  })

  app.delete<{ Params: { id: string } }>(
    '/auth/account/passkeys/:id',
    { onRequest },
    async (request, reply) => {
      const { session, user } = await requirePerson(context, request)
      requireFreshProof(session, now)
      const passkey = await accounts.passkeys.find(request.params.id)
      if (passkey?.userId !== user.id) {
        throw new Problem('not_found', 'There is no such passkey in your account.')
      }
      await requireAnotherWayIn(context, user)
      await accounts.passkeys.remove(user.id, passkey.id)
      mail.sendChange(user, 'passkey_removed', whereFrom(request, now))
      return reply.code(204).send()
    },
  )

  async function whoAnswered(request: FastifyRequest, reply: FastifyReply): Promise<User> {
    const { response } = readInput(passkeyProofInput, request.body)
    const ticket = await tickets.take(request, reply, 'use_passkey')
    if (!ticket) throw tookTooLong()
    const userId = await passkeys.authenticate(String(ticket.payload['challenge']), response)
    const user = userId === undefined ? undefined : await identity.findUser(userId)
    if (!user) throw notProved()
    return user
  }
}

/** As the account page shows it. */
export function describePasskey(passkey: Passkey) {
  return {
    id: passkey.id,
    name: passkey.name,
    is_synced: passkey.isBackedUp,
    created_at: passkey.createdAt.toISOString(),
    last_used_at: passkey.lastUsedAt?.toISOString() ?? null,
  }
}

function tookTooLong(): Problem {
  return new Problem('not_found', 'That took too long, or was begun in another browser. Try again.')
}

function notProved(): Problem {
  return new Problem('unauthenticated', 'This passkey belongs to no account here. Log in in another way.')
}

function explainTaken(error: unknown): never {
  if (!(error instanceof Conflict)) throw error
  throw new Problem('conflict', 'This passkey is registered already.', { cause: error })
}
