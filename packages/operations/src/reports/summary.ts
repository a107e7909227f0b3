import type { BenchReport } from '@flamegate/loadtest'
import { z } from 'zod'

/** What a listing tells of a report beside its name. */
const summarySchema = z.object({
  description: z.string(),
  bench_result_ids: z.array(z.string()),
  item_count: z.number(),
  is_trend: z.boolean(),
})
export type ReportSummary = z.infer<typeof summarySchema>

export function summaryOf({ description, bench_result_ids, items, trend }: BenchReport): ReportSummary {
  return { description, bench_result_ids, item_count: items.length, is_trend: trend !== null }
}

export function readSummary(summary: Record<string, unknown>): ReportSummary {
  return summarySchema.parse(summary)
}

/** Of a template. */
const templateSummarySchema = z.object({ description: z.string(), item_count: z.number() })
export type TemplateSummary = z.infer<typeof templateSummarySchema>

export function readTemplateSummary(summary: Record<string, unknown>): TemplateSummary {
  return templateSummarySchema.parse(summary)
}
