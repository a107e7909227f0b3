import { z } from 'zod'
import { alertStates } from '../benchmarks/watch-shapes.ts'
import { timestamp } from '../fields.ts'
import { table } from '../markdown.ts'
import { formatBytes, formatDurationNs } from '../quantity.ts'

/** Alerts about programs that run. Those of benchmarks are in benchmarks/watch-shapes.ts. */

export const liveAlertTypes = ['high_cpu', 'high_memory', 'slow_response', 'high_error_rate'] as const
type LiveAlertType = (typeof liveAlertTypes)[number]

const lasting = {
  for_seconds: z.number().int().min(0).max(3600).default(60).describe('Without a break.'),
}
const percent = (max: number, words: string) => z.number().positive().max(max).describe(words)

/** A threshold of each type; null is off. */
export const alertThresholdFields = {
  high_cpu: z.strictObject({ percent: percent(100_000, 'Of one processor.'), ...lasting }).nullable(),
  high_memory: z
    .strictObject({
      bytes: z
        .number()
        .int()
        .positive()
        .max(2 ** 50)
        .optional()
        .describe('Of each process.'),
      percent: percent(100, 'Of what it may have.').optional(),
      ...lasting,
    })
    .refine(({ bytes, percent: share }) => bytes !== undefined || share !== undefined, {
      message: 'Give bytes, or percent, or both.',
    })
    .nullable(),
  slow_response: z
    .strictObject({
      ms: z.number().positive().max(3_600_000).describe('Longer is slow.'),
      statistic: z
        .enum(['mean', 'p50', 'p90', 'p95', 'p99'])
        .default('p95')
        .describe('Of the calls of ten seconds.'),
      functions: z
        .union([z.enum(['any', 'all']), z.array(z.string().min(1).max(1000)).min(1).max(50)])
        .default('any')
        .describe('any of them; all together; or names.'),
      ...lasting,
    })
    .nullable(),
  high_error_rate: z.strictObject({ percent: percent(100, 'Of calls that fail.'), ...lasting }).nullable(),
}

/** What thresholds are for. */
export const alertTargets = ['live_app', 'mcp_target'] as const
export const alertTarget = z.enum(alertTargets).default('live_app').describe('What they are for.')

export const alertThresholdsShape = z.object(alertThresholdFields)
export type AlertThresholdsShape = z.output<typeof alertThresholdsShape>

const unit = z.enum(['percent', 'bytes', 'ns'])

/** How an app stands to one of its thresholds. */
export const judgedThresholdShape = z.object({
  live_app_id: z.string(),
  app: z.string().describe('Its name.'),
  type: z.enum(liveAlertTypes),
  is_own: z.boolean().describe('Of this app; else of the project.'),
  state: z
    .enum(['calm', 'over', 'alerting', 'unjudged'])
    .describe('over: beyond the limit, and not for long enough. unjudged: the program does not tell it.'),
  value: z.number().nullable().describe('Of the last ten seconds; null: nothing was called.'),
  limit: z.number().nullable(),
  unit: unit.nullable(),
  of: z.string().describe('The function or the process; empty of all calls.'),
  reason: z.string().describe('Why it cannot be judged; else empty.'),
})
export type JudgedThresholdShape = z.output<typeof judgedThresholdShape>

/** How an MCP target stands to one of its thresholds: by the latest session that was measured under load. */
export const judgedMcpThresholdShape = judgedThresholdShape.omit({ live_app_id: true, app: true }).extend({
  mcp_target_id: z.string(),
  mcp_target: z.string().describe('Its name.'),
  mcp_session_id: z.string().nullable().describe('null: it was not measured yet.'),
})
export type JudgedMcpThresholdShape = z.output<typeof judgedMcpThresholdShape>

