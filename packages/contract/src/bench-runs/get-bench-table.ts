import { z } from 'zod'
import { benchResultId, timestamp } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { benchResultLink, benchRowShape, type BenchRowShape } from './bench-run-shapes.ts'

const exampleRow: BenchRowShape = {
  action: null,
  action_id: null,
  type: null,
  name: 'All requests',
  path: [],
  profile: null,
  count: 12_040,
  rate_per_second: 402.1,
  mean_ms: 21.4,
  min_ms: 3.1,
  p50_ms: 18.2,
  p90_ms: 38.4,
  p95_ms: 44.1,
  p99_ms: 91.7,
  p99_9_ms: 201.4,
  max_ms: 412.6,
  failed: 3,
  error_share: 0.00025,
  sent_bytes: 9_120_400,
  received_bytes: 81_204_112,
  apdex: 0.99,
  phases_ms: { dns: 0, connect: 0.1, tls: 0, wait: 18.8, download: 2.5 },
}

export const getBenchTable = defineOperation({
  id: 'get_bench_table',
  title: 'Get the results table of a bench result',
  description:
    'Count, rate, times, errors and bytes of each action of a load test, of all together, errors by class with samples, and the distribution of times.',
  toolset: 'scenarios',
  effect: 'read',
  scopes: ['read'],
  mcp: false,
  http: { method: 'GET', path: '/v1/bench-results/{bench_result_id}/table' },
  input: z.strictObject({
    bench_result_id: benchResultId,
    from_second: z.int32().min(0).default(0).describe('Since the run began.'),
    to_second: z.int32().min(1).optional().describe('Up to the end when left out.'),
  }),
  output: z.object({
    bench_result_id: z.string(),
    project_id: z.string(),
    total: benchRowShape.nullable().describe('null: nothing was measured yet.'),
    rows: z.array(benchRowShape).describe('In the order of the virtual users.'),
    errors: z.array(
      z.object({
        action: z.number().int(),
        name: z.string(),
        error_class: z.string(),
        count: z.number(),
        share: z.number().describe('Of what was done of the action.'),
      }),
    ),
    samples: z.array(
      z.object({
        id: z.string(),
        action: z.number().int(),
        name: z.string(),
        error_class: z.string(),
        message: z.string(),
        at: timestamp,
        exchange: z.record(z.string(), z.unknown()).nullable(),
      }),
    ),
    percentiles: z
      .array(z.object({ percentile: z.number(), ms: z.number() }))
      .describe('Curve of the times of all requests.'),
    distribution: z
      .array(z.object({ from_ms: z.number(), to_ms: z.number(), count: z.number() }))
      .describe('Histogram of the times of all requests.'),
  }),
  problems: ['bench_result_not_found', 'invalid_input'],
  examples: [
    {
      title: 'Of a run',
      input: { bench_result_id: 'bnr_01' },
      output: {
        bench_result_id: 'bnr_01',
        project_id: 'prj_01',
        total: exampleRow,
        rows: [
          {
            ...exampleRow,
            action: 2,
            action_id: 'act_pay',
            type: 'http_request',
            name: 'POST /pay',
            path: ['checkout'],
            profile: 'buyers',
          },
        ],
        errors: [{ action: 2, name: 'POST /pay', error_class: 'status_5xx', count: 3, share: 0.001 }],
        samples: [],
        percentiles: [
          { percentile: 50, ms: 18.2 },
          { percentile: 99, ms: 91.7 },
        ],
        distribution: [{ from_ms: 3.1, to_ms: 50, count: 11_800 }],
      },
    },
  ],
  link: ({ project_id, bench_result_id }) => benchResultLink({ project_id, id: bench_result_id }),
  markdown: ({ rows, total, errors }) =>
    [
      '| action | count | /s | mean | p50 | p95 | p99 | max | failed |',
      '| --- | --: | --: | --: | --: | --: | --: | --: | --: |',
      ...[...rows, ...(total === null ? [] : [total])].map(
        (row) =>
          `| ${[...row.path, row.name].join(' / ')} | ${row.count} | ${row.rate_per_second} | ${row.mean_ms ?? '–'} | ${row.p50_ms ?? '–'} | ${row.p95_ms ?? '–'} | ${row.p99_ms ?? '–'} | ${row.max_ms ?? '–'} | ${row.failed} |`,
      ),
      ...errors.map(({ name, error_class, count }) => `\n${name}: ${count} × ${error_class}`),
    ].join('\n'),
})
