import { z } from 'zod'
import { benchReportId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { shareLinkShape } from '../profiles/share-link-shapes.ts'
import { exampleReportLink } from './report-link-example.ts'
import { benchReportLink } from './report-shapes.ts'

export const listBenchReportLinks = defineOperation({
  id: 'list_bench_report_links',
  title: 'List links to a report',
  description: 'The links of share_bench_report to a report that have not expired, newest first.',
  toolset: 'reports',
  effect: 'read',
  scopes: ['read'],
  mcp: false,
  http: { method: 'GET', path: '/v1/reports/{bench_report_id}/share-links' },
  input: z.strictObject({ bench_report_id: benchReportId }),
  output: z.object({ bench_report_id: z.string(), share_links: z.array(shareLinkShape) }),
  problems: ['bench_report_not_found'],
  examples: [
    {
      title: 'One link',
      input: { bench_report_id: 'rep_01' },
      output: { bench_report_id: 'rep_01', share_links: [exampleReportLink] },
    },
  ],
  link: ({ bench_report_id }) => benchReportLink({ id: bench_report_id }),
  markdown: ({ share_links }) =>
    table(
      ['Link', 'For', 'Until'],
      share_links.map((each) => [each.id, each.public ? 'everybody' : 'members', each.expires_at]),
      'There are none.',
    ),
})
