import { z } from 'zod'
import { mcpTargetId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { mcpLabel, mcpOperations } from './mcp-measurement.ts'
import {
  exampleMcpOrder,
  mcpOrderAnswer,
  mcpOrderMarkdown,
  mcpSecondsOfSession,
  mcpTargetLink,
} from './mcp-shapes.ts'

export const profileMcpServer = defineOperation({
  id: 'profile_mcp_server',
  title: 'Profile an MCP server',
  description: 'Measure an MCP server by a collector, or get the command.',
  toolset: 'mcp_servers',
  effect: 'run',
  scopes: ['run'],
  http: { method: 'POST', path: '/v1/mcp-targets/{mcp_target_id}/sessions', status: 202 },
  input: z.strictObject({
    mcp_target_id: mcpTargetId,
    measure: z
      .enum(['times', 'cpu', 'memory', 'heap_snapshots', 'gc', 'leaks', 'diagnosis', 'production'])
      .default('times')
      .describe('diagnosis: all that rules need. production: a sampled wrapper, by a person.'),
    seconds: mcpSecondsOfSession.optional().describe('Length.'),
    samples: z.number().int().min(1).max(1_000_000).optional().describe('Calls of each tool; of times.'),
    operations: mcpOperations.optional().describe('Tools; else the target’s.'),
    label: mcpLabel.optional().describe('Version.'),
  }),
  output: z.object(mcpOrderAnswer),
  problems: ['mcp_target_not_found', 'insufficient_role', 'invalid_input', 'in_use'],
  examples: [
    {
      title: 'A CPU profile of half a minute',
      input: { mcp_target_id: 'mct_01', measure: 'cpu', seconds: 30 },
      output: exampleMcpOrder,
    },
  ],
  link: ({ mcp_target_id }) => mcpTargetLink(mcp_target_id),
  markdown: mcpOrderMarkdown,
})
