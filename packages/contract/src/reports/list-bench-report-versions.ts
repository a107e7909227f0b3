import { z } from 'zod'
import { benchReportId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { versionsAsked, versionsText, versionsTold } from '../versions.ts'
import { fieldChangeLines, fieldChangesShape } from '../virtual-users/design-shapes.ts'

export const listBenchReportVersions = defineOperation({
  id: 'list_bench_report_versions',
  title: 'List versions of a bench report',
  description: 'Every version, newest first; how two differ. patch_bench_report goes back to one.',
  toolset: 'reports',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/reports/{bench_report_id}/versions' },
  mcp: false,
  input: z.strictObject({
    bench_report_id: benchReportId,
    ...versionsAsked,
  }),
  output: z.object({
    bench_report_id: z.string(),
    ...versionsTold(fieldChangesShape),
  }),
  problems: ['bench_report_not_found', 'document_not_found'],
  examples: [
    {
      title: 'What the last change was',
      input: { bench_report_id: 'rep_01', compare: '1..2', limit: 1 },
      output: {
        bench_report_id: 'rep_01',
        versions: [
          {
            version: 2,
            label: null,
            change: 'replace /name',
            author_email: 'ada@example.com',
            author_client: 'Claude',
            created_at: '2026-11-22T10:05:00.000Z',
          },
        ],
        next_before: 2,
        changes: [{ pointer: '/name', before: '"Checkout"', after: '"Checkout, 50 users"' }],
        change_count: 1,
      },
    },
  ],
  link: ({ bench_report_id }) => `/reports/${bench_report_id}/versions`,
  markdown: (told) => versionsText(told, fieldChangeLines),
})
