import type { Database } from './database.ts'
import { nothing, queryRows, sql, type Sql } from './sql.ts'

/** What is past its time, of all workspaces: what has been for longest first. */
type FindExpired = (
  database: Database,
  options: { limit: number },
) => Promise<{ workspaceId: string; id: string }[]>

function findExpired(table: Sql, condition: Sql = nothing): FindExpired {
  return (database, { limit }) =>
    queryRows(
      database.auth,
      sql`SELECT workspace_id AS "workspaceId", id FROM ${table}
        WHERE expires_at < now() ${condition} ORDER BY expires_at LIMIT ${limit}`,
    )
}

export const findExpiredProfiles = findExpired(sql`profiles`)

export const findExpiredMcpSessions = findExpired(sql`mcp_sessions`)

/** Prints of reports, and archives. */
export const findExpiredPrints = findExpired(
  sql`files`,
  sql`AND purpose IN ('print_bench_report', 'export_workspace')`,
)

/** The latest validation of each virtual user is not among them. */
export const findExpiredValidations = findExpired(
  sql`validations`,
  sql`AND EXISTS (SELECT FROM validations AS later
    WHERE later.workspace_id = validations.workspace_id
      AND later.virtual_user_id = validations.virtual_user_id
      AND (later.created_at, later.id) > (validations.created_at, validations.id))`,
)
