import { z } from 'zod'
import { profileId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { sampleSelection } from './selection.ts'
import { exampleShareLink, sharedViewLink, shareLinkShape } from './share-link-shapes.ts'

export const openProfileViewer = defineOperation({
  id: 'open_profile_viewer',
  title: 'Open a profile viewer',
  description: 'A link that shows people a profile.',
  toolset: 'profiles',
  effect: 'write',
  scopes: ['write'],
  http: { method: 'POST', path: '/v1/profiles/{profile_id}/share-links', status: 201 },
  input: z.strictObject({
    profile_id: profileId,
    sample_type: sampleSelection.sample_type.describe('Such as cpu.'),
    labels: sampleSelection.labels.describe('As thread=main.'),
    from_ms: sampleSelection.from_ms.describe('Of time.'),
    to_ms: sampleSelection.to_ms.describe('Of time.'),
    root_function_name: z.string().max(1000).optional().describe('Below it.'),
    inverted: z.boolean().optional().describe('Bottom up.'),
    base_profile_id: z.string().max(64).optional().describe('To compare.'),
    public: z.boolean().default(false).describe('Without an account.'),
    expires_in_days: z.number().int().min(1).max(365).default(7).describe('How long.'),
  }),
  output: z.object({
    share_link: shareLinkShape,
    viewer_url: z.string().describe('The link. That of a public one is shown this once.'),
  }),
  problems: ['profile_not_found', 'insufficient_role', 'insufficient_scope', 'invalid_input'],
  examples: [
    {
      title: 'One function, for colleagues',
      input: { profile_id: 'prf_01', root_function_name: 'parse' },
      output: { share_link: exampleShareLink, viewer_url: 'https://flamegate.example/shared/shl_01' },
    },
  ],
  link: ({ share_link }) => sharedViewLink(share_link),
  markdown: ({ share_link: { id, public: isPublic, expires_at: until }, viewer_url: url }) =>
    `${url}\n\nFor ${isPublic ? 'whoever has it' : 'members of the workspace'}, until ${until}. close_profile_viewer with ${id} takes it back.`,
})
