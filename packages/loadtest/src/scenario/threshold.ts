import { z } from 'zod'
import { needsStatistic, thresholdMetricNames, unitOf, type ThresholdMetric } from './threshold-metrics.ts'
import { parseThreshold, ThresholdTextError } from './threshold-text.ts'

export const thresholdOperators = ['<', '<=', '>', '>='] as const

/** Statistics of a distribution: `p95`, `p99.9`. */
export const statisticPattern = /^(?:mean|min|max|p(?:0\.\d{0,2}[1-9]|[1-9]\d?(?:\.\d{0,2}[1-9])?))$/

export const thresholdScope = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('whole') }),
  z.strictObject({ type: z.literal('profile'), profile_id: z.string().min(1).max(64) }),
  z
    .strictObject({ type: z.literal('container'), name: z.string().min(1).max(200) })
    .describe('All containers of this name, in whatever virtual user.'),
  z.strictObject({ type: z.literal('action'), action_id: z.string().min(1).max(64) }),
])

/** A metric, with the statistic or target that makes it one number. */
export interface Measure {
  metric: ThresholdMetric
  statistic: string | null
  apdex_target_ms: number | null
}

/** The fields of a measure: a metric, and what of it where that is more than one number. */
export const measureFields = {
  metric: z
    .enum(thresholdMetricNames)
    .describe('duration counts from when it should have begun, service_time from when it did.'),
  statistic: z
    .string()
    .regex(statisticPattern, 'Write mean, min, max, or a percentile such as p95 or p99.9.')
    .nullable()
    .default(null)
    .describe('Of durations, service times and web vitals; null for the others.'),
  apdex_target_ms: z
    .number()
    .positive()
    .max(3_600_000)
    .nullable()
    .default(null)
    .describe('Of apdex: up to here satisfied, up to four times of it tolerating.'),
}

const thresholdFields = z
  .strictObject({
    ...measureFields,
    scope: thresholdScope.prefault({ type: 'whole' }),
    operator: z.enum(thresholdOperators),
    value: z
      .number()
      .min(0)
      .max(1e15)
      .describe('In ms, percent for error_share, per second for rate, bytes.'),
    abort_on_breach: z.boolean().default(false).describe('A breach ends the run.'),
    grace_ms: z
      .int()
      .min(0)
      .max(604_800_000)
      .default(0)
      .describe('Since the beginning of the run; breaches in it end nothing.'),
  })
  .superRefine((threshold, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    checkMeasure(threshold, refuse)
    const { metric } = threshold
    if (unitOf(metric) === '%' && threshold.value > 100) refuse('value', 'It is in percent: 100 at most.')
    if (metric === 'apdex' && threshold.value > 1) refuse('value', 'Apdex is 1 at most.')
    if (!threshold.abort_on_breach && threshold.grace_ms > 0)
      refuse('grace_ms', 'There is no grace without abort_on_breach.')
  })

/** Whether the fields of a measure fit one another. */
export function checkMeasure(
  { metric, statistic, apdex_target_ms: target }: Measure,
  refuse: (field: string, message: string) => void,
): void {
  if (needsStatistic(metric) && statistic === null)
    refuse('statistic', `Say which value of ${metric}: mean, p95, max.`)
  if (!needsStatistic(metric) && statistic !== null)
    refuse('statistic', `${metric} is one number: leave it out.`)
  if (metric === 'apdex' && target === null) refuse('apdex_target_ms', 'Apdex needs a target.')
  if (metric !== 'apdex' && target !== null) refuse('apdex_target_ms', 'Only apdex has a target.')
}

/** What a run must keep to. May also be written as text: `p95 duration of container "checkout" < 400 ms`. */
export const threshold = z.preprocess((given, context) => {
  if (typeof given !== 'string') return given
  try {
    return parseThreshold(given)
  } catch (error) {
    if (!(error instanceof ThresholdTextError)) throw error
    context.addIssue({ code: 'custom', message: error.message })
    return z.NEVER
  }
}, thresholdFields)
export type Threshold = z.infer<typeof thresholdFields>
export type ThresholdScope = Threshold['scope']
