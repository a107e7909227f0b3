import { z } from 'zod'
import { benchReportId, timestamp } from '../fields.ts'
import { facts, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { formatShare } from '../quantity.ts'
import { benchReportLink, reportErrorShape } from './report-shapes.ts'

export const getReportErrors = defineOperation({
  id: 'get_report_errors',
  title: 'Get the errors of a bench report',
  description:
    'Errors of a run by action and class, with ids of samples; with sample_id the request and the answer of one.',
  toolset: 'reports',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/reports/{bench_report_id}/errors' },
  input: z.strictObject({
    bench_report_id: benchReportId,
    run: z.number().int().min(0).max(9).default(0).describe('Place of the run in the report.'),
    sample_id: z.string().min(1).max(64).optional().describe('One of sample_ids.'),
  }),
  output: z.object({
    bench_report_id: z.string(),
    project_id: z.string(),
    bench_result_id: z.string(),
    total: z.number(),
    errors: z.array(reportErrorShape).describe('Most frequent first.'),
    sample: z
      .object({
        id: z.string(),
        action: z.number().int(),
        name: z.string(),
        error_class: z.string(),
        message: z.string(),
        at: timestamp,
        exchange: z.record(z.string(), z.unknown()).nullable().describe('Request and response.'),
      })
      .nullable()
      .describe('null without sample_id.'),
  }),
  problems: ['bench_report_not_found', 'bench_result_not_found', 'bench_sample_not_found', 'invalid_input'],
  examples: [
    {
      title: 'All',
      input: { bench_report_id: 'rep_01' },
      output: {
        bench_report_id: 'rep_01',
        project_id: 'prj_01',
        bench_result_id: 'bnr_01',
        total: 3,
        errors: [
          {
            action: 2,
            name: 'checkout / POST /pay',
            error_class: 'status_5xx',
            count: 3,
            share: 0.001,
            sample_ids: ['smp_01'],
          },
        ],
        sample: null,
      },
    },
  ],
  link: ({ bench_report_id }) => `${benchReportLink({ id: bench_report_id })}#item-errors`,
  markdown: ({ errors, total, sample }) =>
    [
      `${total} errors`,
      table(
        ['Action', 'Error', { title: 'Count', right: true }, { title: 'Share', right: true }, 'Samples'],
        errors.map(({ name, error_class, count, share, sample_ids }) => [
          name,
          error_class,
          count,
          formatShare(share),
          sample_ids.join(', '),
        ]),
        'None.',
      ),
      ...(sample === null
        ? []
        : [
            facts({
              Sample: sample.id,
              Action: sample.name,
              Error: sample.error_class,
              Said: sample.message,
              At: sample.at,
            }),
            `\`\`\`json\n${JSON.stringify(sample.exchange)}\n\`\`\``,
          ]),
    ].join('\n\n'),
})
