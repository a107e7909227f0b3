import type { AnswerOf, operations } from '@flamegate/contract'
import { needsStatistic, thresholdMetricNames, type ThresholdMetric } from '@flamegate/loadtest/scenario'
import { typedMs, typedNumber } from '../documents/typed-number.ts'

export type SlaProfile = AnswerOf<typeof operations.listSlaProfiles>['sla_profiles'][number]
export type Band = SlaProfile['bands'][number]

/** A band as somebody writes it: numbers are text. */
export interface BandDraft {
  /** Tells drafts apart. */
  key: number
  severity: Band['severity']
  metric: ThresholdMetric
  statistic: string
  apdexTarget: string
  from: string
  isFromIncluded: boolean
  to: string
  isToIncluded: boolean
  condition: 'occurrences' | 'duration'
  /** Times, or seconds. */
  amount: string
}

let keys = 0

/** What a new band begins with. */
export function newBand(): BandDraft {
  return {
    key: ++keys,
    severity: 'critical',
    metric: 'duration',
    statistic: 'p95',
    apdexTarget: '500',
    from: '',
    isFromIncluded: true,
    to: '',
    isToIncluded: false,
    condition: 'duration',
    amount: '10',
  }
}

export function draftOf(band: Band): BandDraft {
  const { condition } = band
  return {
    key: ++keys,
    severity: band.severity,
    metric: thresholdMetricNames.find((name) => name === band.metric) ?? 'duration',
    statistic: band.statistic ?? 'p95',
    apdexTarget: String(band.apdex_target_ms ?? 500),
    from: textOf(band.from),
    isFromIncluded: band.is_from_included,
    to: textOf(band.to),
    isToIncluded: band.is_to_included,
    condition: condition.type,
    amount: textOf(
      condition.type === 'duration' ? (condition.duration_ms ?? 0) / 1000 : (condition.times ?? 1),
    ),
  }
}

/** As the schema sla-profile.json has it; the server says what is wrong. */
export function bandOf(draft: BandDraft): Record<string, unknown> {
  const { metric, condition, amount } = draft
  return {
    severity: draft.severity,
    metric,
    statistic: needsStatistic(metric) ? draft.statistic.trim() : null,
    apdex_target_ms: metric === 'apdex' ? typedNumber(draft.apdexTarget) : null,
    from: typedNumber(draft.from),
    is_from_included: draft.isFromIncluded,
    to: typedNumber(draft.to),
    is_to_included: draft.isToIncluded,
    condition:
      condition === 'duration'
        ? { type: condition, duration_ms: typedMs(amount) ?? 0 }
        : { type: condition, times: typedNumber(amount) },
  }
}

function textOf(value: number | null): string {
  return value === null ? '' : String(value)
}
