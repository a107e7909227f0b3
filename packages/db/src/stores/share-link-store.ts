import type { ShareLink, ShareLinkStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { storableJson } from '../storable.ts'

// All but the hash, which operations may write and not read.
const columns = sql`id, workspace_id AS "workspaceId", project_id AS "projectId", profile_id AS "profileId",
  bench_report_id AS "benchReportId", view, is_public AS "isPublic", expires_at AS "expiresAt",
  created_by AS "createdBy", created_at AS "createdAt"`

const lasts = sql`expires_at > now()`

export function shareLinkStore(database: Database): ShareLinkStore {
  return {
    list: (caller, of) =>
      database.asCallerSql(caller, (client) =>
        queryRows<ShareLink>(
          client,
          sql`SELECT ${columns} FROM share_links
            WHERE ${'profileId' in of ? sql`profile_id = ${of.profileId}` : sql`bench_report_id = ${of.benchReportId}`}
              AND ${lasts}
            ORDER BY created_at DESC, id DESC`,
        ),
      ),

    find: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [link] = await queryRows<ShareLink>(
          client,
          sql`SELECT ${columns} FROM share_links WHERE id = ${id} AND ${lasts}`,
        )
        return link
      }),

    create: (caller, link) =>
      database.asCallerSql(caller, async (client) => {
        const { workspaceId, secretHash } = link
        mustWrite(caller, workspaceId)
        await execute(
          client,
          sql`DELETE FROM share_links WHERE workspace_id = ${workspaceId} AND expires_at <= now()`,
        )
        const [created] = await queryRows<ShareLink>(
          client,
          sql`INSERT INTO share_links
              (workspace_id, id, project_id, profile_id, bench_report_id, view, is_public, secret_hash, expires_at,
                created_by)
            VALUES (${workspaceId}, ${link.id}, ${link.projectId}, ${link.profileId}, ${link.benchReportId},
              ${storableJson(link.view)}::jsonb, ${secretHash !== null}, ${secretHash}, ${link.expiresAt},
              ${caller.principal.userId})
            RETURNING ${columns}`,
        )
        if (created === undefined) throw new TypeError('The link was stored, and is not there')
        return created
      }),

    remove: (caller, workspaceId, id) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        const removed = await queryRows(
          client,
          sql`DELETE FROM share_links WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id`,
        )
        return removed.length > 0
      }),

    findPublic: async (id, secretHash) => {
      const [link] = await queryRows<ShareLink>(
        database.auth,
        sql`SELECT ${columns} FROM share_links WHERE id = ${id} AND secret_hash = ${secretHash} AND ${lasts}`,
      )
      return link
    },
  }
}
