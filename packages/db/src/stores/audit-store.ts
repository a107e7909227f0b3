import type { AuditEvent, AuditStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { execute, nothing, queryRows, sql, startAfter } from '../sql.ts'
import { storableText } from '../storable.ts'

const flushEveryMs = 500
const flushAt = 500
/** More are not kept while the database does not take them. */
const mostWaiting = 20_000

const columns = sql`id, workspace_id AS "workspaceId", user_id AS "userId", via, client_id AS "clientId",
  client_name AS "clientName", operation, effect, target, outcome, status, duration_ms AS "durationMs",
  request_id AS "requestId", ip, at`

/** The audit log. `close` stores what is still waiting. */
export function auditStore(database: Database): AuditStore & { close(): Promise<void> } {
  let waiting: AuditEvent[] = []
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const events = waiting
    waiting = []
    try {
      await insert(database, events)
    } catch (err) {
      const kept = [...events, ...waiting].slice(-mostWaiting)
      const lost = events.length + waiting.length - kept.length
      waiting = kept
      database.log.error({ err }, `audit events could not be stored; ${lost} lost, the rest is tried again`)
      flushSoon()
    }
  }

  // One after the other, so that a slow database is not asked twice.
  function flushNow(): Promise<void> {
    flushing = flushing.then(flush)
    return flushing
  }

  function flushSoon(): void {
    timer ??= setTimeout(() => void flushNow(), flushEveryMs).unref()
  }

  return {
    async record(event) {
      if (event.effect !== 'read') {
        await insert(database, [event])
        return
      }
      waiting.push(event)
      if (waiting.length === flushAt) void flushNow()
      else flushSoon()
    },

    search: (caller, workspaceId, page, filter) =>
      database.asCallerSql(caller, (client) =>
        queryRows<AuditEvent>(
          client,
          sql`SELECT ${columns} FROM audit_events WHERE workspace_id = ${workspaceId}
            ${filter.operation === undefined ? nothing : sql`AND operation = ${filter.operation}`}
            ${filter.userId === undefined ? nothing : sql`AND user_id = ${filter.userId}`}
            ${filter.clientId === undefined ? nothing : sql`AND client_id = ${filter.clientId}`}
            ${filter.outcome === undefined ? nothing : sql`AND outcome = ${filter.outcome}`}
            ${filter.since === undefined ? nothing : sql`AND at >= ${filter.since}`}
            ${filter.until === undefined ? nothing : sql`AND at < ${filter.until}`}
            ${startAfter(page.after, sql`at, id`)}
            ORDER BY at DESC, id DESC LIMIT ${page.limit + 1}`,
        ),
      ),

    async close() {
      await flushNow()
      clearTimeout(timer)
    },
  }
}

async function insert(database: Database, events: AuditEvent[]): Promise<void> {
  if (events.length === 0) return
  const workspaceIds = new Set(events.flatMap(({ workspaceId }) => workspaceId ?? []))
  const scope = {
    userId: '',
    readWorkspaceIds: [...workspaceIds],
    writeWorkspaceIds: [],
    adminWorkspaceIds: [],
    isReadOnly: false,
  }
  const column = (field: Exclude<keyof AuditEvent, 'at' | 'status' | 'durationMs'>) =>
    events.map((event) => {
      const value = event[field]
      return value === null ? null : storableText(value)
    })
  await database.inScope(scope, (client) =>
    execute(
      client,
      sql`INSERT INTO audit_events (id, workspace_id, user_id, via, client_id, client_name, operation, effect, target,
          outcome, status, duration_ms, request_id, ip, at)
        SELECT * FROM unnest(
          ${column('id')}::text[], ${column('workspaceId')}::text[], ${column('userId')}::text[],
          ${column('via')}::text[], ${column('clientId')}::text[], ${column('clientName')}::text[],
          ${column('operation')}::text[], ${column('effect')}::text[], ${column('target')}::text[],
          ${column('outcome')}::text[], ${events.map((event) => event.status)}::int[],
          ${events.map((event) => event.durationMs)}::double precision[], ${column('requestId')}::text[],
          ${column('ip')}::text[], ${events.map((event) => event.at)}::timestamptz[]
        )`,
    ),
  )
}
