import { z } from 'zod'
import { checkMeasure, measureFields } from '../scenario/threshold.ts'
import { unitOf } from '../scenario/threshold-metrics.ts'

/** How bad a band is, from the best on. */
export const slaSeverities = ['passed', 'warning', 'critical'] as const
export type SlaSeverity = (typeof slaSeverities)[number]

const limit = z.number().min(0).max(1e15).nullable().default(null)

/** A range of a metric, and for how long the metric may be in it before that counts. */
export const slaBand = z
  .strictObject({
    severity: z.enum(slaSeverities),
    ...measureFields,
    from: limit.describe('In the unit of a threshold on the metric. null: open, anything below to.'),
    is_from_included: z.boolean().default(true),
    to: limit.describe('null: open, anything above from.'),
    is_to_included: z.boolean().default(false),
    condition: z
      .discriminatedUnion('type', [
        z.strictObject({
          type: z.literal('occurrences'),
          times: z.int().min(1).max(1_000_000).describe('Seconds of the run in the range, in all.'),
        }),
        z.strictObject({
          type: z.literal('duration'),
          duration_ms: z.int().min(1000).max(604_800_000).describe('In the range without a break.'),
        }),
      ])
      .prefault({ type: 'occurrences', times: 1 }),
  })
  .superRefine((band, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    checkMeasure(band, refuse)
    const { from, to, metric } = band
    if (from === null && to === null) refuse('from', 'Give from, to, or both.')
    if (from !== null && to !== null && (from > to || (from === to && !isPoint(band))))
      refuse('to', 'Nothing is in this range: to must be above from.')
    const most = unitOf(metric) === '%' ? 100 : metric === 'apdex' ? 1 : Infinity
    if (from !== null && from > most) refuse('from', `It is ${most} at most.`)
    if (to !== null && to > most) refuse('to', `It is ${most} at most.`)
  })
export type SlaBand = z.infer<typeof slaBand>

function isPoint(band: { is_from_included: boolean; is_to_included: boolean }): boolean {
  return band.is_from_included && band.is_to_included
}

/** What a service is to keep to, and which virtual users and actions of them are held against it. */
export const slaProfile = z.strictObject({
  schema_version: z.literal(1).default(1),
  name: z.string().min(1).max(80),
  description: z.string().max(2000).default(''),
  bands: z.array(slaBand).min(1).max(100),
  attachments: z
    .array(
      z.strictObject({
        virtual_user_id: z.string().min(1).max(64),
        action_id: z
          .string()
          .min(1)
          .max(64)
          .nullable()
          .default(null)
          .describe('A container or action of it; null: all of it.'),
      }),
    )
    .max(200)
    .default([])
    .describe('Without one, nothing is held against the profile.'),
})
export type SlaProfile = z.infer<typeof slaProfile>
export type SlaAttachment = SlaProfile['attachments'][number]
