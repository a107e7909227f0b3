import { escapeIdentifier, type ClientBase } from 'pg'
import type { Database } from './database.ts'
import { execute, queryRows, sql } from './sql.ts'
import { scopeOfWorkspace } from './workspace-archive/export-workspace.ts'
import { readTenantTables } from './workspace-archive/tenant-tables.ts'

const rowsAtATime = 5_000
const filesAtATime = 500

/**
 * Removes the workspaces whose time is over with all that is in them, the bytes first. Rows go a few at a time, those that
 * refer to others before these, so that nothing takes long; what is interrupted goes on the next time. What was done there
 * stays in the audit log. Gives how many went.
 * @param options.isDry only counts
 */
export async function purgeDeletedWorkspaces(
  database: Database,
  removeObject: (storageKey: string) => Promise<unknown>,
  { isDry }: { isDry: boolean } = { isDry: false },
): Promise<number> {
  const due = await queryRows<{ id: string }>(
    database.auth,
    sql`SELECT id FROM workspaces WHERE deletes_at <= now() ORDER BY deletes_at LIMIT 100`,
  )
  if (isDry) return due.length
  let removed = 0
  for (const { id } of due) removed += await purge(database, id, removeObject)
  return removed
}

async function purge(
  database: Database,
  workspaceId: string,
  removeObject: (storageKey: string) => Promise<unknown>,
): Promise<number> {
  const inWorkspace = <T>(work: (client: ClientBase) => Promise<T>) =>
    database.inScope(scopeOfWorkspace(workspaceId, false), work)

  for (;;) {
    const files = await inWorkspace((client) =>
      queryRows<{ id: string; storageKey: string }>(
        client,
        sql`SELECT id, storage_key AS "storageKey" FROM files WHERE workspace_id = ${workspaceId} LIMIT ${filesAtATime}`,
      ),
    )
    for (const { storageKey } of files) await removeObject(storageKey)
    const ids = files.map(({ id }) => id)
    await inWorkspace((client) =>
      execute(
        client,
        sql`DELETE FROM files WHERE workspace_id = ${workspaceId} AND id = ANY (${ids}::text[])`,
      ),
    )
    if (files.length < filesAtATime) break
  }

  // Those that refer to others first.
  const tables = (await inWorkspace(readTenantTables)).filter(({ mayDelete }) => mayDelete)
  for (const table of tables.toReversed()) {
    const name = escapeIdentifier(table.name)
    const text = `DELETE FROM ${name} WHERE (tableoid, ctid) IN
      (SELECT tableoid, ctid FROM ${name} WHERE workspace_id = $1 LIMIT ${rowsAtATime})`
    for (;;) {
      const { rowCount } = await inWorkspace((client) => client.query(text, [workspaceId]))
      if ((rowCount ?? 0) < rowsAtATime) break
    }
  }
  // What is left goes with it, such as members and API tokens.
  return execute(database.auth, sql`DELETE FROM workspaces WHERE id = ${workspaceId}`)
}
