import { formatBytes, formatQuantity, formatShare } from '@flamegate/contract'

/** A value in a unit of `benchMetrics` or of a monitor, as short as an axis wants it: `402.1/s`, `18.2 ms`, `0.5 %`. */
export function formatMetric(value: number, unit: string): string {
  switch (unit) {
    case 'per second':
    case '/s':
      return `${formatQuantity(value, 'count')}/s`
    case 'bytes per second':
    case 'bytes/s':
      return `${formatBytes(value)}/s`
    case 'share':
      return formatShare(value)
    case 'users':
      return formatQuantity(value, 'count')
    default:
      // Of an axis that begins at 0.
      return value === 0 && unit === 'ms' ? '0 ms' : formatQuantity(value, unit)
  }
}

/** Milliseconds of a table; a dash where nothing was measured. */
export function formatMs(ms: number | null): string {
  return ms === null ? '–' : formatMetric(ms, 'ms')
}
