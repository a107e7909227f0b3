import { randomUUID } from 'node:crypto'
import type { IdentityStore } from '@flamegate/operations/ports'
import type { ClientBase, Pool } from 'pg'
import type { Database } from '../database.ts'
import { execute, queryRows, sql } from '../sql.ts'

type Secret = Record<string, unknown>

/** Keys that all processes share. The first process makes them, under a lock; the others wait and read. */
export function oauthKeys(database: Database): IdentityStore['keys'] {
  return async (kind, make) => {
    const found = await readSecrets(database.auth, kind)
    if (found.length > 0) return found
    return database.asAuth(async (client) => {
      await execute(client, sql`SELECT pg_advisory_xact_lock(hashtext(${`flamegate.oauth_keys.${kind}`}))`)
      const madeMeanwhile = await readSecrets(client, kind)
      if (madeMeanwhile.length > 0) return madeMeanwhile
      const secret = await make()
      await execute(
        client,
        sql`INSERT INTO oauth_keys (id, kind, secret) VALUES (${randomUUID()}, ${kind}, ${JSON.stringify(secret)})`,
      )
      return [secret]
    })
  }
}

async function readSecrets(connection: ClientBase | Pool, kind: string): Promise<Secret[]> {
  const rows = await queryRows<{ secret: Secret }>(
    connection,
    sql`SELECT secret FROM oauth_keys WHERE kind = ${kind} AND retired_at IS NULL ORDER BY created_at DESC, id`,
  )
  return rows.map((row) => row.secret)
}
