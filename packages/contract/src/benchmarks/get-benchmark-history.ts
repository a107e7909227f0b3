import { z } from 'zod'
import { benchmarkId, branch, timestamp } from '../fields.ts'
import { facts, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { environmentShape, instrument, statsShape } from './shapes.ts'

export const getBenchmarkHistory = defineOperation({
  id: 'get_benchmark_history',
  title: 'Get a benchmark’s history',
  description: 'Values of one benchmark over its runs, oldest first, on all branches or one.',
  toolset: 'benchmarks',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/benchmarks/{benchmark_id}/history' },
  input: z.strictObject({
    benchmark_id: benchmarkId,
    branch: branch.optional().describe('Only this branch.'),
    limit: z.number().int().min(1).max(5000).default(100).describe('How many of the newest runs.'),
  }),
  output: z.object({
    benchmark: z.object({
      id: z.string(),
      project_id: z.string(),
      uri: z.string(),
      name: z.string(),
      instrument,
      metric: z.string(),
      better_when: z.enum(['lower', 'higher']),
    }),
    unit: z.string(),
    points: z.array(
      z.object({
        run_id: z.string(),
        branch: z.string(),
        commit_hash: z.string(),
        commit_message: z.string(),
        at: timestamp.describe('When it was committed, or recorded when that is not known.'),
        value: z.number(),
        stats: statsShape,
        environment: environmentShape,
      }),
    ),
  }),
  problems: ['benchmark_not_found'],
  examples: [
    {
      title: 'Nothing recorded yet',
      input: { benchmark_id: 'ben_01' },
      output: {
        benchmark: {
          id: 'ben_01',
          project_id: 'prj_01',
          uri: 'price cart',
          name: 'price cart',
          instrument: 'walltime',
          metric: 'time',
          better_when: 'lower',
        },
        unit: 'ns',
        points: [],
      },
    },
  ],
  link: ({ benchmark }) => `/benchmarks/${benchmark.id}`,
  markdown: ({ benchmark, points, unit }) =>
    [
      `# ${benchmark.name}`,
      facts({
        Uri: benchmark.uri,
        Instrument: benchmark.instrument,
        Metric: benchmark.metric,
        Runs: points.length,
      }),
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
        'No runs that fit.',
      ),
    ].join('\n\n'),
})
