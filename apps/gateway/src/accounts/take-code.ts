import { addressKey } from '@flamegate/auth'
import type { User } from '@flamegate/operations/ports'
import type { FastifyRequest } from 'fastify'
import type { AccountContext } from './account-context.ts'
import { isAppCode } from './one-time-codes.ts'
import { whereFrom } from './where-from.ts'

/** So many wrong codes are no slip of the finger any more, and the person is told. */
const suspiciousCount = 5

/**
 * Takes a one-time code or a recovery code, and counts wrong ones: per person and address, and those of the app also
 * per person from wherever, because from many addresses a million codes are soon tried. Recovery codes cannot be
 * guessed, so that with one of them the person comes in while somebody else is guessing.
 * @throws Problem `rate_limited`
 */
export async function takeCode(
  { codes, limiters, mail, now }: AccountContext,
  request: FastifyRequest,
  user: User,
  code: string,
): Promise<boolean> {
  const placeKey = `${addressKey(request.ip)} ${user.id}`
  await limiters.codesPerPlace.count(placeKey)
  const count = isAppCode(code) ? await limiters.codesPerPerson.count(user.id) : 0
  if (await codes.take(user.id, code)) {
    await limiters.codesPerPlace.forget(placeKey)
    if (count > 0) await limiters.codesPerPerson.forget(user.id)
    return true
  }
  if (count >= suspiciousCount) await mail.sendCodesGuessed(user, whereFrom(request, now))
  return false
}
