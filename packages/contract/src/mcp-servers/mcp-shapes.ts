import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { taskStatuses } from '../general/task-status.ts'
import { table, type CellValue } from '../markdown.ts'
import { formatBytes, formatDurationNs, formatShare } from '../quantity.ts'
import { mcpArguments, mcpMeasurement, mcpOperations, mcpSecondsMax } from './mcp-measurement.ts'

export const mcpTransports = ['stdio', 'streamable_http', 'sse'] as const

export const mcpTargetName = z
  .string()
  .regex(/^[\w.-]{1,60}$/, 'Use letters, digits, dots, underscores and dashes.')

/** What is said of a target, when it is registered and later. */
export const mcpTargetFields = {
  address: z
    .string()
    .trim()
    .min(1)
    .max(1000)
    .regex(/^[^\n\r]*$/, 'Write it in one line.')
    .describe('URL or command; no secrets.'),
  transport: z.enum(mcpTransports).describe('How it is spoken to.'),
  operations: mcpOperations.describe('To call; none: those that say they only read.'),
  arguments: mcpArguments.describe('Of calls, by tool; or a list of them.'),
  note: z.string().trim().max(2000).describe('In your words.'),
}

export const mcpMonitorShape = z.object({
  interval_seconds: z.number().int(),
  retention_hours: z.number().int(),
  seconds: z.number().int().describe('Of each session.'),
  next_at: timestamp,
})

/** Numbers of one session; null where they were not measured. */
export const mcpFiguresShape = z.object({
  duration_ms: z.number(),
  calls: z.number().int().nullable(),
  requests_per_second: z.number().nullable(),
  peak_requests_per_second: z.number().nullable(),
  error_rate: z.number().nullable().describe('0 to 1.'),
  mean_ms: z.number().nullable(),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  p99_ms: z.number().nullable(),
  cpu_percent: z.number().nullable().describe('Mean, of one processor.'),
  rss_bytes_max: z.number().nullable(),
  gc_share: z.number().nullable().describe('Of the time, 0 to 1.'),
  tools_list_tokens: z.number().int().nullable().describe('Estimated.'),
  score: z.number().nullable().describe('0 to 100, against itself only.'),
  findings: z.number().int().describe('What diagnose_mcp_server has to say of it.'),
})
export type McpFigures = z.output<typeof mcpFiguresShape>

export const mcpSessionShape = z.object({
  id: z.string(),
  project_id: z.string(),
  mcp_target_id: z.string(),
  target: z.string().describe('Its name.'),
  command: z.string().describe('Of mcp-profiler, which measured.'),
  label: z.string().nullable(),
  origin: z
    .enum(['uploaded', 'ordered', 'monitor'])
    .describe('By a person or CI; asked for here; by monitor_mcp_server.'),
  state: z.enum(taskStatuses).describe('SUCCESS: it has a report.'),
  message: z.string().describe('What it does, or why it failed.'),
  task_id: z.string().nullable(),
  collector: z.string().nullable().describe('Name of the one that measures.'),
  measurement: mcpMeasurement.nullable().describe('What was asked for; null: uploaded.'),
  server_version: z.string().nullable(),
  started_at: timestamp.nullable(),
  figures: mcpFiguresShape.nullable().describe('null: no report yet.'),
  profile_ids: z.array(z.string()).describe('Of the server’s inside.'),
  size_bytes: z.number().int(),
  created_by: z.string().describe('Id of the user.'),
  created_at: timestamp,
  expires_at: timestamp.nullable().describe('null: it is kept.'),
})
export type McpSessionShape = z.output<typeof mcpSessionShape>

export const mcpTargetShape = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  ...mcpTargetFields,
  address: z.string().nullable(),
  monitor: mcpMonitorShape.nullable().describe('null: not monitored.'),
  collectors: z.array(z.string()).describe('Connected ones that may measure it.'),
  sessions: z.number().int().describe('With a report.'),
  last_session: z
    .object({ id: z.string(), started_at: timestamp, command: z.string(), figures: mcpFiguresShape })
    .nullable(),
  alerts: z.number().int().describe('That last.'),
  created_at: timestamp,
  updated_at: timestamp,
})
export type McpTargetShape = z.output<typeof mcpTargetShape>

/** What an order answers. */
export const mcpOrderAnswer = {
  project_id: z.string(),
  mcp_target_id: z.string(),
  session: mcpSessionShape.nullable().describe('null: nobody does it but the person, by the commands.'),
  task_id: z.string().nullable().describe('Ask get_task_result about it.'),
  next_poll_seconds: z.number().int().nullable(),
  collector: z.string().nullable().describe('Name of the one that does it.'),
  commands: z
    .array(z.object({ title: z.string(), command: z.string() }))
    .describe('To run where the server is; the report comes here.'),
  notes: z.array(z.string()),
}

/** Numbers of one method or tool in a session. */
export const mcpOperationFiguresShape = z.object({
  method: z.string(),
  name: z.string().nullable().describe('Tool, resource or prompt.'),
  calls: z.number().int(),
  failed: z.number().int(),
  mean_ms: z.number().nullable(),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  p99_ms: z.number().nullable(),
  server_p50_ms: z.number().nullable().describe('By its own account.'),
  request_bytes: z.number(),
  result_bytes: z.number(),
  result_tokens: z.number().nullable().describe('Mean estimate.'),
  failures: z.array(
    z.object({
      kind: z.string(),
      code: z.number().nullable(),
      count: z.number().int(),
      message: z.string(),
    }),
  ),
})
export type McpOperationFigures = z.output<typeof mcpOperationFiguresShape>

