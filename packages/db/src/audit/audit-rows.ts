import type { ClientBase } from 'pg'
import type { ChainLink, StoredAuditEvent } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { execute, sql } from '../sql.ts'
import type { ChainHead, LinkedEvent } from './audit-chain.ts'

/** One event with the names of its columns as we call them. */
type AuditRow = Omit<StoredAuditEvent, 'link'> & { [K in keyof ChainLink]: ChainLink[K] | null }

export type { AuditRow }

export const auditColumns = sql`id, workspace_id AS "workspaceId", user_id AS "userId", via, client_id AS "clientId",
  client_name AS "clientName", operation, effect, target, arguments_digest AS "argumentsDigest", decision, outcome,
  status, duration_ms AS "durationMs", answer_bytes AS "answerBytes", request_id AS "requestId",
  trace_id AS "traceId", ip, user_agent AS "userAgent", at, writer_id AS "writerId", sequence, previous_hash AS "previousHash", hash`

export function eventOfRow({ writerId, sequence, previousHash, hash, ...event }: AuditRow): StoredAuditEvent {
  const isLinked = writerId !== null && sequence !== null && previousHash !== null && hash !== null
  return { ...event, link: isLinked ? { writerId, sequence, previousHash, hash } : null }
}

/** Who writes: calls of operations are recorded by `flamegate_app`, what is none by `flamegate_auth`. */
export type AuditRole = 'app' | 'auth'

/** Stores events in one statement: all of them, or none. */
export async function insertEvents(
  database: Database,
  role: AuditRole,
  events: readonly LinkedEvent[],
): Promise<void> {
  const workspaceIds = new Set(events.flatMap(({ workspaceId }) => workspaceId ?? []))
  await inScopeOf([...workspaceIds], database, role, (client) =>
    execute(
      client,
      sql`INSERT INTO audit_events (id, workspace_id, user_id, via, client_id, client_name, operation, effect, target,
          arguments_digest, decision, outcome, status, duration_ms, answer_bytes, request_id, trace_id, ip,
          user_agent, at, writer_id, sequence, previous_hash, hash)
        SELECT * FROM unnest(
          ${events.map(({ id }) => id)}::text[], ${events.map(({ workspaceId }) => workspaceId)}::text[],
          ${events.map(({ userId }) => userId)}::text[], ${events.map(({ via }) => via)}::text[],
          ${events.map(({ clientId }) => clientId)}::text[], ${events.map(({ clientName }) => clientName)}::text[],
          ${events.map(({ operation }) => operation)}::text[], ${events.map(({ effect }) => effect)}::text[],
          ${events.map(({ target }) => target)}::text[],
          ${events.map(({ argumentsDigest }) => argumentsDigest)}::text[],
          ${events.map(({ decision }) => decision)}::text[], ${events.map(({ outcome }) => outcome)}::text[],
          ${events.map(({ status }) => status)}::int[],
          ${events.map(({ durationMs }) => durationMs)}::double precision[],
          ${events.map(({ answerBytes }) => answerBytes)}::int[],
          ${events.map(({ requestId }) => requestId)}::text[], ${events.map(({ traceId }) => traceId)}::text[],
          ${events.map(({ ip }) => ip)}::text[], ${events.map(({ userAgent }) => userAgent)}::text[],
          ${events.map(({ at }) => at)}::timestamptz[],
          ${events.map(({ link }) => link.writerId)}::text[], ${events.map(({ link }) => link.sequence)}::bigint[],
          ${events.map(({ link }) => link.previousHash)}::text[], ${events.map(({ link }) => link.hash)}::text[]
        )`,
    ),
  )
}

export async function insertAnchor(
  database: Database,
  role: AuditRole,
  head: ChainHead,
  isLast: boolean,
): Promise<void> {
  await inScopeOf([], database, role, (client) =>
    execute(
      client,
      sql`INSERT INTO audit_anchors (writer_id, sequence, hash, is_last)
        VALUES (${head.writerId}, ${head.sequence}, ${head.hash}, ${isLast})`,
    ),
  )
}

function inScopeOf(
  workspaceIds: string[],
  database: Database,
  role: AuditRole,
  work: (client: ClientBase) => Promise<unknown>,
): Promise<unknown> {
  if (role === 'auth') return database.asAuth(work)
  return database.inScope(
    {
      userId: '',
      readWorkspaceIds: workspaceIds,
      writeWorkspaceIds: [],
      adminWorkspaceIds: [],
      isReadOnly: false,
    },
    work,
  )
}
