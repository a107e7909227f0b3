import { z } from 'zod'
import { mcpTargetId } from '../fields.ts'
import { facts } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import {
  exampleMcpTarget,
  mcpTargetFields,
  mcpTargetLink,
  mcpTargetName,
  mcpTargetShape,
} from './mcp-shapes.ts'

export const updateMcpTarget = defineOperation({
  id: 'update_mcp_target',
  title: 'Update an MCP target',
  description: 'Change what is said of an MCP server. What is left out stays.',
  toolset: 'mcp_servers',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PATCH', path: '/v1/mcp-targets/{mcp_target_id}' },
  mcp: false,
  input: z.strictObject({
    mcp_target_id: mcpTargetId,
    name: mcpTargetName.optional().describe('As the file of a collector has it.'),
    address: mcpTargetFields.address.nullable().optional().describe('URL or command; null: none.'),
    transport: mcpTargetFields.transport.optional(),
    operations: mcpTargetFields.operations.optional(),
    arguments: mcpTargetFields.arguments.optional(),
    note: mcpTargetFields.note.optional(),
  }),
  output: z.object({ mcp_target: mcpTargetShape }),
  problems: ['mcp_target_not_found', 'insufficient_role', 'conflict', 'invalid_input'],
  examples: [
    {
      title: 'Other tools',
      input: { mcp_target_id: 'mct_01', operations: ['look_up'] },
      output: { mcp_target: exampleMcpTarget },
    },
  ],
  link: ({ mcp_target }) => mcpTargetLink(mcp_target.id),
  markdown: ({ mcp_target }) => facts({ 'MCP target': mcp_target.name, Id: mcp_target.id }),
})
