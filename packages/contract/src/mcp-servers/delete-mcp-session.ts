import { z } from 'zod'
import { mcpSessionId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { mcpTargetLink } from './mcp-shapes.ts'

export const deleteMcpSession = defineOperation({
  id: 'delete_mcp_session',
  title: 'Delete an MCP session',
  description: 'Remove one measurement of an MCP server with its report, for good. Profiles stay.',
  toolset: 'mcp_servers',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/mcp-sessions/{mcp_session_id}' },
  mcp: false,
  input: z.strictObject({ mcp_session_id: mcpSessionId }),
  output: z.object({
    mcp_session_id: z.string(),
    mcp_target_id: z.string(),
    project_id: z.string(),
    deleted: z.literal(true),
  }),
  problems: ['mcp_session_not_found', 'insufficient_role', 'not_ready'],
  examples: [
    {
      title: 'Delete',
      input: { mcp_session_id: 'mcs_01' },
      output: { mcp_session_id: 'mcs_01', mcp_target_id: 'mct_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ mcp_target_id }) => mcpTargetLink(mcp_target_id),
  markdown: ({ mcp_session_id }) => `Session ${mcp_session_id} is deleted.`,
})
