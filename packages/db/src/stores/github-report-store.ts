import type { GithubReport, GithubReportStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'

export function githubReportStore(database: Database): GithubReportStore {
  return {
    find: (caller, projectId) =>
      database.asCallerSql(caller, async (client) => {
        const [report] = await queryRows<GithubReport>(
          client,
          sql`SELECT workspace_id AS "workspaceId", project_id AS "projectId", sealed_token AS "sealedToken",
              sets_status AS "setsStatus", comments
            FROM github_reports WHERE project_id = ${projectId}`,
        )
        return report
      }),

    set: (caller, report) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, report.workspaceId)
        await execute(
          client,
          sql`INSERT INTO github_reports (workspace_id, project_id, sealed_token, sets_status, comments, updated_by)
            VALUES (${report.workspaceId}, ${report.projectId}, ${report.sealedToken}, ${report.setsStatus},
              ${report.comments}, ${caller.principal.userId})
            ON CONFLICT (workspace_id, project_id) DO UPDATE SET sealed_token = excluded.sealed_token,
              sets_status = excluded.sets_status, comments = excluded.comments, updated_by = excluded.updated_by,
              updated_at = now()`,
        )
      }),

    remove: (caller, { workspaceId, projectId }) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        await execute(
          client,
          sql`DELETE FROM github_reports WHERE workspace_id = ${workspaceId} AND project_id = ${projectId}`,
        )
      }),
  }
}
