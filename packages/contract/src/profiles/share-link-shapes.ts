import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { comparisonLink } from './comparison-link.ts'
import { profileViewLink } from './view-link.ts'

/** What a link shows of its profile. */
export const sharedViewShape = z.object({
  sample_type: z.string().optional(),
  labels: z.array(z.string()).optional(),
  from_ms: z.number().optional(),
  to_ms: z.number().optional(),
  root_function_name: z.string().optional(),
  inverted: z.boolean().optional(),
  base_profile_id: z.string().optional(),
})

export const shareLinkShape = z.object({
  id: z.string(),
  profile_id: z.string(),
  public: z.boolean().describe('Whoever has it can read the profile; else members only.'),
  view: sharedViewShape,
  expires_at: timestamp,
  created_at: timestamp,
})

/** The page that a link leads members to. */
export function sharedViewLink({ profile_id, view }: z.output<typeof shareLinkShape>): string {
  const { base_profile_id: base, root_function_name: root, inverted, ...selection } = view
  return base === undefined
    ? profileViewLink(profile_id, { root, inverted: inverted === true, selection })
    : comparisonLink({ base: [base], head: [profile_id], sample_type: selection.sample_type })
}

export const exampleShareLink: z.output<typeof shareLinkShape> = {
  id: 'shl_01',
  profile_id: 'prf_01',
  public: false,
  view: { root_function_name: 'parse' },
  expires_at: '2026-11-27T10:00:00.000Z',
  created_at: '2026-11-20T10:00:00.000Z',
}
