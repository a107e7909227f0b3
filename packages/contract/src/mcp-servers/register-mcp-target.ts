import { z } from 'zod'
import { projectId } from '../fields.ts'
import { facts } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import {
  exampleMcpTarget,
  mcpTargetFields,
  mcpTargetLink,
  mcpTargetName,
  mcpTargetShape,
} from './mcp-shapes.ts'

export const registerMcpTarget = defineOperation({
  id: 'register_mcp_target',
  title: 'Register an MCP target',
  description: 'Add an MCP server to a project, to profile, load-test and monitor it.',
  toolset: 'mcp_servers',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/mcp-targets', status: 201 },
  input: z.strictObject({
    project_id: projectId,
    name: mcpTargetName.describe('As the collector’s file has it.'),
    address: mcpTargetFields.address.optional(),
    transport: mcpTargetFields.transport.optional().describe('Else by it.'),
    operations: mcpTargetFields.operations.default([]),
    arguments: mcpTargetFields.arguments.default({}),
  }),
  output: z.object({ mcp_target: mcpTargetShape }),
  problems: ['project_not_found', 'insufficient_role', 'conflict', 'in_use', 'invalid_input'],
  examples: [
    {
      title: 'A server on the machine of a collector',
      input: {
        project_id: 'prj_01',
        name: 'notes',
        address: 'http://localhost:3000/mcp',
        operations: ['look_up'],
        arguments: { look_up: { id: 7 } },
      },
      output: { mcp_target: { ...exampleMcpTarget, sessions: 0, last_session: null } },
    },
  ],
  link: ({ mcp_target }) => mcpTargetLink(mcp_target.id),
  markdown: ({ mcp_target }) =>
    facts({
      'MCP target': mcp_target.name,
      Id: mcp_target.id,
      Address: mcp_target.address,
      'Measured by':
        mcp_target.collectors.length === 0
          ? 'no connected collector: tools answer with commands for the person'
          : mcp_target.collectors.join(', '),
    }),
})
