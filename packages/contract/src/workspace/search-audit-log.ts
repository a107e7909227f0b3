import { z } from 'zod'
import { timestamp, workspaceId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { auditEventShape } from './shapes.ts'

export const searchAuditLog = defineOperation({
  id: 'search_audit_log',
  title: 'Search the audit log',
  description: 'Who did what in a workspace, through which client, when and with what outcome. For admins.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['admin'],
  http: { method: 'GET', path: '/v1/workspaces/{workspace_id}/audit-events' },
  input: z.strictObject({
    workspace_id: workspaceId,
    operation: z.string().max(40).optional().describe('Only this operation, such as compare_runs.'),
    user_id: z.string().max(64).optional().describe('Only what this person did.'),
    client_id: z.string().max(300).optional().describe('Only what came through this client.'),
    outcome: z.string().max(60).optional().describe('Only this outcome: ok, or the code of a problem.'),
    since: timestamp.optional().describe('Not before this time.'),
    until: timestamp.optional().describe('Not after this time.'),
    ...pageInput,
  }),
  output: z.object({ workspace_id: z.string(), events: z.array(auditEventShape), ...pageOutput }),
  problems: ['workspace_not_found', 'cursor_invalid', 'insufficient_role'],
  examples: [
    {
      title: 'Nothing yet',
      input: { workspace_id: 'ws_01' },
      output: { workspace_id: 'ws_01', events: [], next_cursor: null },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/audit`,
  markdown: ({ events, next_cursor }) =>
    table(
      ['When', 'Who', 'Client', 'Operation', 'Target', 'Outcome', { title: 'ms', right: true }],
      events.map((event) => [
        event.at,
        event.user_email ?? event.user_id,
        event.client_name,
        event.operation,
        event.target,
        event.outcome,
        Math.round(event.duration_ms),
      ]),
      'Nothing was recorded that fits.',
    ) + moreLine(next_cursor),
})
