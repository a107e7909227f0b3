import { adapter } from '../adapter.ts'
import type { BenchmarkMetric, BenchmarkResult, Environment } from '../benchmark-result.ts'
import {
  googleBenchmarkConsoleRows,
  googleBenchmarkCsvRows,
  isGoogleBenchmarkConsole,
  isGoogleBenchmarkCsv,
} from '../google-benchmark/text-reports.ts'
import type { JsonValue } from '../json-value.ts'
import { wallTime } from '../measure.ts'
import { quote } from '../quote.ts'
import { jsonReader, textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { resultFromRounds } from '../result-from-rounds.ts'
import { median } from '../statistics/describe-rounds.ts'
import { nsPerTimeUnit } from '../time-unit.ts'
import type { WarningList } from '../warning-list.ts'

export const googleBenchmark = adapter({
  name: 'google_benchmark',
  title: 'Google Benchmark',
  readers: [
    jsonReader(isGoogleBenchmark, readGoogleBenchmark),
    textReader(isGoogleBenchmarkCsv, (text, warnings) => ({
      environment: {},
      results: readRows(googleBenchmarkCsvRows(text), '', warnings),
    })),
    textReader(isGoogleBenchmarkConsole, (text, warnings) => ({
      environment: {},
      results: readRows(googleBenchmarkConsoleRows(text, warnings), '', warnings),
    })),
  ],
})

/** The members every row has; whatever else is a number is a counter of the benchmark's author. */
const OWN_MEMBERS = new Set(
  `name family_index per_family_instance_index run_name run_type repetitions repetition_index threads aggregate_name
  aggregate_unit iterations real_time cpu_time time_unit error_occurred error_message skipped skip_message label`.split(
    /\s+/,
  ),
)

function isGoogleBenchmark(json: JsonValue): boolean {
  const rows = json.get('benchmarks')
  if (!rows.isList) return false
  // Others have a context too, but benchmarks of another form.
  const first = rows.item(0)
  if (json.get('context').isObject) return first.isMissing || typeof first.get('name').value === 'string'
  return rows.items().some((row) => !row.get('real_time').isMissing || !row.get('run_type').isMissing)
}

interface Row {
  json: JsonValue
  name: string
  /** undefined for a measured repetition, else mean, median, stddev, cv, BigO … */
  aggregate: string | undefined
}

/**
 * Reads `--benchmark_format=json`: { context, benchmarks: [row] }. Rows of the repetitions of one benchmark are its
 * rounds; the aggregate rows are used where the repetitions are not in the file. `real_time` is the value.
 * @see https://github.com/google/benchmark/blob/main/docs/user_guide.md#output-formats
 */
function readGoogleBenchmark(json: JsonValue, warnings: WarningList): Reading {
  const context = json.get('context')
  const program = context.get('executable')
  const prefix = program.isMissing ? '' : `${programName(program.text())}::`
  return {
    environment: readContext(context),
    results: readRows(json.get('benchmarks').items(), prefix, warnings),
  }
}

function readRows(rows: JsonValue[], prefix: string, warnings: WarningList): BenchmarkResult[] {
  const repeated = repeatedNames(rows)
  const named = rows.flatMap((row) => readRow(row, repeated, warnings))
  const groups = Map.groupBy(named, ({ json, name }) => `${groupNumber(json)} ${name}`)
  return [...groups.values()].flatMap((group) => readGroup(group, prefix, warnings))
}

/** `./build/strings.exe` → `strings`: build folders differ from machine to machine. */
function programName(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.exe$/, '')
}

/** Two families may share a name; their numbers tell them apart. Versions before 1.5 have none. */
function groupNumber(row: JsonValue): string {
  const family = row.get('family_index').optionalAmount() ?? '-'
  const instance = row.get('per_family_instance_index').optionalAmount() ?? '-'
  return `${family}/${instance}`
}

