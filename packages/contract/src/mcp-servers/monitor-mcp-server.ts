import { z } from 'zod'
import { mcpTargetId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleMcpTarget, mcpOrderAnswer, mcpTargetLink, mcpTargetShape } from './mcp-shapes.ts'

export const monitorMcpServer = defineOperation({
  id: 'monitor_mcp_server',
  title: 'Monitor an MCP server',
  description:
    'Measure an MCP server again and again under a light load, by a collector. Alerts: set_alert_thresholds.',
  toolset: 'mcp_servers',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PUT', path: '/v1/mcp-targets/{mcp_target_id}/monitor' },
  input: z.strictObject({
    mcp_target_id: mcpTargetId,
    is_on: z.boolean().default(true).describe('false: stop.'),
    interval_seconds: z.number().int().min(60).max(604_800).default(300).describe('At least 60.'),
    retention_hours: z.number().int().min(1).max(8784).default(24).describe('Of sessions.'),
    seconds: z.number().int().min(1).max(3600).default(10).describe('Of a session, with two calls a second.'),
  }),
  output: z.object({ mcp_target: mcpTargetShape, commands: mcpOrderAnswer.commands }),
  problems: ['mcp_target_not_found', 'insufficient_role', 'invalid_input'],
  examples: [
    {
      title: 'Every five minutes',
      input: { mcp_target_id: 'mct_01' },
      output: {
        mcp_target: {
          ...exampleMcpTarget,
          monitor: {
            interval_seconds: 300,
            retention_hours: 24,
            seconds: 10,
            next_at: '2026-11-29T10:00:00.000Z',
          },
        },
        commands: [],
      },
    },
  ],
  link: ({ mcp_target }) => mcpTargetLink(mcp_target.id),
  markdown: ({ mcp_target: { name, monitor, collectors }, commands }) =>
    monitor === null
      ? `${name} is not monitored any more.`
      : [
          `${name} is measured every ${monitor.interval_seconds} s for ${monitor.seconds} s; sessions are kept for ${monitor.retention_hours} h.`,
          ...(collectors.length > 0
            ? [`By ${collectors.join(', ')}.`]
            : ['No connected collector may measure it. Until one does, a person can run:']),
          ...commands.map(({ title, command }) => `${title}:\n\n\`\`\`sh\n${command}\n\`\`\``),
        ].join('\n\n'),
})
