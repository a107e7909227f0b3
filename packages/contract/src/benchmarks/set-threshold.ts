import { z } from 'zod'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { repositoryOrProject } from './shapes.ts'
import { exampleThreshold, thresholdShape, thresholdTarget, thresholdTests } from './watch-shapes.ts'

export const setThreshold = defineOperation({
  id: 'set_threshold',
  title: 'Set a threshold',
  description:
    'Decide what raises an alert, and fails a check, for a branch, benchmark and metric, or all. With dry_run, see what it would have raised.',
  toolset: 'benchmarks',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PUT', path: '/v1/repositories/{repository}/thresholds' },
  input: z.strictObject({
    repository: repositoryOrProject,
    ...thresholdTarget,
    test: z
      .enum([...thresholdTests, 'off'])
      .describe('How a value is judged against those before it; off: not at all.'),
    lower_bound: z.number().nullable().default(null).describe('Limit below, likewise.'),
    upper_bound: z
      .number()
      .nullable()
      .default(null)
      .describe(
        'Limit above, such as 0.1 for 10 percent; of static the value; of z_score, t_test, log_normal a probability such as 0.99; of iqr, delta_iqr quartile distances.',
      ),
    window_runs: z.number().int().min(2).max(1000).default(64).describe('Runs looked at.'),
    sample_min: z.number().int().min(1).max(1000).default(5).describe('With fewer nothing is judged.'),
    dry_run: z.boolean().default(false).describe('Change nothing.'),
  }),
  output: z.object({
    project_id: z.string(),
    benchmark_uri: z.string().nullable().describe('What its benchmark is called now; null: every one.'),
    threshold: thresholdShape.nullable().describe('null when it was taken away.'),
    would_have_raised: z
      .array(
        z.object({
          benchmark_id: z.string(),
          uri: z.string(),
          run_id: z.string(),
          verdict: z.enum(['regressed', 'improved']),
          value: z.number(),
          unit: z.string(),
          limit: z.number().nullable(),
          reason: z.string(),
        }),
      )
      .describe('Of the runs in the window, newest first, at most 100.'),
  }),
  problems: ['repository_not_found', 'benchmark_not_found', 'insufficient_role', 'invalid_input'],
  examples: [
    {
      title: 'Ten percent on main',
      input: { repository: 'acme/checkout-service', branch: 'main', test: 't_test', upper_bound: 0.99 },
      output: {
        project_id: 'prj_01',
        benchmark_uri: null,
        threshold: exampleThreshold,
        would_have_raised: [],
      },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/thresholds`,
  markdown: ({ benchmark_uri, threshold, would_have_raised }) =>
    [
      threshold === null
        ? 'No threshold there any more.'
        : `Threshold ${threshold.id}: ${threshold.test}${benchmark_uri === null ? '' : `, for ${benchmark_uri}`}.`,
      // Who did not ask for a dry run is told nothing of the last runs, because nobody looked at them.
      ...(threshold?.id === 'dry_run'
        ? [
            table(
              ['Benchmark', 'Run', 'Verdict', { title: 'Value', right: true }, 'Reason'],
              would_have_raised.map((row) => [
                row.uri,
                row.run_id,
                row.verdict,
                formatQuantity(row.value, row.unit),
                row.reason,
              ]),
              'It would have raised nothing in the last runs.',
            ),
          ]
        : []),
    ].join('\n\n'),
})