function readRow(json: JsonValue, repeated: Map<string, number>, warnings: WarningList): Row[] {
  const fullName = json.get('name').text()
  if (json.get('error_occurred').value === true || json.get('skipped').value === true) {
    const message = [json.get('error_message'), json.get('skip_message')].find(({ isMissing }) => !isMissing)
    const why = message ? `: ${quote(message.text())}` : ''
    warnings.add(json.path, `${quote(fullName)} did not finish${why}.`)
    return []
  }
  if (!json.get('label').isMissing) {
    warnings.add(json.get('label').path, `the label ${quote(json.get('label').text())} is not kept.`)
  }
  const runName = json.get('run_name')
  if (!json.get('run_type').isMissing) {
    const aggregate =
      json.get('run_type').text() === 'aggregate' ? json.get('aggregate_name').text() : undefined
    return [{ json, name: runName.isMissing ? fullName : runName.text(), aggregate }]
  }
  return [{ json, ...splitAggregate(fullName, json, repeated) }]
}

/**
 * The names of benchmarks that have a row for their mean, and how many repetitions it is made of. Before 1.5, in CSV and
 * on the console only names tell what a row is, and a benchmark may be called "BM_mean": with the mean come the
 * repetitions, or the other statistics.
 */
function repeatedNames(rows: JsonValue[]): Map<string, number> {
  const groups = Map.groupBy(rows, (row) => row.get('name').text())
  return new Map(
    [...groups].flatMap(([fullName, [row]]): [string, number][] => {
      const name = fullName.replace(/_mean$/, '')
      const repetitions = row?.get('iterations').optionalAmount() ?? 0
      const isMean = groups.has(`${name}_stddev`) || groups.get(name)?.length === repetitions
      return name !== fullName && isMean ? [[name, repetitions]] : []
    }),
  )
}

/** `BM_Sort/64_mean` → mean of BM_Sort/64; also a statistic of the author's own, whose row counts the same repetitions. */
function splitAggregate(
  fullName: string,
  json: JsonValue,
  repeated: Map<string, number>,
): { name: string; aggregate: string | undefined } {
  const [, name = '', aggregate = ''] = /^(.+)_([^_]+)$/.exec(fullName) ?? []
  const isComplexity = (aggregate === 'BigO' || aggregate === 'RMS') && json.get('iterations').isMissing
  const isStatistic =
    repeated.get(name) === (json.get('iterations').optionalAmount() ?? 0) && !repeated.has(fullName)
  return isComplexity || isStatistic ? { name, aggregate } : { name: fullName, aggregate: undefined }
}

function readGroup(rows: Row[], prefix: string, warnings: WarningList): BenchmarkResult[] {
  const timed = rows.filter(({ json, name, aggregate }) => {
    if (!isKnownAggregate(aggregate)) {
      warnings.add(json.path, `the ${quote(aggregate ?? '')} of ${quote(name)} is not read.`)
      return false
    }
    if (json.get('real_time').isMissing) {
      warnings.add(json.path, `${quote(name)} has no real_time, ignored.`)
      return false
    }
    return true
  })
  const repetitions = timed.filter(({ aggregate }) => aggregate === undefined)
  const named = { uri: `${prefix}${timed[0]?.name ?? ''}`, name: timed[0]?.name ?? '' }
  if (repetitions.length > 0) return splitRepeatedNames(repetitions).map((own) => fromRepetitions(own, named))
  return timed.length > 0 ? fromAggregates(timed, named, warnings) : []
}

function isKnownAggregate(aggregate: string | undefined): boolean {
  return aggregate === undefined || ['mean', 'median', 'stddev', 'cv'].includes(aggregate)
}

/** A second row with repetition index 0 starts another benchmark that was registered under the same name. */
function splitRepeatedNames(rows: Row[]): Row[][] {
  const groups: Row[][] = []
  const seen = new Set<number>()
  for (const row of rows) {
    const index = row.json.get('repetition_index').optionalAmount()
    const isNew = groups.length === 0 || (index !== undefined && seen.has(index))
    if (isNew) {
      groups.push([row])
      seen.clear()
    } else {
      groups.at(-1)?.push(row)
    }
    if (index !== undefined) seen.add(index)
  }
  return groups
}

