import { z } from 'zod'
import { branch } from '../fields.ts'
import { facts, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { exampleRun, repositoryOfRun, resultShape, runReference, runShape } from './shapes.ts'

export const getRun = defineOperation({
  id: 'get_run',
  title: 'Get a run',
  description:
    'One benchmark run: commit, environment, every benchmark with its value and known issues. Without an id the latest: of a branch or repository when given, else of all you see.',
  toolset: 'benchmarks',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/runs/{run_id}' },
  input: z.strictObject({
    run_id: runReference.default('latest'),
    repository: repositoryOfRun,
    branch: branch.optional().describe('With latest: of this branch.'),
    limit: z.number().int().min(1).max(10_000).default(50).describe('Results at most, by uri.'),
    offset: z.number().int().min(0).max(1_000_000).default(0).describe('Results to pass over.'),
  }),
  output: z.object({
    run: runShape,
    results: z.array(
      resultShape.extend({
        has_profile: z.boolean().describe('Whether query_flamegraph can tell more.'),
        known_issues: z
          .array(z.string())
          .nullable()
          .describe('Such as few_rounds; get_benchmark_result explains. null after the first 1,000 results.'),
      }),
    ),
    omitted_result_count: z.number().int().describe('Results after these.'),
  }),
  problems: ['run_not_found', 'repository_not_found'],
  examples: [
    {
      title: 'The latest run of a branch',
      input: { repository: 'acme/checkout-service', branch: 'main' },
      output: {
        run: exampleRun,
        results: [
          {
            benchmark_id: 'ben_01',
            uri: 'bench/pricing.bench.js::pricing::price cart',
            name: 'price cart',
            instrument: 'walltime',
            metric: 'time',
            better_when: 'lower',
            value: 12_400,
            unit: 'ns',
            has_profile: true,
            known_issues: [],
          },
        ],
        omitted_result_count: 0,
      },
    },
  ],
  link: ({ run }) => `/runs/${run.id}`,
  markdown: ({ run, results, omitted_result_count }) =>
    [
      `# Run ${run.id}`,
      facts({
        Branch: run.branch,
        Commit: `${run.commit_hash.slice(0, 12)} ${run.commit_message.split('\n')[0]}`,
        'Pull request': run.pull_request,
        'Measured in turns': run.measurement_id,
        Event: run.event,
        Status: run.status,
        When: run.created_at,
        Environment: Object.entries(run.environment)
          .map(([name, value]) => `${name} ${value}`)
          .join(', '),
        Warnings: run.warnings.join('; '),
      }),
      table(
        ['Benchmark', { title: 'Value', right: true }, 'Instrument', 'Flame graph', 'Known issues', 'Id'],
        results.map((result) => [
          result.uri,
          formatQuantity(result.value, result.unit),
          result.instrument,
          result.has_profile ? 'yes' : 'no',
          result.known_issues?.join(', ').replaceAll('_', ' ') || null,
          result.benchmark_id,
        ]),
        'No results.',
      ),
      ...(omitted_result_count > 0 ? [`_${omitted_result_count} more results: raise limit or offset._`] : []),
    ].join('\n\n'),
})
