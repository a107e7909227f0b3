import { z } from 'zod'
import { mcpTargetId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { mcpMeasurement, mcpSettings } from './mcp-measurement.ts'
import {
  exampleMcpOrder,
  mcpOrderAnswer,
  mcpOrderMarkdown,
  mcpSecondsOfSession,
  mcpTargetLink,
} from './mcp-shapes.ts'

export const tuneMcpServer = defineOperation({
  id: 'tune_mcp_server',
  title: 'Tune an MCP server',
  description:
    'Try settings of an MCP server in turns and propose those that help, by a collector, or get the command. Changes nothing.',
  toolset: 'mcp_servers',
  effect: 'run',
  scopes: ['run'],
  http: { method: 'POST', path: '/v1/mcp-targets/{mcp_target_id}/experiments', status: 202 },
  input: z.strictObject({
    mcp_target_id: mcpTargetId,
    settings: mcpSettings
      .optional()
      .describe('Environment variables: values; a collector tries those of its file only.'),
    target_latency_ms: mcpMeasurement.shape.target_latency_ms.describe('Of p95.'),
    seconds: mcpSecondsOfSession.optional().describe('Of each candidate.'),
  }),
  output: z.object(mcpOrderAnswer),
  problems: ['mcp_target_not_found', 'insufficient_role', 'invalid_input', 'in_use'],
  examples: [
    {
      title: 'Sizes of a pool',
      input: { mcp_target_id: 'mct_01', settings: { POOL_SIZE: ['4', '16'] }, target_latency_ms: 100 },
      output: exampleMcpOrder,
    },
  ],
  link: ({ mcp_target_id }) => mcpTargetLink(mcp_target_id),
  markdown: mcpOrderMarkdown,
})
