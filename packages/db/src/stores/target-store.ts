import type { Target, TargetStore } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { storableText } from '../storable.ts'

const columns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId", host, token, method,
  verified_at AS "verifiedAt", checked_at AS "checkedAt", failure, created_at AS "createdAt"`

export function targetStore(database: Database): TargetStore {
  return {
    list: (caller, projectId) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Target>(
          client,
          sql`SELECT ${columns} FROM targets WHERE project_id = ${projectId} ORDER BY host`,
        ),
      ),

    find: (caller, id) => database.asCallerSql(caller, (client) => findTarget(client, id)),

    findByHost: (caller, projectId, host) =>
      database.asCallerSql(caller, (client) => findByHost(client, projectId, host)),

    create: (caller, { id, workspaceId, projectId, host, token }) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        await execute(
          client,
          sql`INSERT INTO targets (workspace_id, id, project_id, host, token, created_by)
            VALUES (${workspaceId}, ${id}, ${projectId}, ${host}, ${token}, ${caller.principal.userId})
            ON CONFLICT (workspace_id, project_id, host) DO NOTHING`,
        )
        const target = await findByHost(client, projectId, host)
        if (!target) throw new Error('The target is gone')
        return target
      }),

    noteCheck: (caller, id, proof) =>
      database.asCallerSql(caller, async (client) => {
        const seen = await findTarget(client, id)
        if (!seen) return undefined
        mustWrite(caller, seen.workspaceId)
        const method = 'method' in proof ? proof.method : null
        const [target] = await queryRows<Target>(
          client,
          sql`UPDATE targets SET method = ${method}, checked_at = now(),
              verified_at = CASE WHEN ${method}::text IS NULL THEN NULL ELSE coalesce(verified_at, now()) END,
              failure = ${'failure' in proof ? storableText(proof.failure) : null}
            WHERE workspace_id = ${seen.workspaceId} AND id = ${id} RETURNING ${columns}`,
        )
        return target
      }),

    remove: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const target = await findTarget(client, id)
        if (!target) return false
        mustWrite(caller, target.workspaceId)
        const removed = await execute(
          client,
          sql`DELETE FROM targets WHERE workspace_id = ${target.workspaceId} AND id = ${id}`,
        )
        return removed > 0
      }),
  }
}

async function findTarget(client: ClientBase, id: string): Promise<Target | undefined> {
  const [target] = await queryRows<Target>(client, sql`SELECT ${columns} FROM targets WHERE id = ${id}`)
  return target
}

async function findByHost(client: ClientBase, projectId: string, host: string): Promise<Target | undefined> {
  const [target] = await queryRows<Target>(
    client,
    sql`SELECT ${columns} FROM targets WHERE project_id = ${projectId} AND host = ${host}`,
  )
  return target
}
