import type { Recording, RecordingStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { queryRows, sql } from '../sql.ts'

export function recordingStore(database: Database): RecordingStore {
  return {
    find: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [recording] = await queryRows<Recording>(
          client,
          sql`SELECT recordings.id, recordings.workspace_id AS "workspaceId", recordings.project_id AS "projectId",
              files.storage_key AS "storageKey", files.size_bytes AS "sizeBytes",
              recordings.exchange_count AS "exchangeCount", recordings.index, recordings.created_at AS "createdAt"
            FROM recordings JOIN files
              ON files.workspace_id = recordings.workspace_id AND files.id = recordings.file_id
            WHERE recordings.id = ${id}`,
        )
        return recording
      }),
  }
}
