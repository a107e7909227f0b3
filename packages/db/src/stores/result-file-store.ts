import { newId } from '@flamegate/contract'
import { resultFilePurposes, type FileRecord, type ResultFileStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { storableJson } from '../storable.ts'
import { fileColumns } from './file-store.ts'

/** Of one shard; what comes after is not kept. */
const logLinesMax = 2000

export function resultFileStore(database: Database): ResultFileStore {
  return {
    plan: (caller, run, files) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, run.workspaceId)
        for (const { name, purpose, contentType, sizeBytes } of files) {
          const id = newId('file')
          // oxlint-disable-next-line no-await-in-loop -- one transaction has one connection
          await execute(
            client,
            sql`INSERT INTO files (workspace_id, id, project_id, bench_result_id, purpose, name, content_type,
                size_bytes, storage_key, created_by)
              VALUES (${run.workspaceId}, ${id}, ${run.projectId}, ${run.id}, ${purpose}, ${name}, ${contentType},
                ${sizeBytes}, ${`${run.workspaceId}/${id}`}, ${caller.principal.userId})
              ON CONFLICT (workspace_id, bench_result_id, name) DO NOTHING`,
          )
        }
        return queryRows<FileRecord>(
          client,
          sql`SELECT ${fileColumns} FROM files WHERE workspace_id = ${run.workspaceId}
            AND bench_result_id = ${run.id} AND name = ANY (${files.map(({ name }) => name)}::text[]) ORDER BY name`,
        )
      }),

    list: (caller, benchResultId) =>
      database.asCallerSql(caller, (client) =>
        queryRows<FileRecord>(
          client,
          sql`SELECT ${fileColumns} FROM files WHERE bench_result_id = ${benchResultId} ORDER BY name`,
        ),
      ),

    countBytes: (caller, workspaceId) =>
      database.asCallerSql(caller, async (client) => {
        const [counted] = await queryRows<{ bytes: number }>(
          client,
          sql`SELECT flamegate_file_bytes(${workspaceId}, ${[...resultFilePurposes]}::text[]) AS bytes`,
        )
        return counted?.bytes ?? 0
      }),

    addLogLines: (caller, shardId, { from, lines }) =>
      database.asCallerSql(caller, async (client) => {
        const [shard] = await queryRows<{ workspaceId: string; lineCount: number }>(
          client,
          sql`SELECT workspace_id AS "workspaceId", jsonb_array_length(log) AS "lineCount" FROM bench_shards
            WHERE id = ${shardId} FOR UPDATE`,
        )
        if (shard === undefined) return
        mustWrite(caller, shard.workspaceId)
        const { workspaceId, lineCount } = shard
        const added = lines.slice(Math.max(0, lineCount - from)).slice(0, logLinesMax - lineCount)
        if (added.length === 0) return
        await execute(
          client,
          sql`UPDATE bench_shards SET log = log || ${storableJson(added)}::jsonb
            WHERE workspace_id = ${workspaceId} AND id = ${shardId}`,
        )
      }),

    listLogs: (caller, benchResultId, linesMax) =>
      database.asCallerSql(caller, async (client) => {
        const logs = await queryRows<{ slot: number; log: string[] }>(
          client,
          sql`SELECT slot, log FROM bench_shards WHERE bench_result_id = ${benchResultId} ORDER BY slot`,
        )
        return logs.map(({ slot, log }) => ({
          slot,
          lines: log.slice(Math.max(0, log.length - linesMax)),
          lineCount: log.length,
        }))
      }),
  }
}
