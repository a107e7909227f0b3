import { z } from 'zod'
import { benchReportId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { shareLinkShape } from '../profiles/share-link-shapes.ts'
import { exampleReportLink } from './report-link-example.ts'
import { benchReportLink } from './report-shapes.ts'

export const shareBenchReport = defineOperation({
  id: 'share_bench_report',
  title: 'Share a bench report',
  description: 'A link that shows people a report, until it ends or close_profile_viewer takes it back.',
  toolset: 'reports',
  effect: 'write',
  scopes: ['write'],
  mcp: false,
  http: { method: 'POST', path: '/v1/reports/{bench_report_id}/share-links', status: 201 },
  input: z.strictObject({
    bench_report_id: benchReportId,
    public: z.boolean().default(false).describe('For whoever has it, without an account.'),
    expires_in_days: z.number().int().min(1).max(365).default(7).describe('How long it works.'),
  }),
  output: z.object({
    share_link: shareLinkShape,
    viewer_url: z.string().describe('The link. That of a public one is shown this once.'),
  }),
  problems: ['bench_report_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'For a customer',
      input: { bench_report_id: 'rep_01', public: true, expires_in_days: 30 },
      output: {
        share_link: exampleReportLink,
        viewer_url: 'https://flamegate.example/shared/reports/shl_01#fg_…',
      },
    },
  ],
  link: ({ share_link }) => benchReportLink({ id: String(share_link.bench_report_id) }),
  markdown: ({ share_link: { id, public: isPublic, expires_at: until }, viewer_url: url }) =>
    `${url}\n\nFor ${isPublic ? 'whoever has it' : 'members of the workspace'}, until ${until}. close_profile_viewer with ${id} takes it back.`,
})
