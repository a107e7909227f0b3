import { walkActions, type VirtualUser } from '@flamegate/loadtest'
import { z } from 'zod'

/** What a listing tells of a virtual user beside its name. */
const summarySchema = z.object({
  description: z.string(),
  tags: z.array(z.string()),
  action_count: z.number(),
  request_count: z.number(),
  disabled_count: z.number(),
  recording_id: z.string().nullable(),
})
export type VirtualUserSummary = z.infer<typeof summarySchema>

export function summaryOf(document: VirtualUser): VirtualUserSummary {
  const { description, tags, recording_id } = document
  const summary = { description, tags, action_count: 0, request_count: 0, disabled_count: 0, recording_id }
  for (const { action } of walkActions(document)) {
    summary.action_count++
    if (action.type === 'http_request') summary.request_count++
    if (!action.enabled) summary.disabled_count++
  }
  return summary
}

export function readSummary(summary: Record<string, unknown>): VirtualUserSummary {
  return summarySchema.parse(summary)
}
