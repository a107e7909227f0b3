import type { IdentityStore, MasterKeys } from '@flamegate/operations/ports'
import { Pool, type ClientBase } from 'pg'
import { connectOptions } from '../connect.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { aboutDataKey, dataKeyStore, type WrappedDataKey } from '../stores/data-key-store.ts'
import { oauthKeys } from '../stores/oauth-keys.ts'
import { resealColumn, type Reseal, type Resealed } from './reseal-column.ts'
import { sealAddresses, type Seal } from './seal-addresses.ts'
import { sealedColumns } from './sealed-columns.ts'
import { openSecret, wrapSecret, type Secret } from './wrapped-secret.ts'

/** All keys and all that is sealed with them, for whoever changes keys while everything goes on. */
export interface KeyRoom {
  identity: Pick<IdentityStore, 'keys' | 'addKey' | 'dataKeys'>
  /** Wraps keys by the master key in use: all, or those that none wraps. @returns how many */
  rewrap(which: 'all' | 'those in the clear'): Promise<number>
  /** Seals nothing more with the data keys that there are. @returns how many */
  retireDataKeys(): Promise<number>
  /** What lies there in the clear from before it was sealed: addresses. @returns how many */
  sealPlain(seal: Seal): Promise<number>
  /** Everything that is not sealed with a data key in use. */
  resealAll(reseal: Reseal): Promise<Resealed>
  /** Removes data keys that were retired an hour ago, and with which nothing is sealed. @returns how many */
  removeUnusedDataKeys(): Promise<number>
  /** Whether the one key is there that sealed everything before workspaces had their own. */
  hasCommonKey(): Promise<boolean>
  /** For when nothing is sealed with it. */
  removeCommonKey(): Promise<void>
  close(): Promise<void>
}

/**
 * @param ownerUrl The database as `flamegate_owner`, who reads and changes keys for as long as `flamegate.changes_keys` is on (see the
 *   migration `data_keys`).
 */
export function openKeyRoom(ownerUrl: string, masterKeys: MasterKeys): KeyRoom {
  const pool = new Pool({ ...connectOptions(ownerUrl, 'flamegate keys'), max: 4 })
  // A connection that breaks would end the process, used or not; whoever uses it is told by the query.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)

  async function transaction<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    try {
      await client.query(
        `BEGIN; SET LOCAL flamegate.backs_up = 'on'; SET LOCAL flamegate.changes_keys = 'on'`,
      )
      const result = await work(client)
      await client.query('COMMIT')
      return result
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      throw error
    } finally {
      client.release()
    }
  }

  return {
    identity: {
      ...oauthKeys(transaction, masterKeys),
      dataKeys: dataKeyStore(transaction, masterKeys),
    },

    async rewrap(which) {
      const onlyClear = which === 'those in the clear'
      const signing = await transaction((client) =>
        queryRows<{ id: string; kind: string; secret: Secret }>(
          client,
          sql`SELECT id, kind, secret FROM oauth_keys
            WHERE NOT ${onlyClear} OR coalesce(secret->>'wrapped', 'clear.') LIKE 'clear.%'`,
        ),
      )
      for (const { id, kind, secret } of signing) {
        const wrapped = await wrapSecret(masterKeys, kind, await openSecret(masterKeys, kind, secret))
        await transaction((client) =>
          execute(
            client,
            sql`UPDATE oauth_keys SET secret = ${JSON.stringify(wrapped)}::jsonb WHERE id = ${id}`,
          ),
        )
      }
      const sealing = await transaction((client) =>
        queryRows<WrappedDataKey>(
          client,
          sql`SELECT id, workspace_id AS "workspaceId", wrapped FROM data_keys
            WHERE NOT ${onlyClear} OR wrapped LIKE 'clear.%'`,
        ),
      )
      for (const stored of sealing) {
        const about = aboutDataKey(stored)
        const wrapped = await masterKeys.wrap(await masterKeys.unwrap(stored.wrapped, about), about)
        await transaction((client) =>
          execute(client, sql`UPDATE data_keys SET wrapped = ${wrapped} WHERE id = ${stored.id}`),
        )
      }
      return signing.length + sealing.length
    },

    retireDataKeys: () =>
      transaction((client) =>
        execute(client, sql`UPDATE data_keys SET retired_at = now() WHERE retired_at IS NULL`),
      ),

    sealPlain: (seal) => sealAddresses(transaction, seal),

    async resealAll(reseal) {
      const sum: Resealed = { resealed: 0, unreadable: [] }
      for (const column of sealedColumns) {
        const done = await resealColumn(transaction, column, reseal)
        sum.resealed += done.resealed
        sum.unreadable.push(...done.unreadable)
      }
      return sum
    },

    removeUnusedDataKeys: () =>
      transaction(async (client) => {
        const used = sealedColumns.map(
          ({ table, column }) =>
            `NOT EXISTS (SELECT FROM ${table} WHERE split_part(${table}.${column}, '.', 1) = data_keys.id)`,
        )
        const { rowCount } = await client.query(
          `DELETE FROM data_keys WHERE retired_at < now() - interval '1 hour' AND ${used.join(' AND ')}`,
        )
        return rowCount ?? 0
      }),

    hasCommonKey: () =>
      transaction(async (client) => {
        const found = await queryRows(client, sql`SELECT FROM oauth_keys WHERE kind = 'secret'`)
        return found.length > 0
      }),

    removeCommonKey: () =>
      transaction(async (client) => {
        await execute(client, sql`DELETE FROM oauth_keys WHERE kind = 'secret'`)
      }),

    close: () => pool.end(),
  }
}
