import type { Caller } from '@flamegate/contract'
import { Conflict, NotPermitted, type Workspace, type WorkspaceStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { mustAdminister } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'

export const workspaceColumns = sql`id, slug, name, plan_id AS plan, created_at AS "createdAt", deletes_at AS "deletesAt"`

/** How workspaces come, change hands and go. */
export function workspaceLife(
  database: Database,
): Pick<WorkspaceStore, 'create' | 'rename' | 'transfer' | 'leave' | 'setDeletion'> {
  return {
    create: (caller, { id, slug, name }) =>
      asPerson(database, caller, async (client) => {
        const [created] = await queryRows<Workspace>(
          client,
          sql`INSERT INTO workspaces (id, slug, name) VALUES (${id}, ${slug}, ${name}) RETURNING ${workspaceColumns}`,
        )
        await execute(
          client,
          sql`INSERT INTO memberships (workspace_id, user_id, role) VALUES (${id}, ${caller.principal.userId}, 'owner')`,
        )
        if (created === undefined) throw new Error('INSERT … RETURNING gives the row')
        return created
      }),

    rename: (caller, workspaceId, { name, slug }) =>
      database.asCallerSql(caller, async (client) => {
        mustAdminister(caller, workspaceId)
        await execute(
          client,
          sql`UPDATE workspaces SET name = ${name}, slug = ${slug} WHERE id = ${workspaceId}`,
        )
      }),

    transfer: (caller, workspaceId, toUserId) =>
      database.asCallerSql(caller, async (client) => {
        mustAdminister(caller, workspaceId)
        // Of two transfers at once, the second finds that the caller is owner no more.
        const { userId } = caller.principal
        const owned = await queryRows(
          client,
          sql`SELECT FROM memberships WHERE workspace_id = ${workspaceId} AND user_id = ${userId} AND role = 'owner'
            FOR UPDATE`,
        )
        if (owned.length === 0) throw new NotPermitted()
        const changed = await execute(
          client,
          sql`UPDATE memberships SET role = CASE WHEN user_id = ${toUserId} THEN 'owner' ELSE 'admin' END
            WHERE workspace_id = ${workspaceId} AND user_id IN (${toUserId}, ${userId})`,
        )
        // The other one left just now: then everything stays.
        if (changed !== 2) throw new NotPermitted()
      }),

    leave: (caller, workspaceId) =>
      asPerson(database, caller, async (client) => {
        const { userId } = caller.principal
        // Locked, so that two owners cannot leave at once.
        const owners = await queryRows<{ user_id: string }>(
          client,
          sql`SELECT user_id FROM memberships WHERE workspace_id = ${workspaceId} AND role = 'owner'
            ORDER BY user_id FOR UPDATE`,
        )
        if (owners.length === 1 && owners[0]?.user_id === userId) throw new Conflict('role')
        await execute(
          client,
          sql`UPDATE api_tokens SET revoked_at = now()
            WHERE workspace_id = ${workspaceId} AND user_id = ${userId} AND revoked_at IS NULL`,
        )
        await execute(
          client,
          sql`DELETE FROM memberships WHERE workspace_id = ${workspaceId} AND user_id = ${userId}`,
        )
      }),

    setDeletion: (caller, workspaceId, deletesAt) =>
      asPerson(database, caller, async (client) => {
        const changed = await execute(
          client,
          sql`UPDATE workspaces SET deletes_at = ${deletesAt},
              deletion_asked_by = ${deletesAt === null ? null : caller.principal.userId}
            WHERE id = ${workspaceId} AND (deletes_at IS NULL OR deletes_at > now())`,
        )
        if (changed === 0) throw new NotPermitted()
      }),
  }
}

/** As `flamegate_auth`, whose policies ask who it is for. */
function asPerson<T>(
  database: Database,
  caller: Caller,
  work: Parameters<typeof database.asPerson<T>>[1],
): Promise<T> {
  if (caller.access === 'read') throw new NotPermitted()
  return database.asPerson(caller.principal.userId, work)
}
