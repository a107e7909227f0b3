import { newId } from '@flamegate/contract'
import { NotRecorded, type SecurityLog } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { auditWriter, type AuditWriterOptions } from './audit-writer.ts'

/** Records what is no operation, in a chain of its own beside that of the operations. */
export function securityLog(
  database: Database,
  options: Omit<AuditWriterOptions, 'role'> = {},
): SecurityLog & { close(): Promise<void> } {
  const writer = auditWriter(database, { ...options, role: 'auth' })
  return {
    async record(event) {
      // Refusals wait for room without anybody waiting for them: there must be an end to it.
      if (writer.isFull()) throw new NotRecorded()
      await writer.record({
        id: newId('auditEvent'),
        workspaceId: event.workspaceId ?? null,
        userId: event.userId ?? '',
        via: event.via ?? (event.client === undefined ? 'session' : 'oauth'),
        clientId: event.client?.id ?? 'web',
        clientName: event.client?.name ?? 'Flamegate web',
        operation: event.action,
        effect: 'security',
        target: event.target ?? null,
        argumentsDigest: null,
        decision: event.status < 400 ? 'allowed' : 'refused',
        outcome: event.outcome,
        status: event.status,
        durationMs: 0,
        answerBytes: 0,
        requestId: event.requestId,
        traceId: null,
        ip: event.ip,
        userAgent: event.userAgent,
        at: new Date(),
      })
    },
    close: () => writer.close(),
  }
}
