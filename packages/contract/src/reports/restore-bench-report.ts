import { z } from 'zod'
import { benchReportId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { benchReportShape, exampleReport } from './report-shapes.ts'

export const restoreBenchReport = defineOperation({
  id: 'restore_bench_report',
  title: 'Bring back a bench report',
  description: 'Undo the deletion of a report.',
  toolset: 'reports',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/reports/{bench_report_id}/restore' },
  mcp: false,
  idempotent: true,
  input: z.strictObject({ bench_report_id: benchReportId }),
  output: z.object({ bench_report: benchReportShape }),
  problems: ['bench_report_not_found', 'conflict', 'insufficient_role'],
  examples: [
    {
      title: 'Bring back',
      input: { bench_report_id: 'rep_01' },
      output: { bench_report: exampleReport },
    },
  ],
  link: ({ bench_report: { id } }) => `/reports/${id}`,
  markdown: ({ bench_report: { name, id } }) => `**${name}** (${id}) is there again.`,
})
