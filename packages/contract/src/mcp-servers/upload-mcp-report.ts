import { z } from 'zod'
import { mcpTargetId, projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { mcpLabel } from './mcp-measurement.ts'
import { mcpReportFields, mcpReportBytesMax } from './mcp-report-fields.ts'
import { exampleMcpSession, mcpSessionLink, mcpSessionShape, mcpTargetName } from './mcp-shapes.ts'

export const uploadMcpReport = defineOperation({
  id: 'upload_mcp_report',
  title: 'Upload an MCP report',
  description:
    'Store a report of mcp-profiler as a session of its MCP target: the one of that name or address; else it is registered.',
  toolset: 'mcp_servers',
  effect: 'write',
  scopes: ['write', 'upload'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/mcp-sessions', status: 201 },
  mcp: false,
  bodyBytesMax: mcpReportBytesMax,
  input: z.strictObject({
    project_id: projectId,
    ...mcpReportFields,
    mcp_target_id: mcpTargetId.optional().describe('Of this target (mct_…).'),
    target: mcpTargetName.optional().describe('Or of the one of this name; else as the report names it.'),
    label: mcpLabel.optional().describe('A version or commit; else that of the report.'),
    retention_hours: z
      .number()
      .int()
      .min(1)
      .max(24 * 366)
      .optional()
      .describe('Removed after so long; else kept.'),
  }),
  output: z.object({
    mcp_session: mcpSessionShape,
    is_new_target: z.boolean(),
  }),
  problems: [
    'project_not_found',
    'mcp_target_not_found',
    'profile_not_found',
    'insufficient_role',
    'invalid_input',
    'in_use',
    'too_large',
  ],
  examples: [
    {
      title: 'A report',
      input: { project_id: 'prj_01', report: { type: 'mcp_profiler_report', version: 1 } },
      output: {
        mcp_session: {
          ...exampleMcpSession,
          origin: 'uploaded',
          task_id: null,
          collector: null,
          measurement: null,
        },
        is_new_target: false,
      },
    },
  ],
  link: ({ mcp_session }) => mcpSessionLink(mcp_session.id),
  markdown: ({ mcp_session }) => `Stored as session ${mcp_session.id} of ${mcp_session.target}.`,
})
