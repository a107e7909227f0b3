import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { adapterName, exampleRun, newRunFields, runShape } from './shapes.ts'

export const submitBenchmarkResults = defineOperation({
  id: 'submit_benchmark_results',
  title: 'Submit benchmark results',
  description:
    'Record a run from the output of a benchmark tool, inline (up to 100 kB of text; create_run_upload takes more). Answers what was read. compare_runs then judges it.',
  toolset: 'benchmarks',
  effect: 'write',
  scopes: ['write', 'upload'],
  http: { method: 'POST', path: '/v1/repositories/{repository}/runs', status: 201 },
  input: z.strictObject({
    ...newRunFields,
    adapter: adapterName,
    results: z.string().min(1).max(100_000).describe('What the tool printed or wrote.'),
  }),
  output: z.object({
    run: runShape,
    benchmarks: z.array(z.string()).describe('Uris of what was read; at most 200.'),
  }),
  problems: [
    'plan_limit_reached',
    'repository_not_found',
    'run_not_found',
    'conflict',
    'unreadable_results',
    'insufficient_role',
  ],
  examples: [
    {
      title: 'go test -bench',
      input: {
        repository: 'acme/log-router',
        branch: 'main',
        commit_hash: 'abc1234',
        results: 'BenchmarkRoute-8   1000000   1042 ns/op\n',
      },
      output: { run: exampleRun, benchmarks: ['BenchmarkRoute'] },
    },
  ],
  link: ({ run }) => `/runs/${run.id}`,
  markdown: ({ run, benchmarks }) =>
    [
      `Run **${run.id}** on ${run.branch} at ${run.commit_hash.slice(0, 12)}: ${run.result_count} results read as ${run.adapter}.`,
      benchmarks.map((uri) => `- ${uri}`).join('\n'),
      ...(run.warnings.length > 0
        ? [`Warnings:\n${run.warnings.map((warning) => `- ${warning}`).join('\n')}`]
        : []),
    ].join('\n\n'),
})
