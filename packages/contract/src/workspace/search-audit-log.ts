import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { auditEventShape, auditFilterInput } from './shapes.ts'

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
    ...auditFilterInput,
    ...pageInput,
  }),
  output: z.object({ workspace_id: z.string(), events: z.array(auditEventShape), ...pageOutput }),
  problems: ['workspace_not_found', 'cursor_invalid', 'insufficient_role'],
  examples: [
    {
      title: 'What was refused',
      input: { workspace_id: 'ws_01', decision: 'refused' },
      output: {
        workspace_id: 'ws_01',
        events: [
          {
            id: 'aud_01',
            at: '2026-11-20T10:00:00.000Z',
            user_id: 'usr_01',
            user_email: 'ada@example.com',
            via: 'oauth',
            client_id: 'https://claude.ai/oauth/client.json',
            client_name: 'Claude',
            operation: 'delete_project',
            effect: 'destroy',
            target: 'prj_01',
            arguments_digest: '5f0c1b7d2a9e4c6388d1f3b04e7a962c0d5b8e1f47a3c29600b1d8f2e6c4a7b9',
            decision: 'refused',
            outcome: 'insufficient_role',
            status: 403,
            duration_ms: 3.2,
            answer_bytes: 0,
            request_id: 'req_01',
            trace_id: null,
          },
        ],
        next_cursor: null,
      },
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
