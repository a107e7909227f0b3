import { z } from 'zod'
import { benchReportId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { taskFields } from '../upload-shapes.ts'
import { benchReportLink } from './report-shapes.ts'

/** What a report is printed as. */
const printFormats = ['pdf', 'html'] as const

export const exportBenchReportPdf = defineOperation({
  id: 'export_bench_report_pdf',
  title: 'Export a bench report',
  description:
    'Prints a report as PDF, or as one HTML file that needs no network. The task that get_task_result tells of ends with a file_id for download_file.',
  toolset: 'reports',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/reports/{bench_report_id}/pdf', status: 202 },
  input: z.strictObject({
    bench_report_id: benchReportId,
    format: z.enum(printFormats).default('pdf').describe('What to write.'),
  }),
  output: z.object({ bench_report_id: z.string(), format: z.enum(printFormats), ...taskFields }),
  problems: ['bench_report_not_found', 'insufficient_role', 'unavailable'],
  examples: [
    {
      title: 'As PDF',
      input: { bench_report_id: 'rep_01' },
      output: { bench_report_id: 'rep_01', format: 'pdf', task_id: 'tsk_01', next_poll_seconds: 2 },
    },
  ],
  link: ({ bench_report_id }) => benchReportLink({ id: bench_report_id }),
  markdown: ({ format, task_id, next_poll_seconds }) =>
    `It is being printed as ${format}. Ask get_task_result about ${task_id} in ${next_poll_seconds} s; then download_file gives the file_id of its result.`,
})
