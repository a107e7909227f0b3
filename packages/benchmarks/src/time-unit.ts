import type { JsonValue } from './json-value.ts'
import { FormatError } from './format-error.ts'

const NS_PER_UNIT: Record<string, number> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }

const NS_PER_PRINTED_UNIT = new Map(
  Object.entries({
    ...NS_PER_UNIT,
    ps: 1e-3,
    // The micro sign, and the Greek letter that looks like it.
    '\u00B5s': 1e3,
    '\u03BCs': 1e3,
    nsec: 1,
    usec: 1e3,
    msec: 1e6,
    sec: 1e9,
    min: 60e9,
    m: 60e9,
    hr: 3600e9,
    h: 3600e9,
    day: 86_400e9,
    nanosecond: 1,
    microsecond: 1e3,
    millisecond: 1e6,
    second: 1e9,
    minute: 60e9,
    hour: 3600e9,
  }),
)

/** How many ns one `time_unit` of Google Benchmark has; ns when the member is absent, as its old versions leave it. */
export function nsPerTimeUnit(unit: JsonValue): number {
  const factor = unit.isMissing ? 1 : NS_PER_UNIT[unit.text()]
  if (factor === undefined) throw new FormatError('Expected one of ns, us, ms, s', unit.path)
  return factor
}

/** How many ns a unit of time has as people and tools write it (`µs`, `msec`, `seconds`); undefined for other units. */
export function nsPerPrintedUnit(unit: string): number | undefined {
  const known = NS_PER_PRINTED_UNIT.get(unit)
  if (known !== undefined) return known
  const lower = unit.toLowerCase()
  return NS_PER_PRINTED_UNIT.get(lower) ?? NS_PER_PRINTED_UNIT.get(lower.replace(/s$/, ''))
}
