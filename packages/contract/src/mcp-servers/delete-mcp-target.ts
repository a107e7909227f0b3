import { z } from 'zod'
import { mcpTargetId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const deleteMcpTarget = defineOperation({
  id: 'delete_mcp_target',
  title: 'Delete an MCP target',
  description: 'Remove an MCP server with its sessions, reports and alerts, for good. Profiles stay.',
  toolset: 'mcp_servers',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/mcp-targets/{mcp_target_id}' },
  mcp: false,
  input: z.strictObject({ mcp_target_id: mcpTargetId }),
  output: z.object({ mcp_target_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['mcp_target_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { mcp_target_id: 'mct_01' },
      output: { mcp_target_id: 'mct_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/mcp-servers`,
  markdown: ({ mcp_target_id }) => `MCP target ${mcp_target_id} is deleted.`,
})
