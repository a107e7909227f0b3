import { z } from 'zod'
import { projectId } from '../fields.ts'
import { moreLine, table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { pageInput, pageOutput } from '../page.ts'
import { benchReportShape, exampleReport } from './report-shapes.ts'

export const listBenchReports = defineOperation({
  id: 'list_bench_reports',
  title: 'List bench reports',
  description: 'Reports of load tests of a project, newest first. Each run has one.',
  toolset: 'reports',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/projects/{project_id}/reports' },
  input: z.strictObject({
    project_id: projectId,
    search: z.string().min(1).max(100).optional().describe('Text in the name.'),
    ...pageInput,
  }),
  output: z.object({ project_id: z.string(), bench_reports: z.array(benchReportShape), ...pageOutput }),
  problems: ['project_not_found', 'cursor_invalid'],
  examples: [
    {
      title: 'All',
      input: { project_id: 'prj_01' },
      output: { project_id: 'prj_01', bench_reports: [exampleReport], next_cursor: null },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/reports`,
  markdown: ({ bench_reports, next_cursor }) =>
    table(
      ['Report', 'Id', 'Runs', { title: 'Items', right: true }, { title: 'Version', right: true }, 'Changed'],
      bench_reports.map((report) => [
        report.name,
        report.id,
        report.is_trend ? 'trend' : report.bench_result_ids.join(', '),
        report.item_count,
        report.version,
        report.updated_at,
      ]),
      'No reports that fit. A run makes one, and so does create_report.',
    ) + moreLine(next_cursor),
})
