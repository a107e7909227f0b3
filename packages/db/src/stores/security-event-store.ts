import type { SecurityEventStore } from '@flamegate/operations/ports'
import { auditColumns, eventOfRow, type AuditRow } from '../audit/audit-rows.ts'
import type { Database } from '../database.ts'
import { nothing, queryRows, sql, startAfter } from '../sql.ts'

/** As `flamegate_auth`, who sees of the audit log what is no operation or belongs to no workspace. */
export function securityEventStore(database: Database): SecurityEventStore {
  return {
    async search(user, page, filter) {
      const rows = await queryRows<AuditRow & { userEmail: string | null }>(
        database.auth,
        sql`SELECT ${auditColumns},
            (SELECT users.email FROM users WHERE users.id = audit_events.user_id) AS "userEmail"
          FROM audit_events WHERE (effect = 'security' OR (workspace_id IS NULL AND effect <> 'read'))
          ${user === undefined ? nothing : sql`AND user_id = (SELECT coalesce((SELECT users.id FROM users WHERE users.email = lower(${user})), ${user}))`}
          ${filter.operation === undefined ? nothing : sql`AND operation = ${filter.operation}`}
          ${filter.outcome === undefined ? nothing : sql`AND outcome = ${filter.outcome}`}
          ${filter.since === undefined ? nothing : sql`AND at >= ${filter.since}`}
          ${filter.until === undefined ? nothing : sql`AND at < ${filter.until}`}
          ${startAfter(page.after, sql`at, id`)}
          ORDER BY at DESC, id DESC LIMIT ${page.limit + 1}`,
      )
      return rows.map(({ userEmail, ...row }) => ({ ...eventOfRow(row), userEmail }))
    },
  }
}
