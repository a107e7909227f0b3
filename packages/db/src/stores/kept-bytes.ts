import type { ClientBase } from 'pg'
import { queryRows, sql } from '../sql.ts'

/** What counts against the plan of a workspace: that of all its projects, also for a caller who sees only one of them. */
export async function keptBytes(
  client: ClientBase,
  workspaceId: string,
  kind: 'results' | 'live_recordings' | 'mcp_reports',
): Promise<number> {
  const [kept] = await queryRows<{ bytes: number }>(
    client,
    sql`SELECT flamegate_kept_bytes(${workspaceId}, ${kind}) AS bytes`,
  )
  return kept?.bytes ?? 0
}
