import { z } from 'zod'
import { benchmarkId } from '../fields.ts'
import { facts } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { benchmarkShape, exampleBenchmark } from './shapes.ts'

export const renameBenchmark = defineOperation({
  id: 'rename_benchmark',
  title: 'Rename a benchmark',
  description: 'Gives a benchmark another uri. Runs that come with either uri go on with the same history.',
  toolset: 'benchmarks',
  effect: 'write',
  scopes: ['write'],
  mcp: false,
  http: { method: 'POST', path: '/v1/benchmarks/{benchmark_id}/rename' },
  idempotent: true,
  input: z.strictObject({
    benchmark_id: benchmarkId,
    uri: z.string().min(1).max(1000).describe('The new uri, as the harness will write it.'),
  }),
  output: z.object({ benchmark: benchmarkShape }),
  problems: ['benchmark_not_found', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'A moved file',
      input: { benchmark_id: 'ben_01', uri: exampleBenchmark.uri },
      output: { benchmark: exampleBenchmark },
    },
  ],
  link: ({ benchmark }) => `/benchmarks/${benchmark.id}`,
  markdown: ({ benchmark }) => facts({ Benchmark: benchmark.id, Uri: benchmark.uri }),
})
