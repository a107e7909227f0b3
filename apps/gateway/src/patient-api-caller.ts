import { ExpiringCache } from '@flamegate/auth'
import type { ApiAnswer, ApiCaller } from './api-caller.ts'

/** Shorter than any wait that callers are told, so that what is said again stays true to the second. */
const heldForMs = 1_000
const heldMax = 10_000

/**
 * The same way to the operations, which asks nothing twice for whoever calls too much: a refusal that is about the client and the
 * operation alone is said again for a second, without the way to the API and what counting costs there. `now` is in milliseconds.
 */
export function patientApiCaller(caller: ApiCaller, now: () => number = Date.now): ApiCaller {
  const held = new ExpiringCache<ApiAnswer>(heldMax)
  return {
    async call(operation, input, origin, signal) {
      const { userId, clientId } = origin.principal
      const key = `${userId} ${clientId} ${operation.id}`
      const before = held.get(key, now())
      if (before !== undefined) return before
      const answer = await caller.call(operation, input, origin, signal)
      if (answer.isOfCaller === true) held.set(key, answer, now() + heldForMs)
      return answer
    },
    close: () => caller.close(),
  }
}
