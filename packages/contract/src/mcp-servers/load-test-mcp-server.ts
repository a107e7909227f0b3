import { z } from 'zod'
import { mcpTargetId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { mcpLabel, mcpMeasurement, mcpOperations } from './mcp-measurement.ts'
import {
  exampleMcpOrder,
  mcpOrderAnswer,
  mcpOrderMarkdown,
  mcpSecondsOfSession,
  mcpTargetLink,
} from './mcp-shapes.ts'

const { requests, rps, ramp_up_seconds, max_latency_ms } = mcpMeasurement.shape

export const loadTestMcpServer = defineOperation({
  id: 'load_test_mcp_server',
  title: 'Load-test an MCP server',
  description: 'Make load on an MCP server by a collector, or get the command. Give concurrent or rps.',
  toolset: 'mcp_servers',
  effect: 'run',
  scopes: ['run'],
  http: { method: 'POST', path: '/v1/mcp-targets/{mcp_target_id}/load-tests', status: 202 },
  input: z.strictObject({
    mcp_target_id: mcpTargetId,
    concurrent: z
      .array(z.number().int().min(1).max(10_000))
      .min(1)
      .max(20)
      .optional()
      .describe('Calls at once; several: one after the other.'),
    requests: requests.describe('Calls in all.'),
    rps: rps.describe('Calls a second.'),
    seconds: mcpSecondsOfSession.optional().describe('Length.'),
    ramp_up_seconds: ramp_up_seconds.describe('Of rps.'),
    max_latency_ms: max_latency_ms.describe('Goal of p95.'),
    with_profile: z.boolean().default(false).describe('CPU profile besides.'),
    operations: mcpOperations.optional().describe('Tools; else the target’s.'),
    label: mcpLabel.optional().describe('Version.'),
  }),
  output: z.object(mcpOrderAnswer),
  problems: ['mcp_target_not_found', 'insufficient_role', 'invalid_input', 'in_use'],
  examples: [
    {
      title: 'Four at a time for half a minute',
      input: { mcp_target_id: 'mct_01', concurrent: [4], seconds: 30 },
      output: exampleMcpOrder,
    },
  ],
  link: ({ mcp_target_id }) => mcpTargetLink(mcp_target_id),
  markdown: mcpOrderMarkdown,
})
