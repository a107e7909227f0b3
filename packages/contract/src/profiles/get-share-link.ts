import { z } from 'zod'
import { shareLinkId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleShareLink, sharedViewLink, shareLinkShape } from './share-link-shapes.ts'

export const getShareLink = defineOperation({
  id: 'get_share_link',
  title: 'Get a link to a profile or a report',
  description: 'Where a link of open_profile_viewer or share_bench_report leads members of the workspace.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  mcp: false,
  http: { method: 'GET', path: '/v1/share-links/{share_link_id}' },
  input: z.strictObject({ share_link_id: shareLinkId }),
  output: z.object({ share_link: shareLinkShape }),
  problems: ['share_link_not_found'],
  examples: [
    {
      title: 'One function',
      input: { share_link_id: 'shl_01' },
      output: { share_link: exampleShareLink },
    },
  ],
  link: ({ share_link }) => sharedViewLink(share_link),
  markdown: ({ share_link }) =>
    `${share_link.id} shows ${share_link.profile_id ?? share_link.bench_report_id}.`,
})
