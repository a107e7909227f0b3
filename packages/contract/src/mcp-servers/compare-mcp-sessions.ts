import { z } from 'zod'
import { mcpTargetId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatChangePercent } from '../quantity.ts'
import { mcpTargetLink } from './mcp-shapes.ts'

const side = z.object({
  session_id: z.string(),
  label: z.string().nullable(),
  command: z.string(),
  started_at: z.string(),
  server_version: z.string().nullable(),
})

const metric = z.object({
  metric: z.string(),
  base: z.number().nullable(),
  head: z.number().nullable(),
  change_percent: z.number().nullable(),
  low_percent: z.number().nullable(),
  high_percent: z.number().nullable(),
  p_value: z.number().nullable(),
  verdict: z.enum(['better', 'worse', 'same', 'cannot_tell', 'not_judged']),
  is_counted: z.boolean().describe('It has a say in the verdict.'),
})

const one = z.string().trim().min(1).max(200)

export const compareMcpSessions = defineOperation({
  id: 'compare_mcp_sessions',
  title: 'Compare MCP sessions',
  description: 'Whether an MCP server got slower between two sessions, and how sure that is.',
  toolset: 'mcp_servers',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/mcp-targets/{mcp_target_id}/compare' },
  input: z.strictObject({
    mcp_target_id: mcpTargetId,
    base: one.optional().describe('Session or label; else the one before head.'),
    head: one.optional().describe('Likewise; else the latest.'),
    threshold_percent: z.number().positive().max(1000).default(5).describe('Smaller changes do not count.'),
  }),
  output: z.object({
    project_id: z.string(),
    mcp_target_id: z.string(),
    target: z.string(),
    base: side,
    head: side,
    threshold_percent: z.number(),
    confidence: z.number().describe('Of intervals and claims, 0 to 1.'),
    verdict: z.enum(['slower', 'faster', 'same', 'cannot_tell']),
    summary: z.string(),
    regressions: z.array(z.string()).describe('Any of these fails a check.'),
    improvements: z.array(z.string()),
    overall: z.array(metric),
    operations: z.array(
      z.object({ method: z.string(), name: z.string().nullable(), metrics: z.array(metric) }),
    ),
    operations_left_out: z.number().int(),
    environment_differences: z.array(
      z.object({
        key: z.string(),
        base: z.string(),
        head: z.string(),
        weight: z.enum(['matters', 'minor']),
        reason: z.string(),
      }),
    ),
    notes: z.array(z.string()),
  }),
  problems: ['mcp_target_not_found', 'mcp_session_not_found', 'invalid_input'],
  examples: [
    {
      title: 'Two versions',
      input: { mcp_target_id: 'mct_01', base: 'v1.1', head: 'v1.2' },
      output: {
        project_id: 'prj_01',
        mcp_target_id: 'mct_01',
        target: 'notes',
        base: {
          session_id: 'mcs_00',
          label: 'v1.1',
          command: 'load-test',
          started_at: '2026-11-28T10:00:00.000Z',
          server_version: '1.1.0',
        },
        head: {
          session_id: 'mcs_01',
          label: 'v1.2',
          command: 'load-test',
          started_at: '2026-11-29T10:00:00.000Z',
          server_version: '1.2.0',
        },
        threshold_percent: 5,
        confidence: 0.95,
        verdict: 'slower',
        summary: 'Head is slower. look_up: mean_ms +12 % (+7 % to +17 %).',
        regressions: ['look_up: mean_ms +12 % (+7 % to +17 %)'],
        improvements: [],
        overall: [],
        operations: [
          {
            method: 'tools/call',
            name: 'look_up',
            metrics: [
              {
                metric: 'mean_ms',
                base: 9.8,
                head: 11,
                change_percent: 12,
                low_percent: 7,
                high_percent: 17,
                p_value: 0.001,
                verdict: 'worse',
                is_counted: true,
              },
            ],
          },
        ],
        operations_left_out: 0,
        environment_differences: [],
        notes: [],
      },
    },
  ],
  link: ({ mcp_target_id, base, head }) =>
    `${mcpTargetLink(mcp_target_id)}/compare?base=${base.session_id}&head=${head.session_id}`,
  markdown: ({ target, base, head, summary, regressions, improvements, overall, operations, notes }) =>
    [
      `**${target}**: ${words(base)} → ${words(head)}. ${summary}`,
      ...(regressions.length === 0 ? [] : [`Worse:\n${regressions.map((each) => `- ${each}`).join('\n')}`]),
      ...(improvements.length === 0
        ? []
        : [`Better:\n${improvements.map((each) => `- ${each}`).join('\n')}`]),
      table(
        ['Of', 'Metric', 'Base', 'Head', 'Change', 'Interval', 'Verdict'],
        [
          ...operations.flatMap(({ method, name, metrics }) =>
            metrics.map((row) => ({ of: name ?? method, row })),
          ),
          ...overall.map((row) => ({ of: 'the server', row })),
        ].map(({ of, row }) => [
          of,
          row.metric,
          row.base,
          row.head,
          row.change_percent === null ? null : formatChangePercent(row.change_percent),
          row.low_percent === null || row.high_percent === null
            ? null
            : `${formatChangePercent(row.low_percent)} to ${formatChangePercent(row.high_percent)}`,
          row.verdict,
        ]),
        'Nothing was measured on both sides.',
      ),
      ...notes,
    ].join('\n\n'),
})

function words({ session_id: id, label }: z.output<typeof side>): string {
  return label === null ? id : `${label} (${id})`
}
