import { formatMetric } from '../charts/format-metric.ts'

/** A number of a report; a dash where nothing was measured. */
export function formatValue(value: number | null, unit: string): string {
  if (value === null) return '–'
  if (unit === 'count') return value.toLocaleString('en', { maximumFractionDigits: 2 })
  // As it is written elsewhere, not in the smallest unit there is.
  if (value === 0 && (unit === 's' || unit === 'seconds')) return '0 s'
  if (unit === 'score') return value.toFixed(2)
  return formatMetric(value, unit)
}
