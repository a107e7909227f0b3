const timeUnits = [
  { suffix: 's', nanoseconds: 1e9 },
  { suffix: 'ms', nanoseconds: 1e6 },
  { suffix: 'µs', nanoseconds: 1e3 },
  { suffix: 'ns', nanoseconds: 1 },
]
const nanosecondsPer: Readonly<Record<string, number>> = {
  nanoseconds: 1,
  ns: 1,
  microseconds: 1e3,
  us: 1e3,
  milliseconds: 1e6,
  ms: 1e6,
  seconds: 1e9,
  s: 1e9,
}
const byteSuffixes = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** What a unit of pprof measures: 'time', 'bytes', or 'count' for everything else. */
export function measureOf(unit: string): 'time' | 'bytes' | 'count' {
  if (Object.hasOwn(nanosecondsPer, unit)) return 'time'
  return unit === 'bytes' || unit === 'byte' ? 'bytes' : 'count'
}

/** What values of one unit are multiplied by to be in another; undefined when they measure different things. */
export function unitFactor(from: string, to: string): number | undefined {
  if (from === to || (measureOf(from) === 'bytes' && measureOf(to) === 'bytes')) return 1
  const [own, wanted] = [nanosecondsPer[from], nanosecondsPer[to]]
  return own === undefined || wanted === undefined ? undefined : own / wanted
}

/** How many milliseconds a value of the unit is; undefined when it is no time. */
export function millisecondsPer(unit: string): number | undefined {
  return Object.hasOwn(nanosecondsPer, unit) ? nanosecondsPer[unit]! / 1e6 : undefined
}

/** A value for people: `468.5 ms`, `2.1 s`, `1.5 MiB`, `12,345`, `12,345 cycles`. One decimal, `.0` left out. */
export function formatValue(value: number, unit: string): string {
  if (!Number.isFinite(value)) return String(value)
  if (value < 0) return `-${formatValue(-value, unit)}`
  if (measureOf(unit) === 'time') return formatNanoseconds(value * nanosecondsPer[unit]!)
  if (measureOf(unit) === 'bytes') return formatBytes(value)
  const number = withThousands(Math.round(value * 10) / 10)
  return unit === 'count' || unit === '' ? number : `${number} ${unit}`
}

/** `22.05%` of a total; `0.00%` when there is no total. */
export function formatPercent(percent: number): string {
  return `${percent.toFixed(2)}%`
}

/** What share of the total a value is, in percent; 0 when there is no total. */
export function percentOf(value: number, total: number): number {
  return total === 0 ? 0 : (value * 100) / total
}

function formatNanoseconds(nanoseconds: number): string {
  if (nanoseconds === 0) return '0 ms'
  // 999.96 ms would be printed as 1000 ms, so units change a little earlier.
  const unit = timeUnits.find((candidate) => nanoseconds >= candidate.nanoseconds * 0.99995) ?? timeUnits[3]!
  return `${oneDecimal(nanoseconds / unit.nanoseconds)} ${unit.suffix}`
}

function formatBytes(bytes: number): string {
  let power = 0
  let scaled = bytes
  while (scaled >= 1023.95 && power < byteSuffixes.length - 1) {
    scaled /= 1024
    power++
  }
  return `${oneDecimal(scaled)} ${byteSuffixes[power]}`
}

function oneDecimal(value: number): string {
  return withThousands(Math.round(value * 10) / 10)
}

function withThousands(value: number): string {
  if (value >= 1e15) return value.toPrecision(6)
  const [whole, fraction] = String(value).split('.')
  const grouped = whole!.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
