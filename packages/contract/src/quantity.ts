/**
 * Numbers with their unit, as people read them: four significant digits, because a change of a per cent should be seen in
 * the values too. `packages/benchmarks`, which knows no contract, writes its sentences in the same way.
 */

// Made once: to make a format takes a hundred times as long as to use it.
const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 })
const threeDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })

const durations = [
  { name: 's', size: 1e9 },
  { name: 'ms', size: 1e6 },
  { name: 'µs', size: 1e3 },
  { name: 'ns', size: 1 },
]

const sizes = [
  { name: 'TiB', size: 2 ** 40 },
  { name: 'GiB', size: 2 ** 30 },
  { name: 'MiB', size: 2 ** 20 },
  { name: 'KiB', size: 2 ** 10 },
  { name: 'B', size: 1 },
]

/** Nanoseconds as `1.235 µs`. */
export function formatDurationNs(ns: number): string {
  return inLargestUnit(ns, durations)
}

/** Bytes as `1.235 MiB`. */
export function formatBytes(bytes: number): string {
  return inLargestUnit(bytes, sizes)
}

/** A value in the unit that a benchmark or a sample type names (`ns`, `nanoseconds`, `bytes`, `count`, …). */
export function formatQuantity(value: number, unit: string): string {
  switch (unit) {
    case 'ns':
    case 'nanoseconds':
      return formatDurationNs(value)
    case 'us':
    case 'microseconds':
      return formatDurationNs(value * 1e3)
    case 'ms':
    case 'milliseconds':
      return formatDurationNs(value * 1e6)
    case 's':
    case 'seconds':
      return formatDurationNs(value * 1e9)
    case 'bytes':
    case 'B':
      return formatBytes(value)
    default:
      return unit === '' || unit === 'count' ? significant(value) : `${significant(value)} ${unit}`
  }
}

/** A difference with its sign: `+300 ms`, `−1.5 KiB`, `±0 ns`. */
export function formatDifference(difference: number, unit: string): string {
  const sign = difference > 0 ? '+' : difference < 0 ? '−' : '±'
  return `${sign}${formatQuantity(Math.abs(difference), unit)}`
}

/** A change in percent with its sign: `+12.3 %`, `±0.0 %` for what rounds to nothing, and from 1000 % on a factor, `×14.2`. */
export function formatChangePercent(percent: number): string {
  if (percent >= 1000) {
    return `×${threeDigits.format(percent / 100 + 1)}`
  }
  const size = Math.abs(percent).toFixed(1)
  const sign = size === '0.0' ? '±' : percent > 0 ? '+' : '−'
  return `${sign}${size} %`
}

/** A share from 0 to 1 in percent, with three significant digits. */
export function formatShare(share: number): string {
  return `${plain.format(Number((share * 100).toPrecision(3)))} %`
}

function inLargestUnit(value: number, units: readonly { name: string; size: number }[]): string {
  // Four digits may round 999.96 up into the next unit, so that is decided on the rounded number.
  const rounded = Math.abs(Number(value.toPrecision(4)))
  const unit = units.find(({ size }) => rounded >= size) ?? units.at(-1)
  if (unit === undefined) throw new TypeError('There is no unit')
  return `${significant(value / unit.size)} ${unit.name}`
}

/** Whole numbers below a million are counts, which are told as they are. */
function significant(value: number): string {
  const isCount = Number.isInteger(value) && Math.abs(value) < 1e6
  return plain.format(isCount ? value : Number(value.toPrecision(4)))
}
