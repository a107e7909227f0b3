import { z } from 'zod'
import { projectId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { benchReportLink, benchReportShape, exampleReport } from './report-shapes.ts'

export const createReport = defineOperation({
  id: 'create_report',
  title: 'Create a bench report',
  description:
    'A report of one run, a comparison of several with the first (bench_result_ids), or a trend over runs that are found again at each read (trend).',
  toolset: 'reports',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/projects/{project_id}/reports', status: 201 },
  input: z.strictObject({
    project_id: projectId,
    name: z.string().min(1).max(80).optional().describe('Else one that says what it is of.'),
    bench_result_ids: z
      .array(z.string().max(64))
      .max(10)
      .default([])
      .describe('Runs; the first is the baseline.'),
    trend: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Which runs: {scenario_id, name: {match: contains, text}, tags, created_after, count_max}.'),
    template_id: z.string().min(1).max(64).optional().describe('Takes its items.'),
    description: z.string().max(2000).optional().describe('What it is about.'),
  }),
  output: z.object({ bench_report: benchReportShape }),
  problems: [
    'project_not_found',
    'bench_result_not_found',
    'report_template_not_found',
    'invalid_input',
    'conflict',
    'insufficient_role',
  ],
  examples: [
    {
      title: 'Two runs, compared',
      input: { project_id: 'prj_01', name: 'Before and after', bench_result_ids: ['bnr_01', 'bnr_02'] },
      output: {
        bench_report: { ...exampleReport, name: 'Before and after', bench_result_ids: ['bnr_01', 'bnr_02'] },
      },
    },
    {
      title: 'The last 25 runs of a scenario',
      input: { project_id: 'prj_01', name: 'Checkout, week by week', trend: { scenario_id: 'scn_01' } },
      output: {
        bench_report: {
          ...exampleReport,
          name: 'Checkout, week by week',
          bench_result_ids: [],
          is_trend: true,
        },
      },
    },
  ],
  version: ({ bench_report }) => bench_report.version,
  link: ({ bench_report }) => benchReportLink(bench_report),
  markdown: ({ bench_report: { name, id, item_count } }) =>
    `**${name}** (${id}) is there, with ${item_count} items.`,
})
