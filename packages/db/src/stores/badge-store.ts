import type { BadgeStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'

export function badgeStore(database: Database): BadgeStore {
  return {
    find: (caller, projectId) =>
      database.asCallerSql(caller, async (client) => {
        const [badge] = await queryRows<{ token: string }>(
          client,
          sql`SELECT token FROM badges WHERE project_id = ${projectId}`,
        )
        return badge?.token
      }),

    set: (caller, { workspaceId, projectId }, token) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        await execute(
          client,
          sql`INSERT INTO badges (workspace_id, project_id, token) VALUES (${workspaceId}, ${projectId}, ${token})
            ON CONFLICT (workspace_id, project_id) DO UPDATE SET token = excluded.token, created_at = now()`,
        )
      }),

    remove: (caller, { workspaceId, projectId }) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        await execute(
          client,
          sql`DELETE FROM badges WHERE workspace_id = ${workspaceId} AND project_id = ${projectId}`,
        )
      }),

    findPlace: async (token) => {
      const [place] = await queryRows<{ workspaceId: string; projectId: string }>(
        database.auth,
        sql`SELECT workspace_id AS "workspaceId", project_id AS "projectId" FROM badges WHERE token = ${token}`,
      )
      return place
    },
  }
}
