import { z } from 'zod'
import { facts, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { metricShape, repositoryOfRun, resultShape, runReference, statsShape } from './shapes.ts'

export const getBenchmarkResult = defineOperation({
  id: 'get_benchmark_result',
  title: 'Get a benchmark result',
  description:
    'Everything one run says of one benchmark: distribution, other metrics, known issues, and whether a flame graph is there.',
  toolset: 'benchmarks',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/runs/{run_id}/benchmarks/{benchmark}' },
  input: z.strictObject({
    run_id: runReference,
    repository: repositoryOfRun,
    benchmark: z
      .string()
      .min(1)
      .max(1000)
      .describe('Uri or id (ben_…) of the benchmark; get_run shows them.'),
    include_rounds: z
      .boolean()
      .default(false)
      .describe('Also every single round, in the order they were taken.'),
  }),
  output: z.object({
    run_id: z.string(),
    project_id: z.string(),
    result: resultShape.extend({ stats: statsShape, metrics: z.array(metricShape) }),
    round_values: z
      .array(z.number())
      .nullable()
      .describe('The value of each round, in the unit of the result; null when not asked for or not known.'),
    known_issues: z
      .array(
        z.object({
          code: z.string().describe('Such as few_rounds, two_humps or environment_changed.'),
          explanation: z.string(),
        }),
      )
      .describe('What makes this result less sure.'),
    flame_graph: z.object({
      available: z.boolean(),
      profile_ids: z.array(z.string()),
    }),
  }),
  problems: ['run_not_found', 'benchmark_not_found'],
  examples: [
    {
      title: 'A wall-time result',
      input: { run_id: 'run_01', benchmark: 'bench/pricing.bench.js::pricing::price cart' },
      output: {
        run_id: 'run_01',
        project_id: 'prj_01',
        result: {
          benchmark_id: 'ben_01',
          uri: 'bench/pricing.bench.js::pricing::price cart',
          name: 'price cart',
          instrument: 'walltime',
          metric: 'time',
          better_when: 'lower',
          value: 12_400,
          unit: 'ns',
          stats: { mean: 12_400, stdev: 120, rounds: 40_000 },
          metrics: [],
        },
        round_values: null,
        known_issues: [],
        flame_graph: { available: true, profile_ids: ['prf_01'] },
      },
    },
  ],
  link: ({ result, run_id }) => `/benchmarks/${result.benchmark_id}?run=${run_id}`,
  markdown: ({ run_id, result, known_issues, flame_graph, round_values }) =>
    [
      `# ${result.name}`,
      facts({
        Run: run_id,
        Uri: result.uri,
        Instrument: result.instrument,
        Metric: result.metric,
        Value: formatQuantity(result.value, result.unit),
      }),
      table(
        ['Statistic', { title: 'Value', right: true }],
        Object.entries(result.stats).map(([name, value]) => [
          name.replace(/_ms$/, '').replaceAll('_', ' '),
          statValue(name, value, result.unit),
        ]),
        'The tool told no distribution.',
      ),
      ...(result.metrics.length > 0
        ? [
            table(
              ['Metric', { title: 'Value', right: true }, 'Better when'],
              result.metrics.map((metric) => [
                metric.name,
                formatQuantity(metric.value, metric.unit),
                metric.better_when,
              ]),
              '',
            ),
          ]
        : []),
      ...(round_values === null
        ? []
        : [
            `Rounds (${result.unit}): ${round_values.slice(0, 200).join(', ')}${round_values.length > 200 ? ', …' : ''}`,
          ]),
      ...(known_issues.length > 0
        ? [`Known issues:\n${known_issues.map(({ explanation }) => `- ${explanation}`).join('\n')}`]
        : []),
      flame_graph.available
        ? `A flame graph is there: query_flamegraph with run_id ${run_id} and this benchmark.`
        : 'There is no flame graph of this benchmark in this run.',
    ].join('\n\n'),
})

/** Not in the unit of the result. */
const counted = new Set(['rounds', 'iterations_per_round', 'warmup_iterations', 'outlier_rounds'])

function statValue(name: string, value: number | string, unit: string): number | string {
  if (typeof value === 'string' || counted.has(name)) return value
  return formatQuantity(value, name.endsWith('_ms') ? 'ms' : unit)
}
