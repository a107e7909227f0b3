import type { Caller } from '@flamegate/contract'
import type { IdempotencyStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { execute, queryRows, sql } from '../sql.ts'
import type { RowScope } from '../row-scope.ts'

/** No call takes this long: a claim that is older belongs to a process that died. */
const abandonedAfter = '2 minutes'

interface ClaimRow {
  operation: string
  request_hash: string
  status: 'BUSY' | 'DONE'
  sealedAnswer: string
}

export function idempotencyStore(database: Database): IdempotencyStore {
  return {
    claim: (caller, key, { operation, requestHash }) =>
      database.inScope(ownScope(caller), async (client) => {
        const claimed = await execute(
          client,
          sql`INSERT INTO idempotency_keys AS held (user_id, key, operation, request_hash, status, expires_at)
            VALUES (${caller.principal.userId}, ${key}, ${operation}, ${requestHash}, 'BUSY', now() + interval '24 hours')
            ON CONFLICT (user_id, key) DO UPDATE SET operation = excluded.operation,
              request_hash = excluded.request_hash, status = excluded.status, sealed_answer = NULL,
              created_at = now(), expires_at = excluded.expires_at
            WHERE held.expires_at < now()
              OR (held.status = 'BUSY' AND held.created_at < now() - ${abandonedAfter}::interval
                AND held.operation = excluded.operation AND held.request_hash = excluded.request_hash)`,
        )
        if (claimed === 1) return { state: 'new' }
        const [held] = await queryRows<ClaimRow>(
          client,
          sql`SELECT operation, request_hash, status, sealed_answer AS "sealedAnswer" FROM idempotency_keys
            WHERE user_id = ${caller.principal.userId} AND key = ${key}`,
        )
        // Released in between: the first call failed just now.
        if (!held) return { state: 'busy' }
        if (held.operation !== operation || held.request_hash !== requestHash) return { state: 'mismatch' }
        return held.status === 'DONE' ? { state: 'done', sealedAnswer: held.sealedAnswer } : { state: 'busy' }
      }),

    complete: async (caller, key, sealedAnswer) => {
      await database.inScope(ownScope(caller), (client) =>
        execute(
          client,
          sql`UPDATE idempotency_keys SET status = 'DONE', sealed_answer = ${sealedAnswer}
            WHERE user_id = ${caller.principal.userId} AND key = ${key}`,
        ),
      )
    },

    release: async (caller, key) => {
      await database.inScope(ownScope(caller), (client) =>
        execute(
          client,
          sql`DELETE FROM idempotency_keys
            WHERE user_id = ${caller.principal.userId} AND key = ${key} AND status = 'BUSY'`,
        ),
      )
    },
  }
}

/** Keys belong to the person, whatever the call itself may write. */
function ownScope(caller: Caller): RowScope {
  return {
    userId: caller.principal.userId,
    readWorkspaceIds: [],
    writeWorkspaceIds: [],
    adminWorkspaceIds: [],
    isReadOnly: false,
  }
}
