import { addressKey } from '@flamegate/auth'
import { Problem } from '@flamegate/contract'
import type { FastifyInstance } from 'fastify'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import { requirePerson } from './account-context.ts'
import type { AccountContext } from './account-context.ts'
import { codeInput, readInput } from './account-input.ts'
import { requireFreshProof } from './fresh-proof.ts'
import { whereFrom } from './where-from.ts'

/**
 * One-time codes of an authenticator app: `POST /auth/account/one-time-codes` begins, `…/confirm` turns them on by the
 * first code, `…/recovery-codes` gives new recovery codes, and `DELETE` turns them off.
 */
export function addOneTimeCodeRoutes(app: FastifyInstance, context: AccountContext): void {
  const { codes, limiters, mail, now } = context
  const onRequest = refuseCrossSite(context.siteUrl)
  const path = '/auth/account/one-time-codes'

  app.post(path, { onRequest }, async (request) => {
    const { session, user } = await requirePerson(context, request)
    requireFreshProof(session, now)
    const enrolment = await codes.begin(user)
    if (!enrolment) throw new Problem('conflict', 'One-time codes are in use. Turn them off first.')
    return { secret: enrolment.secret, uri: enrolment.uri, qr_rows: enrolment.qrRows }
  })

  app.post(`${path}/confirm`, { onRequest }, async (request) => {
    const { session, user } = await requirePerson(context, request)
    requireFreshProof(session, now)
    const { code } = readInput(codeInput, request.body)
    const placeKey = `${addressKey(request.ip)} ${user.id}`
    await limiters.codesPerPlace.count(placeKey)
    const recoveryCodes = await codes.confirm(user.id, code)
    if (!recoveryCodes) {
      const message = 'This code is not right. Take the one that the app shows now.'
      throw new Problem('invalid_input', message, { errors: [{ field: 'code', message }] })
    }
    await limiters.codesPerPlace.forget(placeKey)
    mail.sendChange(user, 'codes_on', whereFrom(request, now))
    return { recovery_codes: recoveryCodes }
  })

  app.post(`${path}/recovery-codes`, { onRequest }, async (request) => {
    const { session, user } = await requirePerson(context, request)
    requireFreshProof(session, now)
    if (!(await codes.areInUse(user.id))) throw new Problem('conflict', 'One-time codes are not in use.')
    const recoveryCodes = await codes.renewRecoveryCodes(user.id)
    mail.sendChange(user, 'recovery_codes_renewed', whereFrom(request, now))
    return { recovery_codes: recoveryCodes }
  })

  app.delete(path, { onRequest }, async (request, reply) => {
    const { session, user } = await requirePerson(context, request)
    requireFreshProof(session, now)
    const wereInUse = await codes.areInUse(user.id)
    await codes.remove(user.id)
    if (wereInUse) mail.sendChange(user, 'codes_off', whereFrom(request, now))
    return reply.code(204).send()
  })
}
