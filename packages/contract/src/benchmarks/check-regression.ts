import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import { comparedShape } from './compare-runs.ts'
import { baselineReference, exampleRun, repositoryOfRun, runReference, runShape } from './shapes.ts'

export const checkRegression = defineOperation({
  id: 'check_regression',
  title: 'Check a run for regressions',
  description:
    'Pass or fail, as a CI gate: judges a run by thresholds, else against its baseline. Ignored benchmarks and acknowledged regressions fail nothing.',
  toolset: 'benchmarks',
  effect: 'read',
  scopes: ['read', 'upload'],
  http: { method: 'GET', path: '/v1/runs/{run_id}/check' },
  reportField: 'report',
  input: z.strictObject({
    run_id: runReference.default('latest'),
    repository: repositoryOfRun,
    base_run_id: baselineReference,
    threshold_percent: z
      .number()
      .min(0)
      .max(1000)
      .optional()
      .describe('Smaller changes do not count; else as the thresholds say.'),
    confidence: z.number().min(0.5).max(0.999).default(0.95).describe('How sure to be.'),
    fail_on: z
      .array(z.enum(['regressed', 'noisy', 'missing', 'incomparable']))
      .min(1)
      .max(4)
      .default(['regressed'])
      .describe('Verdicts that fail it.'),
    limit: z.number().int().min(1).max(1000).default(25).describe('Failures at most.'),
  }),
  output: z.object({
    passed: z.boolean(),
    base: runShape.nullable().describe('null: no baseline yet; only thresholds judge.'),
    head: runShape,
    failures: z.array(comparedShape).describe('What fails it, worst first.'),
    failure_count: z.number().int(),
    judged_count: z.number().int(),
    acknowledged_count: z.number().int(),
    ignored_count: z.number().int(),
    notes: z.array(z.string()).describe('What thresholds could not judge, and why.'),
    report: z.string().describe('Markdown, ready for a pull request.'),
  }),
  problems: ['run_not_found', 'repository_not_found', 'runs_not_comparable', 'not_ready'],
  examples: [
    {
      title: 'No baseline yet',
      input: { run_id: 'run_01' },
      output: {
        passed: true,
        base: null,
        head: exampleRun,
        failures: [],
        failure_count: 0,
        judged_count: 0,
        acknowledged_count: 0,
        ignored_count: 0,
        notes: [],
        report: '## ✅ Passed: there is no earlier run to judge this one against\n…',
      },
    },
  ],
  link: ({ base, head }) => (base === null ? `/runs/${head.id}` : `/runs/${head.id}/report?base=${base.id}`),
  markdown: ({ report }) => report,
})
