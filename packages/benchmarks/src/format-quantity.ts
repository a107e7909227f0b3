import { formatDuration } from './format-duration.ts'

const SIZES = [
  { name: 'GiB', bytes: 2 ** 30 },
  { name: 'MiB', bytes: 2 ** 20 },
  { name: 'KiB', bytes: 2 ** 10 },
] as const

/** A value of a benchmark for people, with four digits: `12.35 µs`, `1.5 MiB`, `12,350,000 instructions`. */
export function formatQuantity(value: number, unit: string): string {
  if (unit === 'ns') return formatDuration(value)
  const rounded = Number(value.toPrecision(4))
  if (unit === 'B') {
    const size = SIZES.find(({ bytes }) => Math.abs(rounded) >= bytes) ?? { name: 'B', bytes: 1 }
    return `${Number((value / size.bytes).toPrecision(4))} ${size.name}`
  }
  const number = rounded.toLocaleString('en-US', { maximumSignificantDigits: 4 })
  return unit === '' ? number : `${number} ${unit}`
}
