import { z } from 'zod'
import { benchResultId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { benchMetricNames, benchResultLink } from './bench-run-shapes.ts'

export const getBenchSeries = defineOperation({
  id: 'get_bench_series',
  title: 'Get series of a bench result',
  description:
    'Values of metrics of a load test over time, in total or apart by profile, action or agent. Percentiles are those of all requests of each bucket.',
  toolset: 'scenarios',
  effect: 'read',
  scopes: ['read'],
  mcp: false,
  http: { method: 'GET', path: '/v1/bench-results/{bench_result_id}/series' },
  input: z.strictObject({
    bench_result_id: benchResultId,
    metrics: z.array(z.enum(benchMetricNames)).min(1).max(12).describe('What to draw.'),
    apart: z.enum(['profile', 'action', 'agent']).optional().describe('A line for each; else one of all.'),
    actions: z
      .array(z.number().int().min(0).max(65_535))
      .max(50)
      .optional()
      .describe('Places of actions, as get_bench_table has them: these only.'),
    from_second: z.int32().min(0).default(0).describe('Since the run began.'),
    to_second: z.int32().min(1).optional().describe('Up to the end when left out.'),
    points_max: z.number().int().min(1).max(2000).default(300).describe('Of each line.'),
    time: z
      .enum(['response', 'service'])
      .default('response')
      .describe('response: from when it should have been sent; service: from when it was.'),
  }),
  output: z.object({
    bench_result_id: z.string(),
    project_id: z.string(),
    bucket_seconds: z.number(),
    seconds: z.array(z.number()).describe('Beginnings of the buckets, since the run began.'),
    lines: z.array(
      z.object({
        metric: z.enum(benchMetricNames),
        unit: z.string(),
        name: z.string().describe('Of the profile, action or agent; empty: all.'),
        action: z.number().int().nullable(),
        values: z.array(z.number().nullable()).describe('null: nothing to tell.'),
      }),
    ),
  }),
  problems: ['bench_result_not_found', 'invalid_input'],
  examples: [
    {
      title: 'Rate and p95 of a short run',
      input: { bench_result_id: 'bnr_01', metrics: ['rate', 'p95'], points_max: 2 },
      output: {
        bench_result_id: 'bnr_01',
        project_id: 'prj_01',
        bucket_seconds: 60,
        seconds: [0, 60],
        lines: [
          { metric: 'rate', unit: 'per second', name: '', action: null, values: [310.2, 402.1] },
          { metric: 'p95', unit: 'ms', name: '', action: null, values: [40.1, 44.2] },
        ],
      },
    },
  ],
  link: ({ project_id, bench_result_id }) => benchResultLink({ project_id, id: bench_result_id }),
  markdown: ({ lines, seconds }) =>
    lines
      .map(
        ({ metric, unit, name, values }) =>
          `${metric}${name === '' ? '' : ` of ${name}`} (${unit}): ${seconds.map((second, index) => `${second} s ${values[index] ?? '–'}`).join(', ')}`,
      )
      .join('\n'),
})
