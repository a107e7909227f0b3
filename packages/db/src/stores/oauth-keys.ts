import { randomUUID } from 'node:crypto'
import type { IdentityStore, MasterKeys } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { openSecret, wrapSecret, type Secret } from '../keys/wrapped-secret.ts'
import { execute, queryRows, sql } from '../sql.ts'

/** Runs work in one transaction as somebody who may read and add keys. */
export type KeyTransaction = <T>(work: (client: ClientBase) => Promise<T>) => Promise<T>

/** Keys that all processes share. The first process makes them, under a lock; the others wait and read. */
export function oauthKeys(
  transaction: KeyTransaction,
  masterKeys: MasterKeys,
): Pick<IdentityStore, 'keys' | 'addKey'> {
  return {
    async keys(kind, make) {
      const stored = await transaction(async (client) => {
        const found = await readSecrets(client, kind)
        if (found.length > 0) return found
        await lock(client, kind)
        const madeMeanwhile = await readSecrets(client, kind)
        if (madeMeanwhile.length > 0) return madeMeanwhile
        const secret = await wrapSecret(masterKeys, kind, await make())
        await insertKey(client, kind, secret, new Date())
        return [secret]
      })
      return Promise.all(stored.map((secret) => openSecret(masterKeys, kind, secret)))
    },

    async addKey(kind, key, activeAt) {
      const secret = await wrapSecret(masterKeys, kind, key)
      await transaction(async (client) => {
        await lock(client, kind)
        // What one of these signed has expired; only a process that was not started anew since then still uses it.
        await execute(
          client,
          sql`UPDATE oauth_keys SET retired_at = now() WHERE kind = ${kind} AND retired_at IS NULL
            AND EXISTS (SELECT FROM oauth_keys AS newer WHERE newer.kind = oauth_keys.kind
              AND newer.active_at > oauth_keys.active_at AND newer.active_at < now() - interval '30 days')`,
        )
        await insertKey(client, kind, secret, activeAt)
      })
    },
  }
}

async function lock(client: ClientBase, kind: string): Promise<void> {
  await execute(client, sql`SELECT pg_advisory_xact_lock(hashtext(${`flamegate.oauth_keys.${kind}`}))`)
}

async function insertKey(client: ClientBase, kind: string, secret: Secret, activeAt: Date): Promise<void> {
  await execute(
    client,
    sql`INSERT INTO oauth_keys (id, kind, secret, active_at)
      VALUES (${randomUUID()}, ${kind}, ${JSON.stringify(secret)}, ${activeAt})`,
  )
}

async function readSecrets(connection: ClientBase, kind: string): Promise<Secret[]> {
  const rows = await queryRows<{ secret: Secret }>(
    connection,
    sql`SELECT secret FROM oauth_keys WHERE kind = ${kind} AND retired_at IS NULL
      ORDER BY active_at <= now() DESC, active_at DESC, created_at DESC, id`,
  )
  return rows.map((row) => row.secret)
}
