import { z } from 'zod'
import { benchReportId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { itemValuesMarkdown } from './item-values-markdown.ts'
import { benchReportLink, itemValuesShape } from './report-shapes.ts'

export const getReportItemValues = defineOperation({
  id: 'get_report_item_values',
  title: 'Get the values of a report item',
  description:
    'Numbers of one item of a report, by its type: summary, chart, table, top, distribution, errors, phases, thresholds, generators, monitors, comparison, trend. Live while the run goes on.',
  toolset: 'reports',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/reports/{bench_report_id}/items/{item_id}/values' },
  input: z.strictObject({
    bench_report_id: benchReportId,
    item_id: z.string().min(1).max(64).describe('Its id; get_bench_report shows them.'),
    from_second: z.int32().min(0).optional().describe('In place of that of the item.'),
    to_second: z.int32().min(1).optional().describe('In place of that of the item.'),
    points_max: z.number().int().min(2).max(2000).default(300).describe('Of each line of a chart.'),
  }),
  output: z.object({
    bench_report_id: z.string(),
    project_id: z.string(),
    item_id: z.string(),
    title: z.string(),
    values: itemValuesShape,
  }),
  problems: ['bench_report_not_found', 'report_item_not_found', 'bench_result_not_found', 'invalid_input'],
  examples: [
    {
      title: 'Response times over time',
      input: { bench_report_id: 'rep_01', item_id: 'response-times', points_max: 2 },
      output: {
        bench_report_id: 'rep_01',
        project_id: 'prj_01',
        item_id: 'response-times',
        title: 'Response times',
        values: {
          type: 'chart',
          form: 'line',
          bucket_seconds: 60,
          seconds: [0, 60],
          lines: [
            {
              name: 'p95',
              metric: 'p95',
              unit: 'ms',
              axis: 'left',
              bench_result_id: 'bnr_01',
              values: [40.1, 44.2],
            },
          ],
          actions_left_out: 0,
          runs_left_out: 0,
        },
      },
    },
  ],
  link: ({ bench_report_id, item_id }) =>
    `${benchReportLink({ id: bench_report_id })}#item-${encodeURIComponent(item_id)}`,
  markdown: ({ title, values }) => `**${title}**\n\n${itemValuesMarkdown(values)}`,
})
