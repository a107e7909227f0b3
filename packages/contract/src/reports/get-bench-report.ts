import { z } from 'zod'
import { benchReportId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { benchReportLink, benchReportShape, exampleReport, reportRunShape } from './report-shapes.ts'

export const getBenchReport = defineOperation({
  id: 'get_bench_report',
  title: 'Get a bench report',
  description:
    'The items of a report, as JSON to patch, and the runs that they are of. get_report_item_values has the numbers, get_report_insights what they mean.',
  toolset: 'reports',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/reports/{bench_report_id}' },
  input: z.strictObject({ bench_report_id: benchReportId }),
  output: z.object({
    bench_report: benchReportShape,
    document: z.record(z.string(), z.unknown()).describe('As bench-report.json says.'),
    runs: z
      .array(reportRunShape.nullable())
      .describe('In the order of bench_result_ids; null: it was deleted.'),
  }),
  problems: ['bench_report_not_found'],
  examples: [
    {
      title: 'One',
      input: { bench_report_id: 'rep_01' },
      output: {
        bench_report: { ...exampleReport, item_count: 1 },
        document: {
          schema_version: 1,
          name: 'Checkout, 50 users',
          bench_result_ids: ['bnr_01'],
          items: [{ id: 'insights', type: 'insights', run: 0 }],
        },
        runs: [
          {
            id: 'bnr_01',
            name: 'Checkout, 50 users',
            state: 'FINISHED',
            is_degraded: false,
            started_at: '2026-11-22T10:00:04.000Z',
          },
        ],
      },
    },
  ],
  version: ({ bench_report }) => bench_report.version,
  link: ({ bench_report }) => benchReportLink(bench_report),
  markdown: ({ bench_report, document, runs }) =>
    [
      `**${bench_report.name}** (${bench_report.id}), version ${bench_report.version}`,
      runs
        .map((run, index) =>
          run === null
            ? `- ${index}: deleted`
            : `- ${index}: ${run.name} (${run.id}), ${run.state}${run.is_degraded ? ', degraded' : ''}`,
        )
        .join('\n'),
      `\`\`\`json\n${JSON.stringify(document)}\n\`\`\``,
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
})
