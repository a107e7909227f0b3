import { loadWords, scenarioExtent, thresholdText, type Scenario } from '@flamegate/loadtest'
import { z } from 'zod'

/** Loads and thresholds that a listing tells of. */
const shownMax = 20

/** What a listing tells of a scenario beside its name. */
const summarySchema = z.object({
  description: z.string(),
  tags: z.array(z.string()),
  loads: z.array(z.string()),
  virtual_user_ids: z.array(z.string()),
  thresholds: z.array(z.string()),
  duration_ms: z.number(),
  users_max: z.number(),
  rate_per_second_max: z.number(),
})
export type ScenarioSummary = z.infer<typeof summarySchema>

export function summaryOf(document: Scenario): ScenarioSummary {
  const { description, tags, profiles, thresholds } = document
  const { durationMs, usersMax, ratePerSecondMax } = scenarioExtent(document)
  return {
    description,
    tags,
    loads: profiles
      .filter(({ enabled }) => enabled)
      .slice(0, shownMax)
      .map(({ name, load }) => `${name}: ${loadWords(load)}`),
    virtual_user_ids: [...new Set(profiles.flatMap(({ virtual_user_id: id }) => id ?? []))],
    thresholds: thresholds.slice(0, shownMax).map(thresholdText),
    duration_ms: durationMs,
    users_max: usersMax,
    rate_per_second_max: ratePerSecondMax,
  }
}

export function readSummary(summary: Record<string, unknown>): ScenarioSummary {
  return summarySchema.parse(summary)
}
