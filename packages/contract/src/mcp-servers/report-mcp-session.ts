import { z } from 'zod'
import { mcpSessionId } from '../fields.ts'
import { taskStatuses } from '../general/task-status.ts'
import { defineOperation } from '../operation.ts'
import { mcpReportFields, mcpReportBytesMax } from './mcp-report-fields.ts'
import { mcpSessionLink } from './mcp-shapes.ts'

export const reportMcpSession = defineOperation({
  id: 'report_mcp_session',
  title: 'Report on an MCP session',
  description:
    'How a collector gets on with a session: that it starts, goes on, ends with a report, failed, or stopped because it was asked to. What has ended stays as it is.',
  toolset: 'mcp_servers',
  effect: 'write',
  scopes: ['write', 'upload'],
  http: { method: 'POST', path: '/v1/mcp-sessions/{mcp_session_id}/reports' },
  mcp: false,
  bodyBytesMax: mcpReportBytesMax,
  input: z.strictObject({
    mcp_session_id: mcpSessionId,
    state: z.enum(['started', 'going_on', 'done', 'failed', 'stopped']).describe('How it stands.'),
    message: z.string().max(2000).default('').describe('What it is doing, or why it failed.'),
    percent: z.number().min(0).max(100).default(0).describe('How far it is.'),
    report: mcpReportFields.report
      .optional()
      .describe('With done: as mcp-profiler writes it; result, where a command has none.'),
    result: mcpReportFields.result,
  }),
  output: z.object({
    project_id: z.string(),
    mcp_session_id: z.string(),
    goes_on: z
      .boolean()
      .describe('False: stop. It was called off, or another collector of that name has started it.'),
    status: z.enum(taskStatuses),
  }),
  problems: ['mcp_session_not_found', 'profile_not_found', 'insufficient_role', 'invalid_input', 'too_large'],
  examples: [
    {
      title: 'It starts',
      input: { mcp_session_id: 'mcs_01', state: 'started', message: 'load-test of notes' },
      output: { project_id: 'prj_01', mcp_session_id: 'mcs_01', goes_on: true, status: 'RUNNING' },
    },
  ],
  link: ({ mcp_session_id }) => mcpSessionLink(mcp_session_id),
  markdown: ({ status }) => `The session is ${status}.`,
})