export const alertThresholdsAnswer = {
  project_id: z.string(),
  target: z.enum(alertTargets),
  live_app_id: z.string().nullable().describe('null: of all of the project.'),
  mcp_target_id: z.string().nullable().describe('null: of all of the project.'),
  thresholds: alertThresholdsShape.describe('Those that count here; null is off.'),
  judged: z.array(judgedThresholdShape).describe('Apps that push, threshold by threshold.'),
  mcp_targets: z.array(judgedMcpThresholdShape).describe('MCP targets, likewise.'),
}

export const liveAlertShape = z.object({
  id: z.string(),
  project_id: z.string(),
  kind: z.literal('live_app').describe('What it is about.'),
  state: z.enum(alertStates),
  live_app_id: z.string(),
  name: z.string().describe('Of the app.'),
  type: z.enum(liveAlertTypes),
  of: z.string().describe('The function or the process; empty of all calls.'),
  unit,
  value: z.number().describe('When it opened.'),
  limit: z.number(),
  for_seconds: z.number().int(),
  since: timestamp,
  until: timestamp.nullable().describe('null: it lasts.'),
  reason: z.string().describe('Why, in words.'),
  detected_at: timestamp,
  state_by: z.string().nullable().describe('E-mail of who changed the state last.'),
  state_reason: z.string(),
  state_at: timestamp.nullable(),
  muted_until: timestamp.nullable(),
})
export type LiveAlertShape = z.output<typeof liveAlertShape>

/** An alert about an MCP target, whose sessions were beyond a threshold. */
export const mcpAlertShape = liveAlertShape.omit({ live_app_id: true }).extend({
  kind: z.literal('mcp_target').describe('What it is about.'),
  mcp_target_id: z.string(),
  mcp_session_id: z.string().nullable().describe('In which it opened; null: removed since.'),
  name: z.string().describe('Of the target.'),
  of: z.string().describe('The operation; empty of all calls, or of the server.'),
})
export type McpAlertShape = z.output<typeof mcpAlertShape>

/** Path of the page with the thresholds of a project. */
export function alertThresholdsLink(projectId: string): string {
  return `/projects/${projectId}/thresholds`
}

/** A value of an alert as people read it. */
export function formatAlertValue(value: number, of: z.output<typeof unit>): string {
  if (of === 'ns') return formatDurationNs(value)
  return of === 'bytes' ? formatBytes(value) : `${Number(value.toPrecision(3))} %`
}

export const exampleLiveAlert: LiveAlertShape = {
  id: 'lal_01',
  project_id: 'prj_01',
  kind: 'live_app',
  state: 'open',
  live_app_id: 'app_01',
  name: 'shop',
  type: 'slow_response',
  of: 'GET /cart',
  unit: 'ns',
  value: 840_000_000,
  limit: 500_000_000,
  for_seconds: 60,
  since: '2026-11-28T09:59:00.000Z',
  until: null,
  reason: 'p95 of GET /cart is 840 ms, above 500 ms for 60 s.',
  detected_at: '2026-11-28T10:00:00.000Z',
  state_by: null,
  state_reason: '',
  state_at: null,
  muted_until: null,
}

export const exampleMcpAlert: McpAlertShape = {
  id: 'lal_02',
  project_id: 'prj_01',
  kind: 'mcp_target',
  state: 'open',
  mcp_target_id: 'mct_01',
  mcp_session_id: 'mcs_01',
  name: 'notes',
  type: 'slow_response',
  of: 'search',
  unit: 'ns',
  value: 840_000_000,
  limit: 500_000_000,
  for_seconds: 0,
  since: '2026-11-29T10:00:00.000Z',
  until: null,
  reason: 'p95 of search is 840 ms, above 500 ms.',
  detected_at: '2026-11-29T10:00:31.000Z',
  state_by: null,
  state_reason: '',
  state_at: null,
  muted_until: null,
}

export const exampleThresholds: AlertThresholdsShape = {
  high_cpu: { percent: 80, for_seconds: 60 },
  high_memory: null,
  slow_response: { ms: 500, statistic: 'p95', functions: 'any', for_seconds: 60 },
  high_error_rate: null,
}

