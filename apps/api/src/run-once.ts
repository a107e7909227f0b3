import { Problem, type Caller, type Operation, type Principal } from '@flamegate/contract'
import type { Answer } from '@flamegate/operations'
import type { IdempotencyStore, Sealing } from '@flamegate/operations/ports'
import { createHash } from 'node:crypto'

/**
 * Runs a creating call once per idempotency key of a person: the same key and input again gives the first answer,
 * another input is refused, and a call that failed may be tried again. Answers may hold secrets, so they are kept sealed.
 *
 * @throws Problem `idempotency_key_reused`, `request_in_progress`
 */
export async function runOnce(
  { store, sealing }: { store: IdempotencyStore; sealing: Sealing },
  principal: Principal,
  key: string,
  operation: Operation,
  input: unknown,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const caller: Caller = { principal, roles: new Map(), access: 'write' }
  const requestHash = createHash('sha256')
    .update(JSON.stringify([operation.id, input]))
    .digest('hex')
  const claim = await store.claim(caller, key, { operation: operation.id, requestHash })
  switch (claim.state) {
    case 'done':
      return JSON.parse(await sealing.open(claim.sealedAnswer, principal.userId))
    case 'busy':
      throw new Problem(
        'request_in_progress',
        'The first request with this Idempotency-Key is still running. Try again in a second.',
        {
          retryAfterSeconds: 1,
        },
      )
    case 'mismatch':
      throw new Problem(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request. Use a new key for each new request.',
      )
    default:
  }
  const answer = await run().catch(async (error: unknown) => {
    await store.release(caller, key)
    throw error
  })
  // Where this fails the key stays taken: what was done must not be done again at once.
  const of = { id: principal.userId, workspaceId: null }
  await store.complete(caller, key, await sealing.seal(JSON.stringify(answer), of))
  return answer
}
