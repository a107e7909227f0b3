import { z } from 'zod'
import { timestamp } from '../fields.ts'

export const slaProfileId = z.string().min(1).max(64).describe('Id of the SLA profile (sla_…).')

export const slaAttachment = z.strictObject({
  virtual_user_id: z.string().min(1).max(64).describe('Id of the virtual user (vu_…).'),
  action_id: z.string().min(1).max(64).nullable().default(null).describe('null: all of it.'),
})

/** A band, by the schema sla-profile.json. */
const bandShape = z.object({
  text: z.string().describe('critical: p95 duration >= 400 ms, 3 times'),
  severity: z.enum(['passed', 'warning', 'critical']),
  metric: z.string(),
  statistic: z.string().nullable(),
  apdex_target_ms: z.number().nullable(),
  from: z.number().nullable().describe('null: open.'),
  is_from_included: z.boolean(),
  to: z.number().nullable(),
  is_to_included: z.boolean(),
  condition: z.object({
    type: z.enum(['occurrences', 'duration']),
    times: z.number().optional(),
    duration_ms: z.number().optional(),
  }),
})
type SlaBandShape = z.output<typeof bandShape>

export const slaProfileShape = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.number().int(),
  bands: z.array(bandShape),
  attachments: z.array(
    z.object({
      virtual_user_id: z.string(),
      action_id: z.string().nullable(),
      of: z.string().nullable().describe('What they are called; null: not there any more.'),
    }),
  ),
  updated_at: timestamp,
})
type SlaProfileShape = z.output<typeof slaProfileShape>

export const suggestedBandsShape = z.array(bandShape)

/** How a measure of an SLA profile did in a run. */
export const slaVerdictShape = z.object({
  sla_profile_id: z.string(),
  name: z.string(),
  of: z.string().describe('The virtual user or container that it is attached to.'),
  metric: z.string(),
  unit: z.string(),
  severity: z.enum(['passed', 'warning', 'critical']),
  value: z.number().nullable().describe('Of the whole run; null: nothing was measured.'),
  words: z.string(),
})

const exampleBand: SlaBandShape = {
  text: 'critical: p95 duration >= 400 ms, 3 times',
  severity: 'critical',
  metric: 'duration',
  statistic: 'p95',
  apdex_target_ms: null,
  from: 400,
  is_from_included: true,
  to: null,
  is_to_included: false,
  condition: { type: 'occurrences', times: 3 },
}

export const exampleSlaProfile: SlaProfileShape = {
  id: 'sla_01',
  project_id: 'prj_01',
  name: 'Checkout',
  description: '',
  version: 1,
  bands: [exampleBand],
  attachments: [{ virtual_user_id: 'vu_01', action_id: 'act_01', of: 'Buyer, checkout' }],
  updated_at: '2026-11-22T10:00:00.000Z',
}

/** Path of the page of a project's SLA profiles. */
export function slaProfilesLink(projectId: string): string {
  return `/projects/${projectId}/sla-profiles`
}
