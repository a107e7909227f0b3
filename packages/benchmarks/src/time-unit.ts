import type { JsonValue } from './json-value.ts'
import { FormatError } from './format-error.ts'

const NS_PER_UNIT: Record<string, number> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }

/** How many ns one `time_unit` of Google Benchmark has; ns when the member is absent, as its old versions leave it. */
export function nsPerTimeUnit(unit: JsonValue): number {
  const factor = unit.isMissing ? 1 : NS_PER_UNIT[unit.text()]
  if (factor === undefined) throw new FormatError('Expected one of ns, us, ms, s', unit.path)
  return factor
}
