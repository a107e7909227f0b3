import { z } from 'zod'
import { shareLinkId } from '../fields.ts'
import { defineOperation } from '../operation.ts'

export const closeProfileViewer = defineOperation({
  id: 'close_profile_viewer',
  title: 'Close a profile viewer',
  description: 'Take back a viewer link.',
  toolset: 'profiles',
  effect: 'destroy',
  scopes: ['write'],
  http: { method: 'DELETE', path: '/v1/share-links/{share_link_id}' },
  input: z.strictObject({ share_link_id: shareLinkId }),
  output: z.object({ share_link_id: z.string(), profile_id: z.string(), closed: z.literal(true) }),
  problems: ['share_link_not_found', 'insufficient_role'],
  examples: [
    {
      title: 'Close',
      input: { share_link_id: 'shl_01' },
      output: { share_link_id: 'shl_01', profile_id: 'prf_01', closed: true },
    },
  ],
  link: ({ profile_id }) => `/profiles/${profile_id}`,
  markdown: ({ share_link_id }) => `The link ${share_link_id} leads nowhere any more.`,
})