export const exampleJudged: JudgedThresholdShape[] = [
  {
    live_app_id: 'app_01',
    app: 'shop',
    type: 'high_cpu',
    is_own: false,
    state: 'unjudged',
    value: null,
    limit: null,
    unit: null,
    of: '',
    reason: 'The program does not tell how much processor time it uses (section threads).',
  },
  {
    live_app_id: 'app_01',
    app: 'shop',
    type: 'slow_response',
    is_own: false,
    state: 'alerting',
    value: 840_000_000,
    limit: 500_000_000,
    unit: 'ns',
    of: 'GET /cart',
    reason: '',
  },
]

/** Thresholds, and how apps stand to them, as markdown. */
export function alertThresholdsMarkdown({
  target,
  thresholds,
  judged,
  mcp_targets: mcpTargets,
}: {
  target: (typeof alertTargets)[number]
  thresholds: AlertThresholdsShape
  judged: readonly JudgedThresholdShape[]
  mcp_targets: readonly JudgedMcpThresholdShape[]
}): string {
  const rowsOfTargets: readonly (Omit<JudgedThresholdShape, 'live_app_id' | 'app'> & { name: string })[] =
    target === 'live_app'
      ? judged.map((row) => ({ ...row, name: row.app }))
      : mcpTargets.map((row) => ({ ...row, name: row.mcp_target }))
  const rows = liveAlertTypes.map((type) => [type, thresholdWords(type, thresholds)])
  return [
    table(['Threshold', 'Raises an alert'], rows, ''),
    table(
      [
        target === 'live_app' ? 'Live app' : 'MCP target',
        'Threshold',
        'State',
        { title: 'Value', right: true },
        'Of',
        'Why',
      ],
      rowsOfTargets.map((row) => [
        row.name,
        row.type,
        row.state,
        row.value === null || row.unit === null ? null : formatAlertValue(row.value, row.unit),
        row.of,
        row.reason,
      ]),
      target === 'live_app'
        ? 'No live app pushes now: nothing is judged.'
        : 'No MCP target was measured yet.',
    ),
  ].join('\n\n')
}

/** What raises an alert of a type, in words. */
export function thresholdWords(type: LiveAlertType, thresholds: AlertThresholdsShape): string {
  const threshold = thresholds[type]
  if (threshold === null) return 'off'
  const howLong = threshold.for_seconds === 0 ? '' : ` for ${threshold.for_seconds} s`
  return `${limitWords(type, thresholds)}${howLong}`
}

function limitWords(
  type: LiveAlertType,
  { high_cpu: cpu, high_memory: memory, slow_response: slow, high_error_rate: errors }: AlertThresholdsShape,
): string {
  if (type === 'high_cpu') return `above ${cpu?.percent} % of a processor`
  if (type === 'high_error_rate') return `more than ${errors?.percent} % of calls fail`
  if (type === 'slow_response') {
    const { functions = 'any', statistic, ms = 0 } = slow ?? {}
    const of = functions === 'any' ? 'any function' : functions === 'all' ? 'all calls' : functions.join(', ')
    return `${statistic} of ${of} above ${formatDurationNs(ms * 1e6)}`
  }
  const limits = [
    ...(memory?.bytes === undefined ? [] : [formatBytes(memory.bytes)]),
    ...(memory?.percent === undefined ? [] : [`${memory.percent} % of what it may have`]),
  ]
  return `above ${limits.join(' or ')}`
}

/** Alerts as a table. */
export function liveAlertsTable(alerts: readonly (LiveAlertShape | McpAlertShape)[]): string {
  return table(
    ['Of', 'Type', { title: 'Value', right: true }, 'State', 'Since', 'Until', 'Reason', 'Id'],
    alerts.map((alert) => [
      `${alert.name} (${alert.kind === 'live_app' ? alert.live_app_id : alert.mcp_target_id})`,
      alert.type,
      formatAlertValue(alert.value, alert.unit),
      alert.state,
      alert.since,
      alert.until ?? 'lasts',
      alert.reason,
      alert.id,
    ]),
    '',
  )
}
