import type { AuditStore } from '@flamegate/operations/ports'
import { auditColumns, eventOfRow, type AuditRow } from '../audit/audit-rows.ts'
import { auditWriter } from '../audit/audit-writer.ts'
import type { Database } from '../database.ts'
import { containing, nothing, queryRows, sql, startAfter } from '../sql.ts'

/** The audit log. `close` stores what is still waiting. */
export function auditStore(database: Database): AuditStore & { close(): Promise<void> } {
  return {
    ...auditWriter(database),

    search: (caller, workspaceId, page, filter) =>
      database.asCallerSql(caller, async (client) => {
        const rows = await queryRows<AuditRow>(
          client,
          sql`SELECT ${auditColumns} FROM audit_events WHERE workspace_id = ${workspaceId}
            ${filter.operation === undefined ? nothing : sql`AND operation = ${filter.operation}`}
            ${filter.userId === undefined ? nothing : sql`AND user_id = ${filter.userId}`}
            ${filter.clientId === undefined ? nothing : sql`AND client_id = ${filter.clientId}`}
            ${filter.decision === undefined ? nothing : sql`AND decision = ${filter.decision}`}
            ${filter.outcome === undefined ? nothing : sql`AND outcome = ${filter.outcome}`}
            ${filter.target === undefined ? nothing : sql`AND target LIKE ${containing(filter.target)}`}
            ${filter.since === undefined ? nothing : sql`AND at >= ${filter.since}`}
            ${filter.until === undefined ? nothing : sql`AND at < ${filter.until}`}
            ${startAfter(page.after, sql`at, id`)}
            ORDER BY at DESC, id DESC LIMIT ${page.limit + 1}`,
        )
        return rows.map(eventOfRow)
      }),
  }
}
