import type { Validation, ValidationStore, WholeValidation } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql, startAfter, type Sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'

const columns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId", virtual_user_id AS "virtualUserId",
  version, state, iterations, passed, failed, skipped, message, task_id AS "taskId", created_by AS "createdBy",
  created_at AS "createdAt", started_at AS "startedAt", finished_at AS "finishedAt",
  expires_at AS "expiresAt"`
const wholeColumns = sql`${columns}, results, file_id AS "fileId", index`

const isOpen = sql`state IN ('PENDING', 'RUNNING')`

export function validationStore(database: Database): ValidationStore {
  return {
    create: (caller, validation) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, validation.workspaceId)
        const [created] = await queryRows<Validation>(
          client,
          sql`INSERT INTO validations
              (workspace_id, id, project_id, virtual_user_id, version, iterations, message, task_id, created_by, expires_at)
            VALUES (${validation.workspaceId}, ${validation.id}, ${validation.projectId}, ${validation.virtualUserId},
              ${validation.version}, ${validation.iterations}, 'Waiting for a worker.', ${validation.taskId},
              ${caller.principal.userId}, ${validation.expiresAt})
            RETURNING ${columns}`,
        )
        if (created === undefined) throw new TypeError('The validation was stored, and is not there')
        return created
      }),

    find: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [found] = await queryRows<WholeValidation>(
          client,
          sql`SELECT ${wholeColumns} FROM validations WHERE id = ${id}`,
        )
        return found
      }),

    findLatest: (caller, virtualUserId) =>
      database.asCallerSql(caller, async (client) => {
        const [found] = await queryRows<WholeValidation>(
          client,
          sql`SELECT ${wholeColumns} FROM validations WHERE virtual_user_id = ${virtualUserId}
            ORDER BY created_at DESC, id DESC LIMIT 1`,
        )
        return found
      }),

    listLatest: (caller, virtualUserIds) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Validation>(
          client,
          sql`SELECT DISTINCT ON (virtual_user_id) ${columns} FROM validations
            WHERE virtual_user_id = ANY (${[...virtualUserIds]}::text[])
            ORDER BY virtual_user_id, created_at DESC, id DESC`,
        ),
      ),

    list: (caller, virtualUserId, page) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Validation>(
          client,
          sql`SELECT ${columns} FROM validations WHERE virtual_user_id = ${virtualUserId}
            ${startAfter(page.after, sql`created_at, id`)}
            ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1}`,
        ),
      ),

    listWhole: (caller, virtualUserId, limit) =>
      database.asCallerSql(caller, (client) =>
        queryRows<WholeValidation>(
          client,
          sql`SELECT ${wholeColumns} FROM validations
            WHERE virtual_user_id = ${virtualUserId} AND file_id IS NOT NULL
            ORDER BY created_at DESC, id DESC LIMIT ${limit}`,
        ),
      ),

    progress: (caller, id, { passed, failed, skipped, message, results }) =>
      database.asCallerSql(caller, async (client) => {
        await execute(
          client,
          sql`UPDATE validations SET state = 'RUNNING', started_at = coalesce(started_at, now()), passed = ${passed},
              failed = ${failed}, skipped = ${skipped}, message = ${storableText(message)},
              results = ${storableJson(results)}::jsonb
            WHERE id = ${id} AND ${isOpen}`,
        )
      }),

    finish: (caller, id, { state, passed, failed, skipped, message, results, fileId, index }) =>
      database.asCallerSql(caller, async (client) => {
        await execute(
          client,
          sql`UPDATE validations SET state = ${state}, started_at = coalesce(started_at, now()), finished_at = now(),
              passed = ${passed}, failed = ${failed}, skipped = ${skipped}, message = ${storableText(message)},
              results = ${storableJson(results)}::jsonb, file_id = ${fileId},
              index = ${index === null ? null : storableJson(index)}::jsonb
            WHERE id = ${id} AND ${isOpen}`,
        )
      }),

    giveUp: (caller, id, { state, message }) =>
      database.asCallerSql(caller, async (client) => {
        await execute(
          client,
          sql`UPDATE validations SET state = ${state}, message = ${storableText(message)}, finished_at = now(),
              started_at = coalesce(started_at, now())
            WHERE id = ${id} AND ${isOpen}`,
        )
      }),

    listFiles: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const found = await findPlace(client, id)
        if (found === undefined) return []
        return queryRows<{ id: string; storageKey: string }>(
          client,
          sql`SELECT id, storage_key AS "storageKey" FROM files WHERE ${isFileOf(found, id)} ORDER BY id`,
        )
      }),

    removeFiles: (caller, id, fileIds) =>
      database.asCallerSql(caller, async (client) => {
        const found = await findPlace(client, id)
        if (found === undefined) return
        mustWrite(caller, found.workspaceId)
        await execute(
          client,
          sql`DELETE FROM files WHERE ${isFileOf(found, id)} AND id = ANY (${[...fileIds]}::text[])`,
        )
      }),

    remove: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const found = await findPlace(client, id)
        if (found === undefined) return false
        const { workspaceId } = found
        mustWrite(caller, workspaceId)
        const removed = await execute(
          client,
          sql`DELETE FROM validations WHERE workspace_id = ${workspaceId} AND id = ${id}`,
        )
        // After it: a validation goes with the file that it names.
        await execute(client, sql`DELETE FROM files WHERE ${isFileOf(found, id)}`)
        return removed > 0
      }),
  }
}

async function findPlace(client: ClientBase, id: string): Promise<{ workspaceId: string } | undefined> {
  const [found] = await queryRows<{ workspaceId: string }>(
    client,
    sql`SELECT workspace_id AS "workspaceId" FROM validations WHERE id = ${id}`,
  )
  return found
}

/** Names of its files begin with its id and a slash; the character after that is a zero. */
function isFileOf({ workspaceId }: { workspaceId: string }, id: string): Sql {
  return sql`workspace_id = ${workspaceId} AND purpose = 'keep_validation' AND name >= ${`${id}/`} AND name < ${`${id}0`}`
}
