import { z } from 'zod'
import { benchReportId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { insightLines } from './item-values-markdown.ts'
import { benchReportLink, insightShape } from './report-shapes.ts'

export const getReportInsights = defineOperation({
  id: 'get_report_insights',
  title: 'Get the insights of a bench report',
  description:
    'What limited the system, where latency kneed, what is worst, which errors from when on, what changed against the baseline; each with the numbers behind it.',
  toolset: 'reports',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/reports/{bench_report_id}/insights' },
  input: z.strictObject({
    bench_report_id: benchReportId,
    run: z.number().int().min(0).max(9).optional().describe('Place of one run of the report; else all.'),
  }),
  output: z.object({
    bench_report_id: z.string(),
    project_id: z.string(),
    insights: z.array(insightShape).describe('Worst first.'),
  }),
  problems: ['bench_report_not_found', 'bench_result_not_found', 'invalid_input'],
  examples: [
    {
      title: 'Of a run that got to its limit',
      input: { bench_report_id: 'rep_01' },
      output: {
        bench_report_id: 'rep_01',
        project_id: 'prj_01',
        insights: [
          {
            kind: 'knee',
            level: 'warning',
            title: 'Latency kneed at 40 users, 390 requests per second.',
            detail: 'Found by Kneedle on p95 against users.',
            evidence: [
              {
                name: 'users',
                value: 40,
                unit: 'users',
                bench_result_id: 'bnr_01',
                item_id: 'load',
                second: 120,
              },
            ],
          },
        ],
      },
    },
  ],
  link: ({ bench_report_id }) => benchReportLink({ id: bench_report_id }),
  markdown: ({ insights }) => insightLines(insights),
})
