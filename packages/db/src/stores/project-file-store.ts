import type { FileRecord, ProjectFileStore, ProjectFileVersion } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { fileColumns } from './file-store.ts'

const purpose = 'store_project_file'

export function projectFileStore(database: Database): ProjectFileStore {
  return {
    listVersions: (caller, projectId, limit) =>
      database.asCallerSql(caller, (client) =>
        queryRows<ProjectFileVersion>(
          client,
          sql`SELECT ${fileColumns}, EXISTS (SELECT FROM project_files
                WHERE project_files.workspace_id = files.workspace_id AND file_id = files.id) AS "isCurrent"
            FROM files WHERE project_id = ${projectId} AND purpose = ${purpose} AND status = 'READY'
            ORDER BY name COLLATE "C", created_at DESC, id DESC LIMIT ${limit}`,
        ),
      ),

    find: (caller, projectId, path) =>
      database.asCallerSql(caller, async (client) => {
        const [file] = await queryRows<FileRecord>(
          client,
          sql`SELECT ${fileColumns} FROM files WHERE id =
            (SELECT file_id FROM project_files WHERE project_id = ${projectId} AND path = ${path})`,
        )
        return file
      }),

    place: (caller, fileId) =>
      database.asCallerSql(caller, async (client) => {
        const [file] = await queryRows<Pick<FileRecord, 'workspaceId'>>(
          client,
          sql`SELECT workspace_id AS "workspaceId" FROM files WHERE id = ${fileId} AND purpose = ${purpose}`,
        )
        if (!file) return false
        mustWrite(caller, file.workspaceId)
        return (await placeProjectFile(client, file.workspaceId, fileId)) > 0
      }),

    remove: (caller, { workspaceId, projectId }, path) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        const removed = await execute(
          client,
          sql`DELETE FROM project_files
            WHERE workspace_id = ${workspaceId} AND project_id = ${projectId} AND path = ${path}`,
        )
        return removed > 0
      }),
  }
}

/** The same within a transaction that stores more than this. Tells how many paths changed: one, or none. */
export function placeProjectFile(client: ClientBase, workspaceId: string, fileId: string): Promise<number> {
  return execute(
    client,
    sql`INSERT INTO project_files (workspace_id, project_id, path, file_id)
      SELECT workspace_id, project_id, name, id FROM files
      WHERE workspace_id = ${workspaceId} AND id = ${fileId} AND purpose = ${purpose} AND status = 'READY'
        AND project_id IS NOT NULL
      ON CONFLICT (workspace_id, project_id, path) DO UPDATE SET file_id = EXCLUDED.file_id`,
  )
}
