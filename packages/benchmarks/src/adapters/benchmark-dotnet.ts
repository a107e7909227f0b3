import { adapter } from '../adapter.ts'
import type { BenchmarkMetric, BenchmarkResult, Environment } from '../benchmark-result.ts'
import type { JsonValue } from '../json-value.ts'
import { wallTime } from '../measure.ts'
import { parameterSuffix } from '../parameter-suffix.ts'
import { quote } from '../quote.ts'
import { jsonReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { resultFromRounds } from '../result-from-rounds.ts'
import type { WarningList } from '../warning-list.ts'

export const benchmarkDotnet = adapter({
  name: 'benchmark_dotnet',
  title: 'BenchmarkDotNet',
  readers: [jsonReader(isBenchmarkDotnet, readBenchmarkDotnet)],
})

function isBenchmarkDotnet(json: JsonValue): boolean {
  return json.get('Benchmarks').isList && json.get('HostEnvironmentInfo').isObject
}

/**
 * Reads the JSON exporters, brief and full: { HostEnvironmentInfo, Benchmarks: [{ Namespace, Type, Method, Parameters,
 * Statistics (ns), Memory, Measurements, Metrics }] }.
 * @see https://benchmarkdotnet.org/articles/configs/exporters.html#sample-introexportjson
 */
function readBenchmarkDotnet(json: JsonValue, warnings: WarningList): Reading {
  const rows = json.get('Benchmarks').items()
  const jobs = Map.groupBy(rows, nameOf)
  const results = rows.flatMap((row) => {
    const name = nameOf(row)
    // One method under several jobs, such as two runtimes, is several benchmarks.
    const job = (jobs.get(name)?.length ?? 0) > 1 ? jobOf(row) : undefined
    return readRow(row, job === undefined ? name : `${name} [job=${job}]`, warnings)
  })
  return { environment: readHost(json.get('HostEnvironmentInfo')), results }
}

/** `Sort [Count=10 Kind=Random]`, after the text "Count=10&Kind=Random". */
function nameOf(row: JsonValue): string {
  const parameters = textOf(row.get('Parameters'))
  const pairs =
    parameters === '' ? [] : parameters.split('&').map((pair): [string, string] => splitPair(pair))
  return `${textOf(row.get('Type'))}.${row.get('Method').text()}${parameterSuffix(pairs)}`
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=')
  return at < 0 ? ['', pair] : [pair.slice(0, at), pair.slice(at + 1)]
}

/** Nobody gives a job a longer name, and the pattern takes a time that grows faster than the text. */
const DISPLAY_LENGTH_MAX = 2000

/** `Type.Method: Job-ABCDEF(Runtime=.NET 8.0) [Count=10]` → `Runtime=.NET 8.0`; the letters are a hash. */
function jobOf(row: JsonValue): string | undefined {
  const told = textOf(row.get('DisplayInfo')).slice(0, DISPLAY_LENGTH_MAX)
  const job = /: (.+?)(?: \[[^\]]*\])?$/.exec(told)?.[1]
  return job?.replace(/^Job-[A-Z]+\((.*)\)$/, '$1')
}

function readRow(row: JsonValue, name: string, warnings: WarningList): BenchmarkResult[] {
  const statistics = row.get('Statistics')
  if (statistics.isMissing) {
    warnings.add(row.path, `${quote(name)} has no statistics: it did not run.`)
    return []
  }
  const namespace = textOf(row.get('Namespace'))
  const [type = '', ...method] = name.split('.')
  const named = { uri: `${namespace === '' ? '' : `${namespace}.`}${type}::${method.join('.')}`, name }
  const interval = statistics.get('ConfidenceInterval')
  const lower = interval.get('Lower')
  const bounds = {
    // A few iterations may give an interval that reaches below zero.
    low: typeof lower.value === 'number' && lower.value > 0 ? lower.number() : undefined,
    high: amountOf(interval.get('Upper')),
  }
  const metrics = readMetrics(row, warnings)
  const roundValues = readRounds(row)
  if (roundValues.length > 0) return [resultFromRounds({ ...named, roundValues, stats: bounds, metrics })]
  const median = amountOf(statistics.get('Median'))
  const mean = statistics.get('Mean').amount()
  return [
    {
      ...named,
      ...wallTime,
      value: median ?? mean,
      statistic: median === undefined ? 'mean' : 'median',
      stats: {
        min: amountOf(statistics.get('Min')),
        max: amountOf(statistics.get('Max')),
        mean,
        median,
        q1: amountOf(statistics.get('Q1')),
        q3: amountOf(statistics.get('Q3')),
        stdev: amountOf(statistics.get('StandardDeviation')),
        rounds: amountOf(statistics.get('N')),
        ...bounds,
      },
      metrics,
    },
  ]
}

/** The tool writes what is not a number, such as the margin of one or two iterations, as an empty text. */
function amountOf(statistic: JsonValue): number | undefined {
  return typeof statistic.value === 'number' ? statistic.amount() : undefined
}

/** ns per operation without the overhead: the tool's own values, else its measurements of that stage. */
function readRounds(row: JsonValue): number[] {
  const values = row.get('Statistics').get('OriginalValues')
  if (!values.isMissing) return values.amounts()
  const measurements = row.get('Measurements')
  if (measurements.isMissing) return []
  return measurements.items().flatMap((measurement) => {
    // Before 0.11.4 "Result" was a mode of its own.
    const isResult =
      measurement.get('IterationStage').value === 'Result' ||
      measurement.get('IterationMode').value === 'Result'
    const operations = measurement.get('Operations').optionalAmount()
    return isResult && operations ? [measurement.get('Nanoseconds').amount() / operations] : []
  })
}

/** The full exporter lists everything that was measured; the brief one tells the memory only. */
function readMetrics(row: JsonValue, warnings: WarningList): BenchmarkMetric[] {
  const list = row.get('Metrics')
  if (!list.isMissing && list.items().length > 0) {
    return list.items().flatMap((metric) => readMetric(metric, warnings))
  }
  const allocated = row.get('Memory').get('BytesAllocatedPerOperation').optionalAmount()
  return allocated === undefined ? [] : [allocatedMetric(allocated)]
}

function readMetric(metric: JsonValue, warnings: WarningList): BenchmarkMetric[] {
  const descriptor = metric.get('Descriptor')
  const id = descriptor.get('Id').text()
  const { value, path } = metric.get('Value')
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    warnings.add(path, `${quote(id)} is no number, ignored.`)
    return []
  }
  if (id === 'Allocated Memory') return [allocatedMetric(value)]
  const betterWhen = descriptor.get('TheGreaterTheBetter').value === true ? 'higher' : 'lower'
  return [{ name: id, value, unit: textOf(descriptor.get('Unit')), betterWhen }]
}

function allocatedMetric(value: number): BenchmarkMetric {
  return { name: 'allocated', value, unit: 'B', betterWhen: 'lower' }
}

function readHost(host: JsonValue): Environment {
  const processor = host.get('ProcessorName')
  const told = {
    // Once the name was written as the program held it.
    cpu: textOf(processor.isObject ? processor.get('Value') : processor),
    cpu_count: textOf(host.get('LogicalCoreCount')) || textOf(host.get('ProcessorCount')),
    os: textOf(host.get('OsVersion')),
    arch: textOf(host.get('Architecture')),
    runtime: textOf(host.get('RuntimeVersion')) || textOf(host.get('ClrVersion')),
    build: textOf(host.get('Configuration')),
    'library:BenchmarkDotNet': textOf(host.get('BenchmarkDotNetVersion')),
  }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== ''))
}

function textOf({ value }: JsonValue): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
