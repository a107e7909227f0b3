import { z } from 'zod'
import { benchmarkId, branch, liveAppId, mcpTargetId, projectId } from '../fields.ts'
import {
  exampleLiveAlert,
  exampleMcpAlert,
  liveAlertShape,
  liveAlertsTable,
  mcpAlertShape,
} from '../live/alert-shapes.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { formatChangePercent } from '../quantity.ts'
import { alertsOffLine, alertsOffShape, alertShape, alertStates, exampleAlert } from './watch-shapes.ts'

export const listPerformanceAlerts = defineOperation({
  id: 'list_performance_alerts',
  title: 'List performance alerts',
  description:
    'Alerts of a project, newest first: what got slower or faster, and which programs and MCP servers were beyond a threshold.',
  toolset: 'benchmarks',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/alerts' },
  input: z.strictObject({
    project_id: projectId,
    state: z
      .enum([...alertStates, 'all'])
      .default('open')
      .describe('Only in this state.'),
    kind: z.enum(['benchmark', 'live_app', 'mcp_target', 'all']).default('all').describe('Only about these.'),
    live_app_id: liveAppId.optional().describe('Only of this live app.'),
    mcp_target_id: mcpTargetId.optional().describe('Only of this MCP target.'),
    branch: branch.optional().describe('Only of this branch.'),
    benchmark_id: benchmarkId.optional().describe('Only of this benchmark.'),
    run_id: z.string().max(64).optional().describe('Only of this run.'),
    ...pageInput,
  }),
  output: z.object({
    project_id: z.string(),
    alerts_off: alertsOffShape,
    alerts: z.array(z.discriminatedUnion('kind', [alertShape, liveAlertShape, mcpAlertShape])),
    ...pageOutput,
  }),
  problems: ['project_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'One regression',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', alerts_off: null, alerts: [exampleAlert], next_cursor: null },
    },
    {
      title: 'A live app whose calls are slow',
      input: { project_id: 'prj_01', kind: 'live_app' },
      output: { project_id: 'prj_01', alerts_off: null, alerts: [exampleLiveAlert], next_cursor: null },
    },
    {
      title: 'An MCP server whose answers are slow',
      input: { project_id: 'prj_01', kind: 'mcp_target' },
      output: { project_id: 'prj_01', alerts_off: null, alerts: [exampleMcpAlert], next_cursor: null },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/alerts`,
  markdown: ({ alerts_off, alerts, next_cursor }) => {
    const ofBenchmarks = alerts.flatMap((alert) => (alert.kind === 'benchmark' ? [alert] : []))
    const live = alerts.flatMap((alert) => (alert.kind === 'benchmark' ? [] : [alert]))
    const tables = [
      ...(live.length === 0 ? [] : [liveAlertsTable(live)]),
      ...(ofBenchmarks.length === 0 ? [] : [benchmarkAlertsTable(ofBenchmarks)]),
    ]
    return (
      alertsOffLine(alerts_off) +
      (tables.length === 0 ? 'No alerts that fit.' : tables.join('\n\n')) +
      moreLine(next_cursor)
    )
  },
})

function benchmarkAlertsTable(alerts: readonly z.output<typeof alertShape>[]): string {
  return table(
    ['Benchmark', 'Metric', 'Verdict', 'Change', 'State', 'Branch', 'Run', 'Reason', 'Id'],
    alerts.map((row) => [
      row.uri,
      row.metric,
      row.verdict,
      formatChangePercent(row.change_percent),
      row.state,
      row.branch,
      row.run_id,
      row.reason,
      row.id,
    ]),
    '',
  )
}
