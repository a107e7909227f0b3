import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { benchReportLink } from '../reports/report-shapes.ts'
import { comparisonLink } from './comparison-link.ts'
import { profileViewLink } from './view-link.ts'

/** What a link shows of a profile. */
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
  profile_id: z.string().nullable().describe('Of this profile, or else of a report.'),
  bench_report_id: z.string().nullable(),
  public: z.boolean().describe('Whoever has it can read what it is of; else members only.'),
  view: sharedViewShape,
  expires_at: timestamp,
  created_at: timestamp,
})

/** The page of what a link is of. */
export function sharedPageLink({
  profile_id,
  bench_report_id,
}: Pick<z.output<typeof shareLinkShape>, 'profile_id' | 'bench_report_id'>): string {
  return profile_id === null
    ? benchReportLink({ id: String(bench_report_id) })
    : profileViewLink(profile_id, {})
}

/** The page that a link leads members to. */
export function sharedViewLink(link: z.output<typeof shareLinkShape>): string {
  const { profile_id, view } = link
  if (profile_id === null) return sharedPageLink(link)
  const { base_profile_id: base, root_function_name: root, inverted, ...selection } = view
  return base === undefined
    ? profileViewLink(profile_id, { root, inverted: inverted === true, selection })
    : comparisonLink({ base: [base], head: [profile_id], sample_type: selection.sample_type })
}

export const exampleShareLink: z.output<typeof shareLinkShape> = {
  id: 'shl_01',
  profile_id: 'prf_01',
  bench_report_id: null,
  public: false,
  view: { root_function_name: 'parse' },
  expires_at: '2026-11-27T10:00:00.000Z',
  created_at: '2026-11-20T10:00:00.000Z',
}
