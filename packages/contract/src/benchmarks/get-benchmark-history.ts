import { z } from 'zod'
import { branch, timestamp } from '../fields.ts'
import { facts, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatChangePercent, formatQuantity } from '../quantity.ts'
import {
  benchmarkReference,
  benchmarkShape,
  environmentShape,
  exampleBenchmark,
  renamedFrom,
  renamedLine,
  repositoryOrProject,
  sameUriShape,
} from './shapes.ts'
import { alertShape } from './watch-shapes.ts'

export const getBenchmarkHistory = defineOperation({
  id: 'get_benchmark_history',
  title: 'Get a benchmark’s history',
  description: 'Values of a benchmark over its runs, oldest first, with changes of level and alerts.',
  toolset: 'benchmarks',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/benchmarks/{benchmark_id}/history' },
  input: z.strictObject({
    benchmark_id: benchmarkReference.describe('Id (ben_…), or a uri with repository.'),
    repository: repositoryOrProject.optional().describe('Where a uri is.'),
    branch: branch.optional().describe('Only this branch.'),
    metric: z.string().min(1).max(100).optional().describe('A further metric, such as memory.'),
    limit: z.number().int().min(1).max(5000).default(30).describe('Newest runs at most.'),
  }),
  output: z.object({
    benchmark: benchmarkShape,
    renamed_from: renamedFrom,
    same_uri: sameUriShape,
    metric: z.string().describe('What the values are.'),
    better_when: z
      .enum(['lower', 'higher'])
      .nullable()
      .describe('Of the metric; null where neither the tool nor the unit tells.'),
    metrics: z.array(z.string()).describe('What there is to choose from, the main one first.'),
    unit: z.string().describe('Of all values: that of the newest.'),
    other_unit_count: z.number().int().describe('Runs left out because they tell it in another unit.'),
    points: z.array(
      z.object({
        run_id: z.string(),
        branch: z.string(),
        commit_hash: z.string(),
        commit_message: z.string(),
        at: timestamp.describe('When it was committed, or recorded when that is not known.'),
        value: z.number(),
        stdev: z.number().nullable().describe('Within the run; get_benchmark_result has the rest.'),
        environment_id: z.string().nullable().describe('One of environments; null when nothing is known.'),
      }),
    ),
    environments: z.record(z.string(), environmentShape).describe('Of the points, by id.'),
    change_points: z
      .array(
        z.object({
          branch: z.string(),
          run_id: z.string().describe('The first run after the change.'),
          before: z.number().describe('Level before, in unit.'),
          after: z.number(),
          change_percent: z.number(),
          interval_low_percent: z.number(),
          interval_high_percent: z.number(),
          sentence: z.string(),
        }),
      )
      .describe('Where the level of a branch changed and stayed, oldest first; of the points shown.'),
    alerts: z.array(alertShape).describe('Of this metric, newest first, at most 100.'),
  }),
  problems: ['benchmark_not_found', 'repository_not_found'],
  examples: [
    {
      title: 'Nothing recorded yet',
      input: { benchmark_id: 'ben_01' },
      output: {
        benchmark: exampleBenchmark,
        renamed_from: null,
        same_uri: [],
        metric: 'time',
        better_when: 'lower',
        metrics: ['time'],
        unit: 'ns',
        other_unit_count: 0,
        points: [],
        environments: {},
        change_points: [],
        alerts: [],
      },
    },
  ],
  link: ({ benchmark }) => `/benchmarks/${benchmark.id}`,
  markdown: ({
    benchmark,
    renamed_from,
    metric,
    metrics,
    better_when,
    other_unit_count,
    points,
    unit,
    change_points,
    alerts,
  }) =>
    [
      `# ${benchmark.name}`,
      ...renamedLine(renamed_from, benchmark.uri),
      facts({
        Uri: benchmark.uri,
        Instrument: benchmark.instrument,
        Metric: metric,
        'Better when': better_when,
        Runs: points.length,
        ...(other_unit_count === 0 ? {} : { 'Left out, in another unit': other_unit_count }),
        'Open alerts': alerts.filter(({ state }) => state === 'open').length,
      }),
      ...(change_points.length === 0
        ? []
        : [
            table(
              ['Changed with', 'Branch', 'Change', 'Before', 'After'],
              change_points.map((point) => [
                point.run_id,
                point.branch,
                formatChangePercent(point.change_percent),
                formatQuantity(point.before, unit),
                formatQuantity(point.after, unit),
              ]),
              '',
            ),
          ]),
      table(
        ['When', 'Branch', 'Commit', 'Message', { title: 'Value', right: true }, 'Run'],
        points
          .slice(-100)
          .map((point) => [
            point.at,
            point.branch,
            point.commit_hash.slice(0, 9),
            point.commit_message.split('\n')[0]?.slice(0, 60),
            formatQuantity(point.value, unit),
            point.run_id,
          ]),
        `No runs that fit. It has the metrics ${metrics.join(', ')}.`,
      ),
    ].join('\n\n'),
})
