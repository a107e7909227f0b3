import { z } from 'zod'
import { benchmarkId } from '../fields.ts'
import { facts } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { benchmarkShape, exampleBenchmark } from './shapes.ts'

export const mergeBenchmarks = defineOperation({
  id: 'merge_benchmarks',
  title: 'Merge two benchmarks',
  description:
    'Puts the history of another benchmark in front of this one, when it was renamed in the code: its results, profiles and alerts move here, its uri is remembered, and it is gone. Runs that have both keep the result of this one.',
  toolset: 'benchmarks',
  effect: 'destroy',
  scopes: ['write'],
  mcp: false,
  http: { method: 'POST', path: '/v1/benchmarks/{benchmark_id}/merge' },
  input: z.strictObject({
    benchmark_id: benchmarkId,
    from_benchmark_id: benchmarkId.describe('The one that is gone afterwards (ben_…).'),
  }),
  output: z.object({ benchmark: benchmarkShape, moved_result_count: z.number().int() }),
  problems: ['benchmark_not_found', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'The same under two names',
      input: { benchmark_id: 'ben_02', from_benchmark_id: 'ben_01' },
      output: { benchmark: { ...exampleBenchmark, id: 'ben_02' }, moved_result_count: 40 },
    },
  ],
  link: ({ benchmark }) => `/benchmarks/${benchmark.id}`,
  markdown: ({ benchmark, moved_result_count }) =>
    facts({ Benchmark: benchmark.id, Uri: benchmark.uri, 'Results moved': moved_result_count }),
})
