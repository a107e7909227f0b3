import { operations } from '@flamegate/contract'
import { csvLine } from '../csv.ts'
import { implement } from '../implement.ts'
import { auditPage } from './audit-page.ts'

/** The names of the columns of CSV, and of the members of a line of NDJSON. */
const columns = [
  'id',
  'at',
  'user_id',
  'user_email',
  'via',
  'client_id',
  'client_name',
  'operation',
  'effect',
  'target',
  'arguments_digest',
  'decision',
  'outcome',
  'status',
  'duration_ms',
  'answer_bytes',
  'request_id',
  'trace_id',
  'ip',
  'writer_id',
  'sequence',
  'previous_hash',
  'hash',
] as const

type Line = Readonly<Record<(typeof columns)[number], string | number | null>>

export const exportAuditLog = implement(operations.exportAuditLog)(async (input, context) => {
  const { format, ...query } = input
  const { workspaceId, events, nextCursor } = await auditPage(context, 'audit export', query)
  const lines = events.map(({ link, ...event }): Line => ({
    ...event,
    writer_id: link?.writerId ?? null,
    sequence: link?.sequence ?? null,
    previous_hash: link?.previousHash ?? null,
    hash: link?.hash ?? null,
  }))
  const isFirst = input.cursor === undefined
  return {
    workspace_id: workspaceId,
    format,
    event_count: lines.length,
    content:
      format === 'ndjson'
        ? lines.map((line) => `${JSON.stringify(line)}\n`).join('')
        : [...(isFirst ? [columns] : []), ...lines.map((line) => columns.map((name) => line[name]))]
            .map(csvLine)
            .join(''),
    next_cursor: nextCursor,
  }
})
