import type { Caller } from '@flamegate/contract'
import type {
  DesignChange,
  DesignEntry,
  DesignFilter,
  DesignObject,
  DesignStore,
  DesignUpdate,
  DesignVersion,
  NewDesignObject,
} from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { containing, execute, nothing, queryRows, sql, startAfter, type Sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'

const entryColumns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId", kind, name, summary, version,
  source, sealed_secret IS NOT NULL AS "hasSecret", created_by AS "createdBy", created_at AS "createdAt",
  updated_at AS "updatedAt", deleted_at AS "deletedAt"`
const objectColumns = sql`${entryColumns}, document`

// The e-mail is seen of people who are still in the workspace.
const versionColumns = sql`version, label, change, author_id AS "authorId",
  (SELECT email FROM users WHERE users.id = author_id) AS "authorEmail", author_client AS "authorClient",
  created_at AS "createdAt"`

export function designStore(database: Database): DesignStore {
  return {
    list: (caller, projectId, page, filter) =>
      database.asCallerSql(caller, (client) =>
        queryRows<DesignEntry>(
          client,
          sql`SELECT ${entryColumns} FROM design_objects WHERE project_id = ${projectId} ${fitting(filter)}
            ${startAfter(page.after, sql`created_at, id`)}
            ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1}`,
        ),
      ),

    listDocuments: (caller, projectId, kind) =>
      database.asCallerSql(caller, (client) =>
        queryRows<DesignObject>(
          client,
          sql`SELECT ${objectColumns} FROM design_objects
            WHERE project_id = ${projectId} AND kind = ${kind} AND deleted_at IS NULL ORDER BY name, id`,
        ),
      ),

    listNames: (caller, projectId, kind) =>
      database.asCallerSql(caller, async (client) => {
        const rows = await queryRows<{ name: string }>(
          client,
          sql`SELECT name FROM design_objects
            WHERE project_id = ${projectId} AND kind = ${kind} AND deleted_at IS NULL`,
        )
        return new Set(rows.map(({ name }) => name))
      }),

    find: (caller, id, { evenDeleted = false } = {}) =>
      database.asCallerSql(caller, async (client) => {
        const object = await findObject(client, id)
        return object?.deletedAt === null || evenDeleted ? object : undefined
      }),

    findNamed: (caller, projectId, kind, name) =>
      database.asCallerSql(caller, async (client) => {
        const [object] = await queryRows<DesignObject>(
          client,
          sql`SELECT ${objectColumns} FROM design_objects
            WHERE project_id = ${projectId} AND kind = ${kind} AND name = ${name} AND deleted_at IS NULL`,
        )
        return object
      }),

    create: (caller, place, object, change) =>
      database.asCallerSql(caller, async (client) => {
        await insertObjects(client, caller, place, [object], change)
        const created = await findObject(client, object.id)
        if (created === undefined) throw new TypeError(`${object.id} was stored, and is not there`)
        return created
      }),

    createMany: (caller, place, objects, change) =>
      database.asCallerSql(caller, (client) => insertObjects(client, caller, place, objects, change)),

    change: (caller, id, update, expectedVersion, change) =>
      database.asCallerSql(caller, async (client) => {
        const seen = await findObject(client, id)
        if (seen === undefined) return undefined
        mustWrite(caller, seen.workspaceId)
        const before = await findObject(client, id, sql`FOR UPDATE`)
        if (before === undefined || before.deletedAt !== null) return undefined
        if (before.version !== expectedVersion) return { state: 'stale', object: before }
        const after = await updateObject(client, before, update)
        await insertVersion(client, caller, after, change)
        return { state: 'changed', object: after }
      }),

    remove: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const object = await findObject(client, id)
        if (object === undefined) return false
        mustWrite(caller, object.workspaceId)
        const removed = await execute(
          client,
          sql`UPDATE design_objects SET deleted_at = now()
            WHERE workspace_id = ${object.workspaceId} AND id = ${id} AND deleted_at IS NULL`,
        )
        return removed > 0
      }),

    restore: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const object = await findObject(client, id)
        if (object === undefined) return undefined
        mustWrite(caller, object.workspaceId)
        await execute(
          client,
          sql`UPDATE design_objects SET deleted_at = NULL
            WHERE workspace_id = ${object.workspaceId} AND id = ${id}`,
        )
        return findObject(client, id)
      }),

    listVersions: (caller, id, { limit, before }) =>
      database.asCallerSql(caller, (client) =>
        queryRows<DesignVersion>(
          client,
          sql`SELECT ${versionColumns} FROM design_versions WHERE object_id = ${id}
            ${before === undefined ? nothing : sql`AND version < ${before}`}
            ORDER BY version DESC LIMIT ${limit + 1}`,
        ),
      ),

    findVersion: (caller, id, version) =>
      database.asCallerSql(caller, async (client) => {
        const [found] = await queryRows<DesignVersion & Pick<DesignObject, 'document'>>(
          client,
          sql`SELECT ${versionColumns}, document FROM design_versions
            WHERE object_id = ${id} AND version = ${version}`,
        )
        return found
      }),

    findMentions: (caller, projectId, texts) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Awaited<ReturnType<DesignStore['findMentions']>>[number]>(
          client,
          // As JSON writes them, so that quotes and backslashes in them are found too.
          sql`WITH asked AS (
              SELECT text, substr(to_json(text)::text, 2, length(to_json(text)::text) - 2) AS written
              FROM unnest(${[...texts]}::text[]) AS text
            )
            SELECT asked.text, id, kind, name
            FROM (SELECT id, kind, name, document::text AS content FROM design_objects
              WHERE project_id = ${projectId} AND deleted_at IS NULL) AS object
            JOIN asked ON strpos(object.content, asked.written) > 0
            ORDER BY asked.text, name, id`,
        ),
      ),

    readSecrets: (caller, projectId) =>
      database.asCallerSql(caller, async (client) => {
        const rows = await queryRows<{ name: string; sealedSecret: string }>(
          client,
          sql`SELECT name, sealed_secret AS "sealedSecret" FROM design_objects
            WHERE project_id = ${projectId} AND kind = 'variable' AND deleted_at IS NULL
              AND sealed_secret IS NOT NULL`,
        )
        return new Map(rows.map(({ name, sealedSecret }) => [name, sealedSecret]))
      }),
  }
}

function fitting({ kind, search, tag, areDeleted = false }: DesignFilter): Sql {
  return sql`AND kind = ${kind} AND (deleted_at IS NOT NULL) = ${areDeleted}
    ${search === undefined ? nothing : sql`AND name ILIKE ${containing(search)}`}
    ${tag === undefined ? nothing : sql`AND summary -> 'tags' ? ${tag}`}`
}

async function findObject(
  client: ClientBase,
  id: string,
  lock: Sql = nothing,
): Promise<DesignObject | undefined> {
  const [object] = await queryRows<DesignObject>(
    client,
    sql`SELECT ${objectColumns} FROM design_objects WHERE id = ${id} ${lock}`,
  )
  return object
}

/** Also what imports store is written by this, beside their files and reports. */
export async function insertObjects(
  client: ClientBase,
  caller: Caller,
  { workspaceId, projectId }: { workspaceId: string; projectId: string },
  objects: readonly NewDesignObject[],
  change: DesignChange,
): Promise<void> {
  mustWrite(caller, workspaceId)
  const createdBy = change.author?.userId ?? caller.principal.userId
  for (const { id, kind, name, document, summary, source = null, sealedSecret = null } of objects) {
    // oxlint-disable-next-line no-await-in-loop -- one connection does one thing at a time
    await execute(
      client,
      sql`INSERT INTO design_objects
          (workspace_id, id, project_id, kind, name, document, summary, source, sealed_secret, created_by)
        VALUES (${workspaceId}, ${id}, ${projectId}, ${kind}, ${storableText(name)}, ${storableJson(document)}::jsonb,
          ${storableJson(summary)}::jsonb, ${source && storableJson(source)}::jsonb, ${sealedSecret}, ${createdBy})`,
    )
    // oxlint-disable-next-line no-await-in-loop -- the same
    await insertVersion(client, caller, { workspaceId, projectId, id, version: 1 }, change)
  }
}

async function updateObject(
  client: ClientBase,
  { workspaceId, id }: DesignObject,
  { document, name, summary, sealedSecret }: DesignUpdate,
): Promise<DesignObject> {
  const [after] = await queryRows<DesignObject>(
    client,
    sql`UPDATE design_objects SET document = ${storableJson(document)}::jsonb,
        ${name === undefined ? nothing : sql`name = ${storableText(name)},`}
        ${summary === undefined ? nothing : sql`summary = ${storableJson(summary)}::jsonb,`}
        ${sealedSecret === undefined ? nothing : sql`sealed_secret = ${sealedSecret},`}
        version = version + 1, updated_at = now()
      WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING ${objectColumns}`,
  )
  if (after === undefined) throw new TypeError(`${id} was locked, and is not there`)
  return after
}

/** Keeps the object as it is now. */
async function insertVersion(
  client: ClientBase,
  caller: Caller,
  { workspaceId, projectId, id, version }: Pick<DesignObject, 'workspaceId' | 'projectId' | 'id' | 'version'>,
  { label, words, author }: DesignChange,
): Promise<void> {
  const { userId, clientName } = author ?? caller.principal
  await execute(
    client,
    sql`INSERT INTO design_versions
        (workspace_id, object_id, version, project_id, document, label, change, author_id, author_client)
      SELECT workspace_id, id, ${version}, ${projectId}, document, ${label === undefined ? null : storableText(label)},
        ${storableText(words)}, ${userId}, ${storableText(clientName)}
      FROM design_objects WHERE workspace_id = ${workspaceId} AND id = ${id}`,
  )
}
