import { Problem } from '@flamegate/contract'
import type { FastifyInstance } from 'fastify'
import { refuseCrossSite } from '../session/refuse-cross-site.ts'
import { requirePerson } from './account-context.ts'
import type { AccountContext } from './account-context.ts'
import { codeInput, readInput } from './account-input.ts'
import { requireFreshProof } from './fresh-proof.ts'

/**
 * One-time codes of an authenticator app: `POST /auth/account/one-time-codes` begins, `…/confirm` turns them on by the
 * first code, `…/recovery-codes` gives new recovery codes, and `DELETE` turns them off.
 */
export function addOneTimeCodeRoutes(app: FastifyInstance, context: AccountContext): void {
  const { codes, limiters } = context
  const onRequest = refuseCrossSite(context.siteUrl)
  const path = '/auth/account/one-time-codes'

  app.post(path, { onRequest }, async (request) => {
    const { session, user } = await requirePerson(context, request)
    requireFreshProof(session, context.now)
    const enrolment = await codes.begin(user)
    if (!enrolment) throw new Problem('conflict', 'One-time codes are in use. Turn them off first.')
    return { secret: enrolment.secret, uri: enrolment.uri, qr_rows: enrolment.qrRows }
  })

  app.post(`${path}/confirm`, { onRequest }, async (request) => {
    const { session, user } = await requirePerson(context, request)
    requireFreshProof(session, context.now)
    const { code } = readInput(codeInput, request.body)
    limiters.codesPerPerson.count(user.id)
    const recoveryCodes = await codes.confirm(user.id, code)
    if (!recoveryCodes) {
      const message = 'This code is not right. Take the one that the app shows now.'
      throw new Problem('invalid_input', message, { errors: [{ field: 'code', message }] })
    }
    limiters.codesPerPerson.forget(user.id)
    return { recovery_codes: recoveryCodes }
  })

  app.post(`${path}/recovery-codes`, { onRequest }, async (request) => {
    const { session, user } = await requirePerson(context, request)
    requireFreshProof(session, context.now)
    if (!(await codes.areInUse(user.id))) throw new Problem('conflict', 'One-time codes are not in use.')
    return { recovery_codes: await codes.renewRecoveryCodes(user.id) }
  })

  app.delete(path, { onRequest }, async (request, reply) => {
    const { session, user } = await requirePerson(context, request)
    requireFreshProof(session, context.now)
    await codes.remove(user.id)
    return reply.code(204).send()
  })
}
