import { z } from 'zod'
import { facts, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import {
  benchmarkReference,
  metricShape,
  renamedFrom,
  renamedLine,
  repositoryOfRun,
  resultShape,
  runReference,
  sameUriShape,
  statsShape,
} from './shapes.ts'

export const getBenchmarkResult = defineOperation({
  id: 'get_benchmark_result',
  title: 'Get a benchmark result',
  description:
    'What one run says of a benchmark: distribution, metrics, known issues, whether it has a flame graph.',
  toolset: 'benchmarks',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/runs/{run_id}/benchmarks/{benchmark}' },
  input: z.strictObject({
    run_id: runReference,
    repository: repositoryOfRun,
    benchmark: benchmarkReference.describe('Uri or id (ben_…); get_run shows them.'),
    include_rounds: z
      .boolean()
      .default(false)
      .describe('Also every single round, in the order they were taken.'),
  }),
  output: z.object({
    run_id: z.string(),
    project_id: z.string(),
    renamed_from: renamedFrom,
    same_uri: sameUriShape,
    result: resultShape.extend({ stats: statsShape, metrics: z.array(metricShape) }),
    round_values: z
      .array(z.number())
      .nullable()
      .describe('The value of each round, in the unit of the result; null when not asked for or not known.'),
    process_values: z
      .array(z.number().nullable())
      .describe('The value of each process, in order, where it was measured in several.'),
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
      profile_ids: z.array(z.string()).describe('The one that fits the instrument best comes first.'),
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
        renamed_from: null,
        same_uri: [],
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
        process_values: [],
        known_issues: [],
        flame_graph: { available: true, profile_ids: ['prf_01'] },
      },
    },
  ],
  link: ({ result, run_id }) => `/benchmarks/${result.benchmark_id}?run=${run_id}`,
  markdown: ({
    run_id,
    renamed_from,
    same_uri,
    result,
    known_issues,
    flame_graph,
    round_values,
    process_values,
  }) =>
    [
      `# ${result.name}`,
      ...renamedLine(renamed_from, result.uri),
      ...(same_uri.length === 0
        ? []
        : [
            `Measured in other ways too: ${same_uri.map((each) => `${each.benchmark_id} (${each.instrument} ${each.metric})`).join(', ')}.`,
          ]),
      facts({
        Run: run_id,
        Uri: result.uri,
        Instrument: result.instrument,
        Metric: result.metric,
        Value: formatQuantity(result.value, result.unit),
      }),
      table(
        ['Statistic', { title: 'Value', right: true }],
        // An answer that was not JSON yet has names without a value.
        Object.entries(result.stats).flatMap(([name, value]: [string, number | string | undefined]) =>
          value === undefined
            ? []
            : [[name.replace(/_ms$/, '').replaceAll('_', ' '), statValue(name, value, result.unit)]],
        ),
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
      ...(process_values.length === 0
        ? []
        : [`Processes (${result.unit}): ${process_values.map((value) => value ?? 'none').join(', ')}`]),
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
