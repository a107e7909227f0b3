import { z } from 'zod'
import { mcpTargetId } from '../fields.ts'
import { facts } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { exampleMcpTarget, mcpTargetLink, mcpTargetShape } from './mcp-shapes.ts'

export const getMcpTarget = defineOperation({
  id: 'get_mcp_target',
  title: 'Get an MCP target',
  description: 'One MCP server of a project, with its last numbers.',
  toolset: 'mcp_servers',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/mcp-targets/{mcp_target_id}' },
  mcp: false,
  input: z.strictObject({ mcp_target_id: mcpTargetId }),
  output: z.object({ mcp_target: mcpTargetShape }),
  problems: ['mcp_target_not_found'],
  examples: [
    {
      title: 'One',
      input: { mcp_target_id: 'mct_01' },
      output: { mcp_target: exampleMcpTarget },
    },
  ],
  link: ({ mcp_target }) => mcpTargetLink(mcp_target.id),
  markdown: ({ mcp_target }) =>
    facts({ 'MCP target': mcp_target.name, Id: mcp_target.id, Address: mcp_target.address }),
})
