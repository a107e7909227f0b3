import type { Measure, Threshold } from './threshold.ts'

/** Values of which a statistic makes one: a merged histogram. */
export interface Distribution {
  mean: number
  min: number
  max: number
  /** @param percent Above 0, below 100: 99.9 */
  percentile: (percent: number) => number
}

/** What was measured of one scope so far. Distributions are undefined where nothing was measured; times are milliseconds. */
export interface Measured {
  elapsedMs: number
  count: number
  errorCount: number
  receivedBytes: number
  sentBytes: number
  distributions: Partial<Record<Threshold['metric'], Distribution>>
  /** Apdex for a target (https://www.apdex.org/), failures being frustrated; undefined where nothing was measured. */
  apdex: (targetMs: number) => number | undefined
}

/** `no_data`: nothing was measured that could be held against it, so that nothing is known to be kept either. */
export type ThresholdState = 'passed' | 'breached' | 'no_data'

export interface ThresholdVerdict {
  state: ThresholdState
  /** In the unit of the metric; null without data. */
  value: number | null
  /** Whether the run is to end for it. */
  isAborting: boolean
}

/** Holds what was measured of the threshold's scope against it. */
export function evaluateThreshold(threshold: Threshold, measured: Measured): ThresholdVerdict {
  const value = measuredValue(threshold, measured)
  if (value === undefined || Number.isNaN(value)) return { state: 'no_data', value: null, isAborting: false }
  const isKept = compare(value, threshold.operator, threshold.value)
  const isAborting = !isKept && threshold.abort_on_breach && measured.elapsedMs >= threshold.grace_ms
  return { state: isKept ? 'passed' : 'breached', value, isAborting }
}

/** A measure in the unit of its metric; undefined where nothing was measured. */
export function measuredValue(measure: Measure, measured: Measured): number | undefined {
  switch (measure.metric) {
    case 'count':
      return measured.count
    case 'rate':
      return measured.elapsedMs > 0 ? (measured.count * 1000) / measured.elapsedMs : undefined
    case 'error_count':
      return measured.errorCount
    case 'error_share':
      return measured.count > 0 ? (measured.errorCount * 100) / measured.count : undefined
    case 'apdex':
      return measured.apdex(measure.apdex_target_ms ?? 0)
    case 'received_bytes':
      return measured.receivedBytes
    case 'sent_bytes':
      return measured.sentBytes
    default:
      return statisticOf(measured.distributions[measure.metric], measure.statistic)
  }
}

function statisticOf(distribution: Distribution | undefined, statistic: string | null): number | undefined {
  if (distribution === undefined) return undefined
  if (statistic === 'mean' || statistic === 'min' || statistic === 'max') return distribution[statistic]
  return distribution.percentile(Number(statistic?.slice(1)))
}

function compare(value: number, operator: Threshold['operator'], limit: number): boolean {
  switch (operator) {
    case '<':
      return value < limit
    case '<=':
      return value <= limit
    case '>':
      return value > limit
    default:
      return value >= limit
  }
}
