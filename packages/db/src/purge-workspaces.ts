import { escapeIdentifier, type ClientBase } from 'pg'
import type { Database } from './database.ts'
import { execute, queryRows, sql } from './sql.ts'
import { scopeOfWorkspace } from './workspace-archive/export-workspace.ts'
import { inOrderOfRemoval, readTenantTables } from './workspace-archive/tenant-tables.ts'

const rowsAtATime = 5_000
const filesAtATime = 500

/**
 * Removes the workspaces whose time is over with all that is in them. Rows go a few at a time, those that refer to others before
 * these, so that nothing takes long; what is interrupted goes on the next time. What was done there stays in the audit log.
 * One that cannot be removed keeps none of the others, and one that is not due any more stays as it is. Gives how many went.
 * @param options.isDry only counts
 * @throws what kept the first of those that are still there
 */
export async function purgeDeletedWorkspaces(
  database: Database,
  removeObject: RemoveObject,
  { isDry }: { isDry: boolean } = { isDry: false },
): Promise<number> {
  const due = await queryRows<{ id: string }>(
    database.auth,
    sql`SELECT id FROM workspaces WHERE deletes_at <= now() ORDER BY deletes_at LIMIT 100`,
  )
  if (isDry) return due.length
  let removed = 0
  const failures: unknown[] = []
  for (const { id } of due) {
    try {
      removed += await purge(database, id, removeObject)
    } catch (err) {
      if (err instanceof NotDue) continue
      database.log.error({ err }, `deleted workspace ${id} could not be removed`)
      failures.push(err)
    }
  }
  if (failures.length > 0) throw failures[0]
  return removed
}

/** Nobody can call it off when it is due, but an operator can in SQL, and a clock may be set back. */
class NotDue extends Error {
  override name = 'NotDue'
}

type RemoveObject = (storageKey: string) => Promise<unknown>
type InWorkspace = <T>(work: (client: ClientBase) => Promise<T>) => Promise<T>

/** Whoever would keep the workspace waits until the transaction ends. @throws NotDue */
async function mustBeDue(client: ClientBase, workspaceId: string): Promise<void> {
  const due = await queryRows(
    client,
    sql`SELECT FROM workspaces WHERE id = ${workspaceId} AND deletes_at <= now() FOR SHARE`,
  )
  if (due.length === 0) throw new NotDue()
}

async function purge(database: Database, workspaceId: string, removeObject: RemoveObject): Promise<number> {
  const inWorkspace: InWorkspace = (work) => database.inScope(scopeOfWorkspace(workspaceId, false), work)
  const tables = inOrderOfRemoval(await inWorkspace(readTenantTables))
  for (const { name } of tables.filter(({ mayDelete }) => mayDelete)) {
    await (name === 'files'
      ? removeFiles(inWorkspace, workspaceId, removeObject)
      : removeRows(inWorkspace, workspaceId, name))
  }
  // What is left goes with it, such as members and API tokens.
  return execute(database.auth, sql`DELETE FROM workspaces WHERE id = ${workspaceId}`)
}

/** By now no row holds a file. The bytes go first, for nobody would find them without the row, which goes with them in any case. */
async function removeFiles(
  inWorkspace: InWorkspace,
  workspaceId: string,
  removeObject: RemoveObject,
): Promise<void> {
  for (;;) {
    const files = await inWorkspace(async (client) => {
      await mustBeDue(client, workspaceId)
      return queryRows<{ id: string; storageKey: string }>(
        client,
        sql`SELECT id, storage_key AS "storageKey" FROM files WHERE workspace_id = ${workspaceId} LIMIT ${filesAtATime}`,
      )
    })
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
}

async function removeRows(inWorkspace: InWorkspace, workspaceId: string, table: string): Promise<void> {
  const name = escapeIdentifier(table)
  const text = `DELETE FROM ${name} WHERE (tableoid, ctid) IN
    (SELECT tableoid, ctid FROM ${name} WHERE workspace_id = $1 LIMIT ${rowsAtATime})`
  for (;;) {
    const { rowCount } = await inWorkspace(async (client) => {
      await mustBeDue(client, workspaceId)
      return client.query(text, [workspaceId])
    })
    if ((rowCount ?? 0) < rowsAtATime) break
  }
}
