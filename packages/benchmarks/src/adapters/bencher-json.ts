import { adapter } from '../adapter.ts'
import type { BenchmarkMetric, BenchmarkResult } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import type { JsonValue } from '../json-value.ts'
import { wallTime } from '../measure.ts'
import type { Measure } from '../measure.ts'
import { quote } from '../quote.ts'
import { jsonReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import type { WarningList } from '../warning-list.ts'

export const bencherJson = adapter({
  name: 'bencher_json',
  title: 'Bencher Metric Format',
  readers: [jsonReader(isBencherJson, readBencherJson)],
})

const rate = { instrument: 'custom', metric: 'throughput', unit: 'ops/s', betterWhen: 'higher' } as const
const simulated = { instrument: 'simulation', betterWhen: 'lower' } as const

/** The measures that Bencher itself names, in the order of importance: the first that a benchmark has is its value. */
const MEASURES = new Map<string, Measure & { factor?: number }>([
  ['latency', wallTime],
  ['instructions', { ...simulated, metric: 'instructions', unit: 'instructions' }],
  ['estimated-cycles', { ...simulated, metric: 'estimated_cycles', unit: 'cycles' }],
  ['throughput', rate],
  ['memory', { instrument: 'memory', metric: 'memory', unit: 'B', betterWhen: 'lower' }],
  [
    'build-time',
    { instrument: 'custom', metric: 'build_time', unit: 'ns', betterWhen: 'lower', factor: 1e9 },
  ],
  ['file-size', { instrument: 'custom', metric: 'file_size', unit: 'B', betterWhen: 'lower' }],
])

const RANKS = new Map([...MEASURES.keys()].map((slug, rank) => [slug, rank]))

function rankOf(slug: string): number {
  return RANKS.get(slug) ?? RANKS.size
}

/** JSON has null for what is no number. */
function isBencherJson(json: JsonValue): boolean {
  return hasMembers(json, (benchmark) =>
    hasMembers(benchmark, (metric) => {
      const { value } = metric.get('value')
      return typeof value === 'number' || value === null
    }),
  )
}

function hasMembers(json: JsonValue, are: (member: JsonValue) => boolean): boolean {
  return json.isObject && json.keys().length > 0 && json.keys().every((key) => are(json.get(key)))
}

/**
 * Reads { benchmark: { measure: { value, lower_value?, upper_value? } } }: latency in ns, throughput in ops/s, build-time
 * in s, file-size and memory in B; other measures as they are.
 * @see https://bencher.dev/docs/reference/bencher-metric-format/
 */
function readBencherJson(json: JsonValue, warnings: WarningList): Reading {
  return {
    environment: {},
    results: json.keys().flatMap((name) => readBenchmark(json.get(name), name, warnings)),
  }
}

function readBenchmark(benchmark: JsonValue, name: string, warnings: WarningList): BenchmarkResult[] {
  // Bencher knows its measures by slug and by name: "Estimated Cycles" is `estimated-cycles`.
  const keys = benchmark.keys().map((key) => ({ key, slug: key.toLowerCase().replaceAll(/[\s_]+/g, '-') }))
  const [first, ...others] = keys.toSorted((a, b) => rankOf(a.slug) - rankOf(b.slug))
  if (!first) throw new FormatError('Expected at least one measure', benchmark.path)
  const known = MEASURES.get(first.slug)
  if (!known) {
    warnings.add(
      benchmark.get(first.key).path,
      `nobody knows which way ${quote(first.key)} is better; it is taken for better when lower.`,
    )
  }
  const { factor = 1, ...measure } = known ?? {
    instrument: 'custom' as const,
    metric: first.key,
    unit: '',
    betterWhen: 'lower' as const,
  }
  const main = readMetric(benchmark.get(first.key), factor, warnings)
  // Another measure in its place would be compared with what this one was before.
  if (!main) return []
  // The suffix silences Bencher's alerts and is no part of the name.
  const ownName = name.replace(/-bencher-ignore$/, '') || name
  return [
    {
      uri: ownName,
      name: ownName,
      ...measure,
      value: main.value,
      statistic: 'single',
      stats: { low: main.low, high: main.high },
      metrics: others.flatMap(({ key, slug }) =>
        otherMetric(benchmark.get(key), key, MEASURES.get(slug), warnings),
      ),
    },
  ]
}

function otherMetric(
  metric: JsonValue,
  key: string,
  known: (Measure & { factor?: number }) | undefined,
  warnings: WarningList,
): BenchmarkMetric[] {
  const numbers = readMetric(metric, known?.factor ?? 1, warnings)
  if (!numbers) return []
  return [
    known
      ? { name: known.metric, unit: known.unit, betterWhen: known.betterWhen, ...numbers }
      : { name: key, unit: '', ...numbers },
  ]
}

/**
 * Undefined, and told, for what is no amount. Some write the distances in place of the bounds; a value outside of its bounds
 * shows it.
 */
function readMetric(
  metric: JsonValue,
  factor: number,
  warnings: WarningList,
): { value: number; low?: number; high?: number } | undefined {
  if (!metric.get('value').isAmount) {
    warnings.add(metric.path, 'the value is negative, or no number, ignored.')
    return undefined
  }
  const value = metric.get('value').amount()
  const [low, high] = ['lower_value', 'upper_value'].map((key) => {
    const bound = metric.get(key)
    if (bound.isMissing || bound.isAmount) return bound.optionalAmount()
    warnings.add(bound.path, 'the bound is negative, or no number, ignored.')
    return undefined
  })
  if ((low ?? value) > value || (high ?? value) < value) {
    warnings.add(metric.path, 'the value is not between its bounds, which are left out.')
    return { value: value * factor }
  }
  return {
    value: value * factor,
    ...(low !== undefined && { low: low * factor }),
    ...(high !== undefined && { high: high * factor }),
  }
}
