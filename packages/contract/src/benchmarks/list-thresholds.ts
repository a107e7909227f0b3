import { z } from 'zod'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { repositoryOrProject } from './shapes.ts'
import { alertsOffLine, alertsOffShape, exampleThreshold, thresholdShape } from './watch-shapes.ts'

export const listThresholds = defineOperation({
  id: 'list_thresholds',
  title: 'List thresholds',
  description: 'What raises an alert, by branch, benchmark and metric; the most exact one counts.',
  toolset: 'benchmarks',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/repositories/{repository}/thresholds' },
  input: z.strictObject({ repository: repositoryOrProject }),
  output: z.object({
    project_id: z.string(),
    alerts_off: alertsOffShape,
    thresholds: z.array(thresholdShape),
  }),
  problems: ['repository_not_found'],
  examples: [
    {
      title: 'One for main',
      input: { repository: 'acme/checkout-service' },
      output: { project_id: 'prj_01', alerts_off: null, thresholds: [exampleThreshold] },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/thresholds`,
  markdown: ({ alerts_off, thresholds }) =>
    alertsOffLine(alerts_off) +
    table(
      ['Branch', 'Benchmark', 'Metric', 'Test', 'Lower', 'Upper', 'Window', 'Id'],
      thresholds.map((row) => [
        row.branch ?? 'all',
        row.benchmark_id ?? 'all',
        row.metric ?? 'main',
        row.is_default ? `${row.test} (default)` : row.test,
        row.lower_bound,
        row.upper_bound,
        `${row.window_runs} runs, at least ${row.sample_min}`,
        row.id,
      ]),
      'None: no alerts are raised.',
    ),
})
