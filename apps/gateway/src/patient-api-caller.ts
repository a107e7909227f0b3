import { ExpiringCache } from '@flamegate/auth'
import { callerLimits, costOf } from '@flamegate/contract'
import type { CallerLimit, Operation, Principal } from '@flamegate/contract'
import type { ApiAnswer, ApiCaller } from './api-caller.ts'

/** Shorter than any wait that callers are told, so that what is said again stays true to the second. */
const heldForMs = 1_000
const heldMax = 10_000

export interface PatientApiCaller extends ApiCaller {
  /** What a call would be answered that is refused again; undefined when it would be asked. */
  refusalOf(operation: Operation, principal: Principal): ApiAnswer | undefined
}

/**
 * The same way to the operations, which asks nothing twice for whoever calls too much: the refusal of a limit of the caller is said
 * again for a second to every call that counts against it and costs as much, without the way to the API and what counting costs
 * there. `now` is in milliseconds.
 */
export function patientApiCaller(caller: ApiCaller, now: () => number = () => Date.now()): PatientApiCaller {
  const held = new ExpiringCache<{ answer: ApiAnswer; cost: number }>(heldMax)

  function refusalOf(operation: Operation, principal: Principal): ApiAnswer | undefined {
    for (const limit of callerLimits) {
      const before = held.get(keyOf(limit, operation, principal), now())
      if (before !== undefined && costOf(operation) >= before.cost) return before.answer
    }
    return undefined
  }

  return {
    refusalOf,
    async call(operation, input, origin, signal) {
      const { principal } = origin
      const before = refusalOf(operation, principal)
      if (before !== undefined) return before
      const answer = await caller.call(operation, input, origin, signal)
      if (answer.callerLimit !== undefined) {
        const key = keyOf(answer.callerLimit, operation, principal)
        held.set(key, { answer, cost: costOf(operation) }, now() + heldForMs)
      }
      return answer
    },
    close: () => caller.close(),
  }
}

/** What counts against a limit has the same key: all that a person calls, or through one client, or of one tool. */
function keyOf(limit: CallerLimit, { id }: Operation, { userId, clientId }: Principal): string {
  const which = { user: '', client: clientId, tool: id }[limit]
  return `${limit} ${userId} ${which}`
}
