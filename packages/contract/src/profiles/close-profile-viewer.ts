import { z } from 'zod'
import { shareLinkId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { sharedPageLink } from './share-link-shapes.ts'

export const closeProfileViewer = defineOperation({
  id: 'close_profile_viewer',
  title: 'Take back a link',
  description: 'Take back a viewer link.',
  toolset: 'profiles',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/share-links/{share_link_id}' },
  input: z.strictObject({ share_link_id: shareLinkId }),
  output: z.object({
    share_link_id: z.string(),
    profile_id: z.string().nullable(),
    bench_report_id: z.string().nullable(),
    closed: z.literal(true),
  }),
  problems: ['share_link_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Close',
      input: { share_link_id: 'shl_01' },
      output: { share_link_id: 'shl_01', profile_id: 'prf_01', bench_report_id: null, closed: true },
    },
  ],
  link: sharedPageLink,
  markdown: ({ share_link_id }) => `The link ${share_link_id} leads nowhere any more.`,
})
