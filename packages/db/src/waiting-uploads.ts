import { importJobNames } from '@flamegate/operations/ports'
import type { Database } from './database.ts'
import { queryRows, sql } from './sql.ts'

/** Each is a question to the file storage. */
const uploadsMax = 100

/**
 * Tasks of all workspaces that wait for an upload, or for a worker since it came, for two minutes or longer; after two hours they are
 * among forgotten tasks, come what may. Of many it is others each time, the first of each workspace before the second of any,
 * so that uploads that never come keep nobody waiting.
 */
export function findWaitingUploads(database: Database): Promise<{ workspaceId: string; id: string }[]> {
  return queryRows(
    database.auth,
    sql`SELECT "workspaceId", id FROM (
        SELECT workspace_id AS "workspaceId", id,
          row_number() OVER (PARTITION BY workspace_id ORDER BY random()) AS place
        FROM tasks
        WHERE status = 'PENDING' AND kind = ANY (${[...importJobNames]}::text[])
          AND updated_at BETWEEN now() - interval '2 hours' AND now() - interval '2 minutes'
      ) AS waiting ORDER BY place, random() LIMIT ${uploadsMax}`,
  )
}
