import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import {
  baselineReference,
  exampleRun,
  instrument,
  repositoryOfRun,
  runReference,
  runShape,
} from './shapes.ts'

export const verdicts = [
  'regressed',
  'improved',
  'unchanged',
  'noisy',
  'new',
  'missing',
  'incomparable',
] as const

export const comparedShape = z.object({
  uri: z.string(),
  name: z.string(),
  benchmark_id: z.string().describe('Of head, or of base for a missing benchmark.'),
  verdict: z.enum(verdicts),
  base_value: z.number().nullable(),
  head_value: z.number().nullable(),
  unit: z.string(),
  instrument,
  metric: z.string().describe('What the values are, such as time, instructions or peak_memory.'),
  better_when: z.enum(['lower', 'higher']),
  change_percent: z
    .number()
    .nullable()
    .describe('Of head against base; positive is a larger value, which is slower for times.'),
  interval_low_percent: z.number().nullable().describe('Lower end of the confidence interval of the change.'),
  interval_high_percent: z.number().nullable(),
  noise_percent: z
    .number()
    .nullable()
    .describe('How far one round differs from another (one standard deviation), on the noisier side.'),
  p_value: z
    .number()
    .nullable()
    .describe(
      'How probable such a difference is without a change, among all benchmarks that were compared; null when not tested.',
    ),
  reason: z.string().describe('Why this verdict, in words.'),
  is_ignored: z.boolean().describe('Its state says so: listed last, and not counted.'),
  is_acknowledged: z.boolean().describe('Somebody accepted this regression, or muted its alert.'),
  has_base_profile: z.boolean(),
  has_head_profile: z.boolean(),
})

export const compareRuns = defineOperation({
  id: 'compare_runs',
  title: 'Compare two runs',
  description:
    'Judge a run against another: environment differences first, then every benchmark with its verdict, size and certainty. By default the last commit against its baseline. explain_regression then tells why.',
  toolset: 'benchmarks',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/runs/compare' },
  reportField: 'report',
  input: z.strictObject({
    base_run_id: baselineReference,
    head_run_id: runReference.default('latest'),
    repository: repositoryOfRun,
    threshold_percent: z
      .number()
      .min(0)
      .max(1000)
      .default(5)
      .describe('Smaller changes are unchanged. Benchmarks may have their own.'),
    confidence: z.number().min(0.5).max(0.999).default(0.95).describe('How sure to be.'),
    limit: z.number().int().min(1).max(10_000).default(25).describe('Benchmarks at most, worst first.'),
  }),
  output: z.object({
    base: runShape,
    head: runShape,
    summary: z.object({
      regressed: z.number().int(),
      improved: z.number().int(),
      unchanged: z.number().int(),
      noisy: z.number().int(),
      new: z.number().int(),
      missing: z.number().int(),
      incomparable: z.number().int(),
      ignored: z.number().int().describe('Compared, but in none of the counts.'),
      acknowledged: z.number().int().describe('Of the regressed ones.'),
      geometric_mean_change_percent: z
        .number()
        .nullable()
        .describe('Over the benchmarks of both runs; positive is worse.'),
    }),
    environment_differences: z
      .array(
        z.object({
          name: z.string(),
          base: z.string().nullable(),
          head: z.string().nullable(),
          matters: z.boolean().describe('Whether it puts changes in doubt.'),
          reason: z.string().describe('Why it matters or does not, in words.'),
        }),
      )
      .describe('Those that matter first.'),
    benchmarks: z.array(comparedShape).describe('Worst first.'),
    omitted_benchmark_count: z.number().int(),
    report: z.string().describe('The whole answer as a markdown report.'),
  }),
  problems: ['run_not_found', 'repository_not_found', 'runs_not_comparable', 'not_ready'],
  examples: [
    {
      title: 'A slower run',
      input: { base_run_id: 'run_01', head_run_id: 'run_02' },
      output: {
        base: exampleRun,
        head: { ...exampleRun, id: 'run_02', branch: 'feat/loyalty' },
        summary: {
          regressed: 1,
          improved: 0,
          unchanged: 5,
          noisy: 0,
          new: 0,
          missing: 0,
          incomparable: 0,
          ignored: 0,
          acknowledged: 0,
          geometric_mean_change_percent: 8.1,
        },
        environment_differences: [],
        benchmarks: [
          {
            uri: 'bench/pricing.bench.js::pricing::price cart',
            name: 'price cart',
            benchmark_id: 'ben_01',
            verdict: 'regressed',
            base_value: 12_400,
            head_value: 19_800,
            unit: 'ns',
            instrument: 'walltime',
            metric: 'time',
            better_when: 'lower',
            change_percent: 59.7,
            interval_low_percent: 55.2,
            interval_high_percent: 64,
            noise_percent: 1.9,
            p_value: 0.0004,
            reason:
              'The median is slower by +59.7 % (+55.2 % to +64.0 % with 95 % confidence, by the medians of 40 and 40 rounds and an assumed 1.1 % between runs; p < 0.001).',
            is_ignored: false,
            is_acknowledged: false,
            has_base_profile: true,
            has_head_profile: true,
          },
        ],
        omitted_benchmark_count: 0,
        report: '## Regressions\n…',
      },
    },
  ],
  link: ({ base, head }) => `/compare?base=${base.id}&head=${head.id}`,
  markdown: ({ report }) => report,
})
