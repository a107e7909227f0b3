import type { LoadUnit } from './measured-run.ts'

/** How much it matters, the worst last. */
export const insightLevels = ['passed', 'info', 'warning', 'critical'] as const
export type InsightLevel = (typeof insightLevels)[number]

/** What an insight can be about. */
export const insightKinds = [
  'nothing_measured',
  'generators_sound',
  'generator_limited',
  'load_lost',
  'thresholds_kept',
  'threshold_breached',
  'no_errors',
  'errors',
  'not_saturated',
  'saturated',
  'knee_not_enough_data',
  'knee_none_seen',
  'knee',
  'change_not_enough_data',
  'unchanged',
  'improvement',
  'regression',
  'worst_action',
  'worst_container',
  'phases',
  'connections',
  'steady',
  'drift',
  'warm_up',
  'large_answers',
] as const
export type InsightKind = (typeof insightKinds)[number]

/** A number that an insight rests on. */
export interface Evidence {
  name: string
  value: number
  unit: string
  /** Of the run that was measured; null: of several. */
  runId: string | null
  /** Of the run, where it is. */
  second: number | null
  /** What kind of item of a report shows it: a chart of a metric, or another type. */
  shownBy: string
}

/** What numbers of a run mean, in words. */
export interface Insight {
  kind: InsightKind
  level: InsightLevel
  /** One sentence. */
  title: string
  /** How it was found, and what to do. */
  detail: string
  /** One at least. */
  evidence: Evidence[]
}

/** Three digits are enough for words; the evidence has the number itself. */
export function told(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const digits = Number(value.toPrecision(3))
  return digits.toLocaleString('en-US', { maximumFractionDigits: 6 })
}

/** `1 user`, `1.5 users`, `20 requests per second`. */
export function toldLoad(load: number, unit: LoadUnit): string {
  const number = told(load)
  return `${number} ${number === '1' ? unit.replace(/^(user|iteration|request)s/, '$1') : unit}`
}

export function toldPercent(share: number): string {
  return `${told(100 * share)} %`
}

/** How much a value changed, as tables of comparisons have it: a digit after the point, and from ten times as much on a factor. */
export function toldChange(share: number): string {
  if (share >= 10) return `×${told(share + 1)}`
  const size = Math.abs(100 * share).toFixed(1)
  return `${size === '0.0' ? '±' : share > 0 ? '+' : '−'}${size} %`
}
