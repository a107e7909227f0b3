import type { FileRecord, FileStore } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql, startAfter, type Sql } from '../sql.ts'

export const fileColumns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId", run_id AS "runId",
  bench_report_id AS "benchReportId", bench_result_id AS "benchResultId", purpose, name, content_type AS "contentType", size_bytes AS "sizeBytes", sha256, storage_key AS "storageKey", status,
  created_by AS "createdBy", created_at AS "createdAt", expires_at AS "expiresAt"`
const selectFiles = sql`SELECT ${fileColumns} FROM files`

export function fileStore(database: Database): FileStore {
  const find: FileStore['find'] = (caller, id) =>
    database.asCallerSql(caller, (client) => findFile(client, id))

  return {
    find,

    list: (caller, owner, page) =>
      database.asCallerSql(caller, (client) =>
        queryRows<FileRecord>(
          client,
          sql`${selectFiles} WHERE ${belongsTo(owner)} AND purpose <> 'request_log_piece'
            ${startAfter(page.after, sql`created_at, id`)}
            ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1}`,
        ),
      ),

    create: async (caller, file) => {
      await database.asCaller(caller, (transaction) =>
        transaction.file.create({ data: { ...file, createdBy: caller.principal.userId } }),
      )
      const created = await find(caller, file.id)
      if (!created) throw new Error(`File ${file.id} is gone`)
      return created
    },

    markReady: (caller, id, content) =>
      database.asCaller(caller, async (transaction) => {
        const found = await transaction.file.findFirst({ where: { id }, select: { workspaceId: true } })
        if (!found) return
        mustWrite(caller, found.workspaceId)
        await transaction.file.updateMany({
          where: { workspaceId: found.workspaceId, id },
          data: { expiresAt: null, ...content, status: 'READY' },
        })
      }),

    remove: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const found = await findFile(client, id)
        if (!found) return
        mustWrite(caller, found.workspaceId)
        await execute(client, sql`DELETE FROM files WHERE workspace_id = ${found.workspaceId} AND id = ${id}`)
      }),
  }
}

async function findFile(client: ClientBase, id: string): Promise<FileRecord | undefined> {
  const [file] = await queryRows<FileRecord>(client, sql`${selectFiles} WHERE id = ${id}`)
  return file
}

function belongsTo(owner: Parameters<FileStore['list']>[1]): Sql {
  if ('projectId' in owner) return sql`project_id = ${owner.projectId}`
  if ('runId' in owner) return sql`run_id = ${owner.runId}`
  if ('benchReportId' in owner) return sql`bench_report_id = ${owner.benchReportId}`
  if ('benchResultId' in owner)
    return sql`(bench_result_id = ${owner.benchResultId} OR bench_report_id IN (${reportsOf(owner.benchResultId)}))`
  return sql`id = (SELECT file_id FROM profiles WHERE profiles.id = ${owner.profileId})`
}

/** Reports that name a run, by its project, which is what they can be found by. */
function reportsOf(benchResultId: string): Sql {
  return sql`SELECT id FROM design_objects WHERE kind = 'bench_report'
    AND project_id = (SELECT project_id FROM bench_results WHERE id = ${benchResultId})
    AND document -> 'bench_result_ids' @> ${JSON.stringify([benchResultId])}::jsonb`
}
