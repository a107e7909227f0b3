import { z } from 'zod'
import { mcpSessionId, mcpTargetId } from '../fields.ts'
import { facts, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatBytes, formatShare } from '../quantity.ts'
import { mcpLabel } from './mcp-measurement.ts'
import {
  exampleFigures,
  exampleMcpOperation,
  exampleMcpSession,
  formatMs,
  mcpFiguresShape,
  mcpOperationFiguresShape,
  mcpSessionShape,
  mcpSessionsTable,
  mcpTargetLink,
} from './mcp-shapes.ts'

const span = z.object({ mean: z.number(), max: z.number() })

export const getMcpMetrics = defineOperation({
  id: 'get_mcp_metrics',
  title: 'Get MCP metrics',
  description:
    'Latency, throughput, errors, CPU, memory, GC, answer sizes and tokens of an MCP server, by tool, and their trend.',
  toolset: 'mcp_servers',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/mcp-targets/{mcp_target_id}/metrics' },
  input: z.strictObject({
    mcp_target_id: mcpTargetId,
    mcp_session_id: mcpSessionId.optional().describe('Else the latest.'),
    label: mcpLabel.optional().describe('Only so labelled.'),
    trend: z.number().int().min(0).max(100).default(10).describe('Sessions before it.'),
  }),
  output: z.object({
    project_id: z.string(),
    mcp_target_id: z.string(),
    target: z.string(),
    session: mcpSessionShape.nullable().describe('null: none has a report yet.'),
    operations: z.array(mcpOperationFiguresShape),
    connection: z
      .object({
        process_start_ms: z.number().nullable(),
        oauth_ms: z.number().nullable(),
        initialize_ms: z.number().nullable(),
        tools_list_ms: z.number().nullable(),
        tools_list_bytes: z.number().nullable(),
        tools_list_tokens: z.number().nullable(),
        tools: z.number().nullable(),
      })
      .nullable(),
    resources: z
      .object({
        cpu_percent: span.describe('Of one processor.'),
        rss_bytes: span,
        read_bytes: z.number().nullable(),
        write_bytes: z.number().nullable(),
      })
      .nullable()
      .describe('Of the processes of the server during the load.'),
    gc: z
      .object({ count: z.number().int(), total_ms: z.number(), max_ms: z.number(), share: z.number() })
      .nullable(),
    event_loop_delay: z.object({ mean_ms: z.number(), p99_ms: z.number(), max_ms: z.number() }).nullable(),
    trend: z
      .array(
        z.object({
          session_id: z.string(),
          started_at: z.string(),
          command: z.string(),
          label: z.string().nullable(),
          figures: mcpFiguresShape,
        }),
      )
      .describe('Newest first, the session among them.'),
    notes: z.array(z.string()).describe('What could not be measured, and why.'),
  }),
  problems: ['mcp_target_not_found', 'mcp_session_not_found'],
  examples: [
    {
      title: 'The latest session',
      input: { mcp_target_id: 'mct_01' },
      output: {
        project_id: 'prj_01',
        mcp_target_id: 'mct_01',
        target: 'notes',
        session: exampleMcpSession,
        operations: [exampleMcpOperation],
        connection: {
          process_start_ms: null,
          oauth_ms: null,
          initialize_ms: 4,
          tools_list_ms: 3,
          tools_list_bytes: 6000,
          tools_list_tokens: 1400,
          tools: 8,
        },
        resources: {
          cpu_percent: { mean: 41, max: 43 },
          rss_bytes: { mean: 82_000_000, max: 84_000_000 },
          read_bytes: 0,
          write_bytes: 0,
        },
        gc: { count: 12, total_ms: 300, max_ms: 41, share: 0.01 },
        event_loop_delay: null,
        trend: [
          {
            session_id: 'mcs_01',
            started_at: '2026-11-29T10:00:00.000Z',
            command: 'load-test',
            label: 'v1.2',
            figures: exampleFigures,
          },
        ],
        notes: [],
      },
    },
  ],
  link: ({ mcp_target_id }) => mcpTargetLink(mcp_target_id),
  markdown: ({ target, session, operations, connection, resources, gc, trend, notes }) =>
    session === null
      ? `${target} has no session with a report that fits. profile_mcp_server makes one.`
      : [
          `**${target}**`,
          mcpSessionsTable([session]),
          table(
            ['Operation', 'Calls', 'Failed', 'Mean', 'p50', 'p95', 'p99', 'Result', 'Tokens', 'Failures'],
            operations.map((row) => [
              row.name ?? row.method,
              row.calls,
              row.failed,
              formatMs(row.mean_ms),
              formatMs(row.p50_ms),
              formatMs(row.p95_ms),
              formatMs(row.p99_ms),
              formatBytes(row.result_bytes),
              row.result_tokens === null ? null : Math.round(row.result_tokens),
              row.failures
                .map(({ kind, code, count }) => `${count} × ${kind} ${code ?? ''}`.trim())
                .join(', '),
            ]),
            'Nothing was called.',
          ),
          facts({
            'Process start': formatMs(connection?.process_start_ms ?? null),
            OAuth: formatMs(connection?.oauth_ms ?? null),
            initialize: formatMs(connection?.initialize_ms ?? null),
            'tools/list': formatMs(connection?.tools_list_ms ?? null),
            Tools: connection?.tools,
            CPU:
              resources === null
                ? null
                : `${resources.cpu_percent.mean.toFixed(0)} % (at most ${resources.cpu_percent.max.toFixed(0)} %)`,
            Memory: resources === null ? null : `at most ${formatBytes(resources.rss_bytes.max)}`,
            'Garbage collection':
              gc === null ? null : `${formatShare(gc.share)} of the time, longest ${formatMs(gc.max_ms)}`,
          }),
          ...(trend.length < 2
            ? []
            : [
                '**Trend**',
                mcpSessionsTable(
                  trend.map(({ session_id: id, ...row }) => ({
                    ...row,
                    id,
                    state: 'SUCCESS',
                    created_at: row.started_at,
                  })),
                ),
              ]),
          ...notes,
        ].join('\n\n'),
})
