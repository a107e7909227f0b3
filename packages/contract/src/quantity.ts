/** Numbers with their unit, as people read them. */

/** Nanoseconds as `1.23 µs`, with three significant digits. */
export function formatDurationNs(ns: number): string {
  const magnitude = Math.abs(ns)
  if (magnitude < 1e3) return `${significant(ns)} ns`
  if (magnitude < 1e6) return `${significant(ns / 1e3)} µs`
  if (magnitude < 1e9) return `${significant(ns / 1e6)} ms`
  if (magnitude < 60e9) return `${significant(ns / 1e9)} s`
  return `${significant(ns / 60e9)} min`
}

/** Bytes as `1.23 MiB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let value = bytes
  let index = 0
  while (Math.abs(value) >= 1024 && index < units.length - 1) {
    value /= 1024
    index += 1
  }
  return `${significant(value)} ${units[index]}`
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

/** A change in percent with its sign: `+12.3 %`, and `±0.0 %` for what rounds to nothing. */
export function formatChangePercent(percent: number): string {
  const size = Math.abs(percent).toFixed(1)
  const sign = size === '0.0' ? '±' : percent > 0 ? '+' : '−'
  return `${sign}${size} %`
}

function significant(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value)
  return Number(value.toPrecision(Math.abs(value) >= 1000 ? 4 : 3)).toLocaleString('en-US', {
    maximumFractionDigits: 20,
  })
}
