import type { BenchmarkMetric } from '../benchmark-result.ts'

/** What is processed, and its unit per second, by the names that criterion and cargo-criterion give it. */
const UNITS = new Map([
  ['bytes', 'B/s'],
  ['bytesdecimal', 'B/s'],
  ['bits', 'bit/s'],
  ['elements', 'elements/s'],
])

/** How much goes through in a second, when so much is processed in each iteration of so many ns. */
export function throughputMetric(
  what: string,
  perIteration: number,
  nsPerIteration: number,
): BenchmarkMetric[] {
  const unit = UNITS.get(what.toLowerCase()) ?? `${what}/s`
  const value = (perIteration / nsPerIteration) * 1e9
  return Number.isFinite(value) ? [{ name: 'throughput', value, unit, betterWhen: 'higher' }] : []
}

const PRINTED_UNIT = /^(T|G|M|K|Ti|Gi|Mi|Ki)?(B|b|elem)\/s$/
const FACTORS: Record<string, number> = {
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
}
const NAMES: Record<string, string> = { B: 'B/s', b: 'bit/s', elem: 'elements/s' }

/** `1.5 GiB/s` as B/s, `67 Melem/s` as elements/s; undefined for a unit that criterion does not print. */
export function parsePrintedRate(printed: string): { factor: number; unit: string } | undefined {
  const [isFound, prefix, what = ''] = PRINTED_UNIT.exec(printed) ?? []
  const unit = NAMES[what]
  if (isFound === undefined || unit === undefined) return undefined
  return { factor: prefix === undefined ? 1 : (FACTORS[prefix] ?? 1), unit }
}
