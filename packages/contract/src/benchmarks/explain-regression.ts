import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { baselineReference, repositoryOfRun, runReference } from './shapes.ts'

export const explainRegression = defineOperation({
  id: 'explain_regression',
  title: 'Explain a regression',
  description:
    'Which functions a benchmark’s change between two runs comes from, in amounts that add up. Needs a profile of both.',
  toolset: 'benchmarks',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/runs/compare/{benchmark}/explanation' },
  reportField: 'report',
  input: z.strictObject({
    benchmark: z.string().min(1).max(1000).describe('Uri or id (ben_…).'),
    base_run_id: baselineReference,
    head_run_id: runReference.default('latest'),
    repository: repositoryOfRun,
    limit: z.number().int().min(1).max(200).default(20).describe('Functions at most.'),
  }),
  output: z.object({
    base_run_id: z.string(),
    head_run_id: z.string(),
    benchmark_id: z.string(),
    uri: z.string(),
    unit: z.string(),
    base_value: z.number(),
    head_value: z.number(),
    change: z.number().describe('head − base, in unit.'),
    functions: z.array(
      z.object({
        name: z.string(),
        file: z.string().nullable(),
        origin: z.string().describe('User code, or the package it comes from.'),
        base_self: z.number().describe('Its own share of base_value.'),
        head_self: z.number(),
        difference: z.number().describe('What it adds to change; negative: what it takes away.'),
        state: z.enum(['added', 'removed', 'worse', 'better', 'same']),
      }),
    ),
    others_difference: z.number().describe('What all functions that are not listed add.'),
    report: z.string(),
  }),
  problems: [
    'run_not_found',
    'repository_not_found',
    'benchmark_not_found',
    'no_profile',
    'not_ready',
    'runs_not_comparable',
  ],
  examples: [
    {
      title: 'A new linear search',
      input: { benchmark: 'ben_01', base_run_id: 'run_01', head_run_id: 'run_02' },
      output: {
        base_run_id: 'run_01',
        head_run_id: 'run_02',
        benchmark_id: 'ben_01',
        uri: 'bench/pricing.bench.js::pricing::apply discounts',
        unit: 'ns',
        base_value: 12_400,
        head_value: 19_800,
        change: 7400,
        functions: [
          {
            name: 'findMatchingRules',
            file: 'src/discounts.js',
            origin: 'User code',
            base_self: 0,
            head_self: 7300,
            difference: 7300,
            state: 'added',
          },
        ],
        others_difference: 100,
        report: '# apply discounts: +7.4 µs\n…',
      },
    },
  ],
  link: ({ base_run_id, head_run_id }) => `/compare?base=${base_run_id}&head=${head_run_id}`,
  markdown: ({ report }) => report,
})
