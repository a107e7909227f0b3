import { formatQuantity } from '@flamegate/benchmarks/arithmetic'

/** A dash is what was not measured. */
const nothing = '–'

export function formatNumber(value: number | null): string {
  if (value === null) return nothing
  return Number.isInteger(value)
    ? value.toLocaleString('en-US')
    : value.toLocaleString('en-US', { maximumSignificantDigits: 3 })
}

/** Three digits, without the unit. */
export function formatMs(value: number | null): string {
  return value === null ? nothing : value.toLocaleString('en-US', { maximumSignificantDigits: 3 })
}

export function formatBytes(value: number | null): string {
  return value === null ? nothing : formatQuantity(Math.round(value), 'B')
}

export function formatShare(value: number | null): string {
  return value === null ? nothing : `${Number((100 * value).toPrecision(3))} %`
}