function fromRepetitions(rows: Row[], named: { uri: string; name: string }): BenchmarkResult {
  const roundValues = rows.map(({ json }) => timeNs(json, 'real_time'))
  const iterations = rows.flatMap(({ json }) => json.get('iterations').optionalAmount() ?? [])
  const counters = new Set(rows.flatMap(({ json }) => counterNames(json)))
  return resultFromRounds({
    ...named,
    roundValues,
    stats: iterations.length === 0 ? {} : { iterationsPerRound: median(iterations) },
    metrics: [
      ...cpuTime(rows),
      ...[...counters].map((counter) => counterMetric(counter, counterValues(counter, rows))),
    ],
  })
}

/** `--benchmark_report_aggregates_only`: the repetitions themselves were not written. */
function fromAggregates(
  rows: Row[],
  named: { uri: string; name: string },
  warnings: WarningList,
): BenchmarkResult[] {
  const find = (aggregate: string) => rows.find((row) => row.aggregate === aggregate)?.json
  const medianRow = find('median')
  const meanRow = find('mean')
  const valueRow = medianRow ?? meanRow
  if (!valueRow) {
    warnings.add(rows[0]?.json.path ?? '$', `${quote(named.name)} has neither mean nor median, ignored.`)
    return []
  }
  const stdevRow = find('stddev')
  const source: Row[] = [{ json: valueRow, name: named.name, aggregate: undefined }]
  return [
    {
      ...named,
      ...wallTime,
      value: timeNs(valueRow, 'real_time'),
      statistic: medianRow ? 'median' : 'mean',
      stats: {
        mean: meanRow && timeNs(meanRow, 'real_time'),
        median: medianRow && timeNs(medianRow, 'real_time'),
        // The console rounds small ones to 0.
        stdev: (stdevRow && timeNs(stdevRow, 'real_time')) || undefined,
        // The "iterations" of an aggregate row count the repetitions it is made of.
        rounds: valueRow.get('repetitions').optionalAmount() ?? valueRow.get('iterations').optionalAmount(),
      },
      metrics: [
        ...cpuTime(source),
        ...counterNames(valueRow).map((counter) => counterMetric(counter, [valueRow.get(counter).number()])),
      ],
    },
  ]
}

function timeNs(row: JsonValue, key: 'real_time' | 'cpu_time'): number {
  return row.get(key).amount() * nsPerTimeUnit(row.get('time_unit'))
}

function cpuTime(rows: Row[]): BenchmarkMetric[] {
  const times = rows.flatMap(({ json }) => (json.get('cpu_time').isMissing ? [] : timeNs(json, 'cpu_time')))
  return times.length === 0
    ? []
    : [{ name: 'cpu_time', value: median(times), unit: 'ns', betterWhen: 'lower' }]
}

function counterNames(row: JsonValue): string[] {
  return row.keys().filter((key) => !OWN_MEMBERS.has(key) && typeof row.get(key).value === 'number')
}

function counterValues(counter: string, rows: Row[]): number[] {
  return rows.flatMap(({ json }) => (json.get(counter).isMissing ? [] : json.get(counter).number()))
}

function counterMetric(name: string, values: number[]): BenchmarkMetric {
  const value = median(values)
  if (name === 'bytes_per_second') return { name, value, unit: 'B/s', betterWhen: 'higher' }
  if (name.endsWith('_per_second')) {
    return { name, value, unit: `${name.replace('_per_second', '')}/s`, betterWhen: 'higher' }
  }
  return { name, value, unit: '' }
}

/** The single values of the context; its lists (caches, load averages) are about the moment, not the machine. */
function readContext(context: JsonValue): Environment {
  const members = {
    date: 'date',
    host_name: 'host',
    num_cpus: 'cpu_count',
    mhz_per_cpu: 'cpu_mhz',
    cpu_scaling_enabled: 'cpu_scaling',
    library_version: 'library:benchmark',
    library_build_type: 'library_build_type',
  }
  return Object.fromEntries(
    Object.entries(members).flatMap(([member, key]) => {
      const value = context.get(member)
      return value.isMissing || value.isObject || value.isList ? [] : [[key, String(value.value)]]
    }),
  )
}
