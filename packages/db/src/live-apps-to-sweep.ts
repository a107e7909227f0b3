import type { Database } from './database.ts'
import { nothing, queryRows, sql } from './sql.ts'

/**
 * Live apps of all workspaces that may have something to be thinned or to be ended, and with `all` also those that were silent for
 * longer, of which something may be too old.
 */
export function findLiveAppsToSweep(
  database: Database,
  { all }: { all: boolean },
): Promise<{ workspaceId: string; id: string }[]> {
  return queryRows(
    database.auth,
    sql`SELECT workspace_id AS "workspaceId", id FROM live_apps
      WHERE (size_bytes > 0 OR ended_at IS NULL)
        ${all ? nothing : sql`AND (ended_at IS NULL OR last_push_at > now() - interval '75 minutes')`}
      ORDER BY last_push_at`,
  )
}
