import { randomUUID } from 'node:crypto'
import type { DataKey, DataKeyStore, MasterKeys } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import { execute, queryRows, sql } from '../sql.ts'
import type { KeyTransaction } from './oauth-keys.ts'

/** A data key as it is stored. */
export interface WrappedDataKey {
  id: string
  workspaceId: string | null
  wrapped: string
}

export function dataKeyStore(transaction: KeyTransaction, masterKeys: MasterKeys): DataKeyStore {
  const open = async (stored: WrappedDataKey): Promise<DataKey> => ({
    id: stored.id,
    key: await masterKeys.unwrap(stored.wrapped, aboutDataKey(stored)),
  })
  return {
    async current(workspaceId, make) {
      const found = await transaction((client) => findCurrent(client, workspaceId))
      if (found !== undefined) return open(found)
      const key = { id: `dk_${randomUUID()}`, workspaceId }
      const made = { ...key, wrapped: await masterKeys.wrap(make(), aboutDataKey(key)) }
      const stored = await transaction(async (client) => {
        const name = `flamegate.data_keys.${workspaceId ?? ''}`
        await execute(client, sql`SELECT pg_advisory_xact_lock(hashtext(${name}))`)
        const madeMeanwhile = await findCurrent(client, workspaceId)
        if (madeMeanwhile !== undefined) return madeMeanwhile
        await execute(
          client,
          sql`INSERT INTO data_keys (id, workspace_id, wrapped) VALUES (${made.id}, ${workspaceId}, ${made.wrapped})`,
        )
        return made
      })
      return open(stored)
    },

    async find(id) {
      const [stored] = await transaction((client) =>
        queryRows<WrappedDataKey>(client, sql`SELECT ${columns} FROM data_keys WHERE id = ${id}`),
      )
      return stored && open(stored)
    },
  }
}

/** A key of one workspace cannot be put in place of another's. */
export function aboutDataKey({ id, workspaceId }: Pick<WrappedDataKey, 'id' | 'workspaceId'>): string {
  return `data_keys/${workspaceId ?? ''}/${id}`
}

const columns = sql`id, workspace_id AS "workspaceId", wrapped`

async function findCurrent(
  client: ClientBase,
  workspaceId: string | null,
): Promise<WrappedDataKey | undefined> {
  const [found] = await queryRows<WrappedDataKey>(
    client,
    sql`SELECT ${columns} FROM data_keys WHERE workspace_id IS NOT DISTINCT FROM ${workspaceId}::text AND retired_at IS NULL
      ORDER BY created_at DESC, id LIMIT 1`,
  )
  return found
}
