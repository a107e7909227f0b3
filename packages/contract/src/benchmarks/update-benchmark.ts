import { z } from 'zod'
import { benchmarkId } from '../fields.ts'
import { facts } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { benchmarkShape, exampleBenchmark } from './shapes.ts'

export const updateBenchmark = defineOperation({
  id: 'update_benchmark',
  title: 'Update a benchmark',
  description:
    'Ignore or archive a benchmark, mark it critical, give it a threshold of its own. Its history stays.',
  toolset: 'benchmarks',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PATCH', path: '/v1/benchmarks/{benchmark_id}' },
  input: z.strictObject({
    benchmark_id: benchmarkId,
    state: z
      .enum(['active', 'ignored', 'archived'])
      .optional()
      .describe('ignored: fails no check; archived: hidden.'),
    is_critical: z.boolean().optional().describe('Its regressions always fail a check.'),
    threshold_percent: z
      .number()
      .min(0)
      .max(1000)
      .nullable()
      .optional()
      .describe('From which change on it counts; null: the project’s.'),
    name: z.string().min(1).max(500).optional().describe('Name to show; its uri stays.'),
  }),
  output: z.object({ benchmark: benchmarkShape }),
  problems: ['benchmark_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Ignore a noisy one',
      input: { benchmark_id: 'ben_01', state: 'ignored' },
      output: { benchmark: { ...exampleBenchmark, state: 'ignored' } },
    },
  ],
  link: ({ benchmark }) => `/benchmarks/${benchmark.id}`,
  markdown: ({ benchmark }) =>
    facts({
      Benchmark: benchmark.uri,
      State: benchmark.state,
      Critical: benchmark.is_critical,
      'Threshold percent': benchmark.threshold_percent,
    }),
})
