import { ExpiringCache } from '@flamegate/auth'
import type { Principal } from '@flamegate/contract'
import type { FastifyRequest } from 'fastify'

/** As long as a refusal is said again. */
const keptForMs = 1_000
const keptMax = 10_000

type Sent = Pick<FastifyRequest, 'headers'>

/** API tokens that were just refused for calling too much, of which each look-up is a question to the database. */
export interface RefusedTokens {
  note(request: Sent, principal: Principal): void
  /** Whose token a request came with, if it was among these within the last second. */
  principalOf(request: Sent): Principal | undefined
}

/** `now` is in milliseconds. */
export function createRefusedTokens(now: () => number = () => Date.now()): RefusedTokens {
  const principals = new ExpiringCache<Principal>(keptMax)
  return {
    note({ headers: { authorization } }, principal) {
      if (authorization !== undefined && principal.via === 'api_token')
        principals.set(authorization, principal, now() + keptForMs)
    },
    principalOf: ({ headers: { authorization } }) =>
      authorization === undefined ? undefined : principals.get(authorization, now()),
  }
}
