import { z } from 'zod'
import { benchReportId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const deleteBenchReport = defineOperation({
  id: 'delete_bench_report',
  title: 'Delete a bench report',
  description: 'Remove a report; people can bring it back. Its runs stay.',
  toolset: 'reports',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/reports/{bench_report_id}' },
  mcp: false,
  input: z.strictObject({ bench_report_id: benchReportId }),
  output: z.object({ bench_report_id: z.string(), project_id: z.string(), deleted: z.literal(true) }),
  problems: ['bench_report_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Delete',
      input: { bench_report_id: 'rep_01' },
      output: { bench_report_id: 'rep_01', project_id: 'prj_01', deleted: true },
    },
  ],
  link: ({ project_id }) => `/projects/${project_id}/reports`,
  markdown: ({ bench_report_id }) => `Report ${bench_report_id} is deleted.`,
})
