import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

/** Sessions of MCP servers of all workspaces that are past their time, those that have been for longest first. */
export function findExpiredMcpSessions(
  database: Database,
  { limit }: { limit: number },
): Promise<{ workspaceId: string; id: string }[]> {
  return queryRows(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id FROM mcp_sessions WHERE expires_at < now()
      ORDER BY expires_at LIMIT ${limit}`,
  )
}
