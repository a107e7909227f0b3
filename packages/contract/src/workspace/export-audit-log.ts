import { z } from 'zod'
import { workspaceId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { auditFilterInput } from './shapes.ts'

export const exportAuditLog = defineOperation({
  id: 'export_audit_log',
  title: 'Export the audit log',
  description:
    'The audit log as text for other programs, newest first, with the hashes that chain it: every call about the workspace, and each consent or token that names it. What members do to their own accounts is in list_security_events. Put the pages together for all of it: only the first page of CSV has the line with the names. For admins.',
  toolset: 'workspace',
  effect: 'read',
  scopes: ['admin'],
  http: { method: 'GET', path: '/v1/workspaces/{workspace_id}/audit-events/export' },
  mcp: false,
  input: z.strictObject({
    workspace_id: workspaceId,
    format: z
      .enum(['ndjson', 'csv'])
      .default('ndjson')
      .describe('A JSON object per line, or CSV (RFC 4180).'),
    ...auditFilterInput,
    ...pageInput,
    limit: z.number().int().min(1).max(5_000).default(5_000).describe('How many events at most.'),
  }),
  output: z.object({
    workspace_id: z.string(),
    format: z.enum(['ndjson', 'csv']),
    event_count: z.number().int(),
    content: z.string(),
    ...pageOutput,
  }),
  problems: ['workspace_not_found', 'cursor_invalid', 'insufficient_role'],
  examples: [
    {
      title: 'Nothing that fits',
      input: { workspace_id: 'ws_01', since: '2026-11-20T00:00:00Z' },
      output: { workspace_id: 'ws_01', format: 'ndjson', event_count: 0, content: '', next_cursor: null },
    },
  ],
  link: ({ workspace_id }) => `/workspaces/${workspace_id}/audit`,
  markdown: ({ format, content }) => `\`\`\`${format}\n${content}\`\`\``,
})
