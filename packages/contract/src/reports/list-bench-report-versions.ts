import { z } from 'zod'
import { benchReportId, timestamp } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { comparedVersions, fieldChangeLines, fieldChangesShape } from '../virtual-users/design-shapes.ts'

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
    compare: comparedVersions,
    before_version: z.int32().min(1).optional().describe('Only older ones: next_before.'),
    limit: z.number().int().min(1).max(100).default(20).describe('How many at most.'),
  }),
  output: z.object({
    bench_report_id: z.string(),
    versions: z.array(
      z.object({
        version: z.number().int(),
        label: z.string().nullable(),
        change: z.string().describe('What was done, in words.'),
        author_email: z.string().nullable().describe('null when that person is gone.'),
        author_client: z.string(),
        created_at: timestamp,
      }),
    ),
    next_before: z.number().int().nullable().describe('Give it as before_version to go on; null at the end.'),
    changes: fieldChangesShape.nullable().describe('The first 200; null without compare.'),
    change_count: z.number().int().nullable(),
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
  markdown: ({ versions, next_before, changes, change_count }) =>
    [
      table(
        [{ title: 'Version', right: true }, 'Change', 'Label', 'By', 'When'],
        versions.map((each) => [
          each.version,
          each.change,
          each.label,
          `${each.author_email ?? 'somebody who left'} (${each.author_client})`,
          each.created_at,
        ]),
        'No versions.',
      ),
      ...(next_before === null ? [] : [`_More: call again with before_version ${next_before}._`]),
      ...(changes === null ? [] : [`${change_count} changes:`, fieldChangeLines(changes)]),
    ].join('\n\n'),
})