export const mcpSecondsOfSession = z.number().int().min(1).max(mcpSecondsMax)

/** Path of the page of a target. */
export function mcpTargetLink(id: string): string {
  return `/mcp-targets/${id}`
}

/** Path of the page of a session. */
export function mcpSessionLink(id: string): string {
  return `/mcp-sessions/${id}`
}

/** Milliseconds as people read them. */
export function formatMs(ms: number | null): string | null {
  return ms === null ? null : formatDurationNs(ms * 1e6)
}

function optional(value: number | null, words: (value: number) => string): string | null {
  return value === null ? null : words(value)
}

/** Numbers of a session, in the order of `figureColumns`. */
export function figureCells(figures: McpFigures | null): CellValue[] {
  if (figures === null) return figureColumns.map(() => null)
  return [
    optional(figures.requests_per_second, (rate) => rate.toFixed(1)),
    formatMs(figures.p50_ms),
    formatMs(figures.p95_ms),
    formatMs(figures.p99_ms),
    optional(figures.error_rate, formatShare),
    optional(figures.cpu_percent, (percent) => `${percent.toFixed(0)} %`),
    optional(figures.rss_bytes_max, formatBytes),
    figures.tools_list_tokens,
    figures.score,
    figures.findings,
  ]
}
export const figureColumns = [
  'Per second',
  'p50',
  'p95',
  'p99',
  'Failed',
  'CPU',
  'Memory',
  'tools/list tokens',
  'Score',
  'Findings',
]

/** Sessions as a table. */
export function mcpSessionsTable(
  sessions: readonly Pick<
    McpSessionShape,
    'id' | 'command' | 'label' | 'state' | 'started_at' | 'created_at' | 'figures'
  >[],
): string {
  return table(
    ['Session', 'Command', 'Label', 'State', 'Started', ...figureColumns],
    sessions.map(({ figures, ...session }) => [
      session.id,
      session.command,
      session.label,
      session.state,
      session.started_at ?? session.created_at,
      ...figureCells(figures),
    ]),
    'No sessions.',
  )
}

/** What an order answers, as markdown. */
export function mcpOrderMarkdown({
  session,
  collector,
  commands,
  notes,
}: Pick<
  z.output<z.ZodObject<typeof mcpOrderAnswer>>,
  'session' | 'collector' | 'commands' | 'notes'
>): string {
  const what =
    session === null
      ? [
          'No connected collector may measure this server. Ask the person to run this where it is:',
          ...commands.map(({ title, command }) => `${title}:\n\n\`\`\`sh\n${command}\n\`\`\``),
        ]
      : [
          `The collector ${collector} measures it as session ${session.id}. Ask get_task_result about task ${session.task_id}.`,
        ]
  return [...what, ...notes].join('\n\n')
}

export const exampleFigures: McpFigures = {
  duration_ms: 30_000,
  calls: 3000,
  requests_per_second: 100,
  peak_requests_per_second: 104,
  error_rate: 0,
  mean_ms: 9.8,
  p50_ms: 9.6,
  p95_ms: 14.1,
  p99_ms: 21,
  cpu_percent: 41,
  rss_bytes_max: 84_000_000,
  gc_share: 0.01,
  tools_list_tokens: 1400,
  score: 98,
  findings: 1,
}

export const exampleMcpTarget: McpTargetShape = {
  id: 'mct_01',
  project_id: 'prj_01',
  name: 'notes',
  address: 'http://localhost:3000/mcp',
  transport: 'streamable_http',
  operations: ['look_up'],
  arguments: { look_up: { id: 7 } },
  note: '',
  monitor: null,
  collectors: ['staging'],
  sessions: 12,
  last_session: {
    id: 'mcs_01',
    started_at: '2026-11-29T10:00:00.000Z',
    command: 'load-test',
    figures: exampleFigures,
  },
  alerts: 0,
  created_at: '2026-11-28T10:00:00.000Z',
  updated_at: '2026-11-28T10:00:00.000Z',
}

export const exampleMcpSession: McpSessionShape = {
  id: 'mcs_01',
  project_id: 'prj_01',
  mcp_target_id: 'mct_01',
  target: 'notes',
  command: 'load-test',
  label: 'v1.2',
  origin: 'ordered',
  state: 'SUCCESS',
  message: '',
  task_id: 'tsk_01',
  collector: 'staging',
  measurement: { command: 'load-test', concurrent: [4], seconds: 30 },
  server_version: '1.2.0',
  started_at: '2026-11-29T10:00:00.000Z',
  figures: exampleFigures,
  profile_ids: [],
  size_bytes: 18_000,
  created_by: 'usr_01',
  created_at: '2026-11-29T09:59:58.000Z',
  expires_at: null,
}

export const exampleMcpOrder = {
  project_id: 'prj_01',
  mcp_target_id: 'mct_01',
  session: {
    ...exampleMcpSession,
    state: 'PENDING' as const,
    message: 'Waiting for the collector staging',
    server_version: null,
    started_at: null,
    figures: null,
    size_bytes: 0,
  },
  task_id: 'tsk_01',
  next_poll_seconds: 2,
  collector: 'staging',
  commands: [],
  notes: [],
}

export const exampleMcpOperation: McpOperationFigures = {
  method: 'tools/call',
  name: 'look_up',
  calls: 3000,
  failed: 0,
  mean_ms: 9.8,
  p50_ms: 9.6,
  p95_ms: 14.1,
  p99_ms: 21,
  server_p50_ms: null,
  request_bytes: 120,
  result_bytes: 900,
  result_tokens: 220,
  failures: [],
}
