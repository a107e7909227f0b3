import { z } from 'zod'
import { benchReportId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { fieldChangeLines, fieldChangesShape } from '../virtual-users/design-shapes.ts'
import {
  documentPatchFields,
  documentPatchProblems,
  documentPatchText,
} from '../virtual-users/document-patch.ts'
import { benchReportLink, benchReportShape, exampleReport } from './report-shapes.ts'

export const patchBenchReport = defineOperation({
  id: 'patch_bench_report',
  title: 'Change a bench report',
  description: 'Change a report by RFC 6902, or go back to a version; all are kept.',
  toolset: 'reports',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'PATCH', path: '/v1/reports/{bench_report_id}' },
  idempotent: false,
  input: z.strictObject({
    bench_report_id: benchReportId,
    ...documentPatchFields,
  }),
  output: z.object({
    bench_report: benchReportShape,
    changes: fieldChangesShape.describe('The first 50; values as JSON, shortened.'),
    change_count: z.number().int(),
    dry_run: z.boolean(),
  }),
  problems: ['bench_report_not_found', ...documentPatchProblems],
  examples: [
    {
      title: 'A chart of the users, at the end',
      input: {
        bench_report_id: 'rep_01',
        patch: [
          {
            op: 'add',
            path: '/items/-',
            value: { id: 'users', type: 'chart', lines: [{ metric: 'users' }] },
          },
        ],
        if_version: 1,
      },
      output: {
        bench_report: { ...exampleReport, version: 2, item_count: 13 },
        changes: [{ pointer: '/items/12', before: null, after: '{"id":"users","type":"chart"}' }],
        change_count: 1,
        dry_run: false,
      },
    },
  ],
  version: ({ bench_report }) => bench_report.version,
  link: ({ bench_report }) => benchReportLink(bench_report),
  markdown: ({ bench_report, ...changed }) =>
    documentPatchText(bench_report, changed, fieldChangeLines(changed.changes)),
})
