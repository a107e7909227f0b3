import { z } from 'zod'
import { benchmarkId, branch, projectId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { formatChangePercent } from '../quantity.ts'
import { alertsOffLine, alertsOffShape, alertShape, alertStates, exampleAlert } from './watch-shapes.ts'

export const listPerformanceAlerts = defineOperation({
  id: 'list_performance_alerts',
  title: 'List performance alerts',
  description: 'Alerts of a project, newest first: what got slower or faster, when, how much, and why.',
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
    branch: branch.optional().describe('Only of this branch.'),
    benchmark_id: benchmarkId.optional().describe('Only of this benchmark.'),
    run_id: z.string().max(64).optional().describe('Only of this run.'),
    ...pageInput,
  }),
  output: z.object({
    project_id: z.string(),
    alerts_off: alertsOffShape,
    alerts: z.array(alertShape),
    ...pageOutput,
  }),
  problems: ['project_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'One regression',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', alerts_off: null, alerts: [exampleAlert], next_cursor: null },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/alerts`,
  markdown: ({ alerts_off, alerts, next_cursor }) =>
    alertsOffLine(alerts_off) +
    table(
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
      'No alerts that fit.',
    ) +
    moreLine(next_cursor),
})
