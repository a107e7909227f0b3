import type { Caller } from '@flamegate/contract'
import type { CompletedImport, ImportStore, StoredFile, StoredImport } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'
import { insertObjects } from './design-store.ts'
import { placeProjectFile } from './project-file-store.ts'

export function importStore(database: Database): ImportStore {
  return {
    complete: (caller, completed) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, completed.workspaceId)
        // First, so that whoever comes second waits here, and then finds it done.
        if (!(await insertReport(client, completed))) return false
        const { workspaceId, objects, change, files, recording } = completed
        for (const file of files) {
          // oxlint-disable no-await-in-loop -- one connection does one thing at a time
          await insertFile(client, caller, completed, file, 'store_project_file')
          await placeProjectFile(client, workspaceId, file.id)
          // oxlint-enable no-await-in-loop
        }
        if (recording !== null) {
          await insertFile(client, caller, completed, recording.file, 'recording')
          await insertRecording(client, caller, completed, recording)
        }
        await insertObjects(client, caller, completed, objects, change)
        return true
      }),

    find: (caller, taskId) =>
      database.asCallerSql(caller, async (client) => {
        const [found] = await queryRows<StoredImport>(
          client,
          sql`SELECT task_id AS "taskId", project_id AS "projectId", workspace_id AS "workspaceId",
              file_name AS "fileName", report, result, created_at AS "createdAt"
            FROM import_reports WHERE task_id = ${taskId}`,
        )
        return found
      }),
  }
}

async function insertReport(
  client: ClientBase,
  { workspaceId, projectId, taskId, fileName, report, result }: CompletedImport,
): Promise<boolean> {
  const inserted = await execute(
    client,
    sql`INSERT INTO import_reports (workspace_id, task_id, project_id, file_name, report, result)
      VALUES (${workspaceId}, ${taskId}, ${projectId}, ${storableText(fileName)}, ${storableJson(report)}::jsonb,
        ${storableJson(result)}::jsonb)
      ON CONFLICT DO NOTHING`,
  )
  return inserted === 1
}

async function insertFile(
  client: ClientBase,
  caller: Caller,
  { workspaceId, projectId, change }: CompletedImport,
  { id, name, contentType, sizeBytes, sha256, storageKey }: StoredFile,
  purpose: string,
): Promise<void> {
  await execute(
    client,
    sql`INSERT INTO files
        (workspace_id, id, project_id, purpose, name, content_type, size_bytes, sha256, storage_key, status, created_by)
      VALUES (${workspaceId}, ${id}, ${projectId}, ${purpose}, ${storableText(name)}, ${storableText(contentType)},
        ${sizeBytes}, ${sha256}, ${storageKey}, 'READY', ${change.author?.userId ?? caller.principal.userId})`,
  )
}

async function insertRecording(
  client: ClientBase,
  caller: Caller,
  { workspaceId, projectId, change }: CompletedImport,
  { id, file, exchangeCount, index }: NonNullable<CompletedImport['recording']>,
): Promise<void> {
  await execute(
    client,
    sql`INSERT INTO recordings (workspace_id, id, project_id, file_id, exchange_count, index, created_by)
      VALUES (${workspaceId}, ${id}, ${projectId}, ${file.id}, ${exchangeCount}, ${Buffer.from(index)},
        ${change.author?.userId ?? caller.principal.userId})`,
  )
}
