import { z } from 'zod'
import { profileId } from '../fields.ts'
import { table } from '../markdown.ts'
import { defineOperation } from '../operation.ts'
import { exampleShareLink, shareLinkShape } from './share-link-shapes.ts'

export const listShareLinks = defineOperation({
  id: 'list_share_links',
  title: 'List links to a profile',
  description: 'The links of open_profile_viewer to a profile that have not expired, newest first.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  mcp: false,
  http: { method: 'GET', path: '/v1/profiles/{profile_id}/share-links' },
  input: z.strictObject({ profile_id: profileId }),
  output: z.object({ profile_id: z.string(), share_links: z.array(shareLinkShape) }),
  problems: ['profile_not_found'],
  examples: [
    {
      title: 'One link',
      input: { profile_id: 'prf_01' },
      output: { profile_id: 'prf_01', share_links: [exampleShareLink] },
    },
  ],
  link: ({ profile_id }) => `/profiles/${profile_id}`,
  markdown: ({ share_links }) =>
    table(
      ['Link', 'For', 'Until'],
      share_links.map((each) => [each.id, each.public ? 'everybody' : 'members', each.expires_at]),
      'There are none.',
    ),
})
