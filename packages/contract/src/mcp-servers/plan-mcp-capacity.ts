import { z } from 'zod'
import { mcpTargetId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { mcpMeasurement } from './mcp-measurement.ts'
import {
  exampleMcpOrder,
  mcpOrderAnswer,
  mcpOrderMarkdown,
  mcpSecondsOfSession,
  mcpTargetLink,
} from './mcp-shapes.ts'

const { target_rps } = mcpMeasurement.shape

export const planMcpCapacity = defineOperation({
  id: 'plan_mcp_capacity',
  title: 'Plan MCP capacity',
  description:
    'The highest rate at which an MCP server keeps to a latency: headroom, what broke first. By a collector, or the command.',
  toolset: 'mcp_servers',
  effect: 'run',
  scopes: ['run'],
  http: { method: 'POST', path: '/v1/mcp-targets/{mcp_target_id}/capacity', status: 202 },
  input: z.strictObject({
    mcp_target_id: mcpTargetId,
    max_latency_ms: z.number().positive().max(3_600_000).describe('Of p95.'),
    target_rps: target_rps.describe('Needed rate.'),
    seconds: mcpSecondsOfSession.optional().describe('At each rate.'),
  }),
  output: z.object(mcpOrderAnswer),
  problems: ['mcp_target_not_found', 'insufficient_role', 'invalid_input', 'in_use'],
  examples: [
    {
      title: 'Is it good for a thousand a second',
      input: { mcp_target_id: 'mct_01', target_rps: 1000, max_latency_ms: 100 },
      output: exampleMcpOrder,
    },
  ],
  link: ({ mcp_target_id }) => mcpTargetLink(mcp_target_id),
  markdown: mcpOrderMarkdown,
})
