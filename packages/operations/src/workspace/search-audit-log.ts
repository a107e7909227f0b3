import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { auditPage } from './audit-page.ts'

export const searchAuditLog = implement(operations.searchAuditLog)(async (input, context) => {
  const { workspaceId, events, nextCursor } = await auditPage(context, 'audit', input)
  return {
    workspace_id: workspaceId,
    events: events.map(({ ip: _ip, link: _link, ...event }) => event),
    next_cursor: nextCursor,
  }
})
