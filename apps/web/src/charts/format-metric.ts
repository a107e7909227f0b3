import { formatBytes, formatQuantity } from '@flamegate/contract'

/** A value in a unit of `benchMetrics`, as short as an axis wants it: `402.1/s`, `18.2 ms`, `0.5 %`. */
export function formatMetric(value: number, unit: string): string {
  switch (unit) {
    case 'per second':
      return `${formatQuantity(value, 'count')}/s`
    case 'bytes per second':
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

/** A share from 0 to 1 in percent, with three significant digits. */
export function formatShare(share: number): string {
  return `${Number((share * 100).toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 20 })} %`
}

/** Milliseconds of a table; a dash where nothing was measured. */
export function formatMs(ms: number | null): string {
  return ms === null ? '–' : formatMetric(ms, 'ms')
}
