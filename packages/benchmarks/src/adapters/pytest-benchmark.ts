import { adapter } from '../adapter.ts'
import type { BenchmarkMetric, BenchmarkResult, Environment } from '../benchmark-result.ts'
import type { JsonValue } from '../json-value.ts'
import { wallTime } from '../measure.ts'
import { quote } from '../quote.ts'
import { jsonReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { resultFromRounds } from '../result-from-rounds.ts'
import type { WarningList } from '../warning-list.ts'

export const pytestBenchmark = adapter({
  name: 'pytest_benchmark',
  title: 'pytest-benchmark',
  readers: [jsonReader(isPytestBenchmark, readPytestBenchmark)],
})

const NS_PER_SECOND = 1e9

function isPytestBenchmark(json: JsonValue): boolean {
  const benchmarks = json.get('benchmarks')
  if (!benchmarks.isList) return false
  const rows = benchmarks.items()
  return rows.length === 0
    ? json.get('machine_info').isObject
    : rows.every((row) => row.get('stats').isObject && typeof row.get('fullname').value === 'string')
}

/**
 * Reads `--benchmark-json` and the files of `.benchmarks`, which are alike: { machine_info, commit_info, benchmarks:
 * [{ fullname, extra_info, stats }] }, times in seconds per iteration. The rounds are there with
 * `--benchmark-save-data` and in `--benchmark-json`.
 * @see https://pytest-benchmark.readthedocs.io/en/latest/usage.html
 */
function readPytestBenchmark(json: JsonValue, warnings: WarningList): Reading {
  const results = json
    .get('benchmarks')
    .items()
    .map((row) => readRow(row, warnings))
  return { environment: readMachine(json.get('machine_info')), results }
}

function readRow(row: JsonValue, warnings: WarningList): BenchmarkResult {
  // "tests/test_text.py::TestText::test_join[10]": parameters are part of it.
  const uri = row.get('fullname').text()
  const named = { uri, name: uri.split('::').slice(1).join('::') || uri }
  const stats = row.get('stats')
  const iterations = stats.get('iterations').optionalAmount()
  const totalSeconds = stats.get('total').optionalAmount()
  const told = {
    iterationsPerRound: iterations,
    outlierRounds: stats.get('iqr_outliers').optionalAmount(),
    totalTimeMs: totalSeconds === undefined ? undefined : totalSeconds * (iterations ?? 1) * 1000,
  }
  const metrics = readExtraInfo(row.get('extra_info'), warnings)
  const roundValues = readRounds(stats.get('data'), named.name, warnings)
  if (roundValues.length > 0) return resultFromRounds({ ...named, roundValues, stats: told, metrics })
  const median = nanoseconds(stats.get('median'))
  const mean = stats.get('mean').amount() * NS_PER_SECOND
  return {
    ...named,
    ...wallTime,
    value: median ?? mean,
    statistic: median === undefined ? 'mean' : 'median',
    stats: {
      min: nanoseconds(stats.get('min')),
      max: nanoseconds(stats.get('max')),
      mean,
      median,
      q1: nanoseconds(stats.get('q1')),
      q3: nanoseconds(stats.get('q3')),
      stdev: nanoseconds(stats.get('stddev')),
      rounds: stats.get('rounds').optionalAmount(),
      ...told,
    },
    metrics,
  }
}

function nanoseconds(seconds: JsonValue): number | undefined {
  const amount = seconds.optionalAmount()
  return amount === undefined ? undefined : amount * NS_PER_SECOND
}

/** People shorten the list to keep files small; half a list of rounds says something else than the whole. */
function readRounds(data: JsonValue, name: string, warnings: WarningList): number[] {
  if (data.isMissing) return []
  const strange = data.items().find(({ value }) => typeof value !== 'number')
  if (strange) {
    warnings.add(strange.path, `no number; of ${quote(name)} the summary is taken in place of its rounds.`)
    return []
  }
  return data.amounts().map((seconds) => seconds * NS_PER_SECOND)
}

/** What the author of the benchmark noted beside it; numbers are kept. */
function readExtraInfo(extraInfo: JsonValue, warnings: WarningList): BenchmarkMetric[] {
  if (extraInfo.isMissing) return []
  return extraInfo.keys().flatMap((name) => {
    const { value, path } = extraInfo.get(name)
    if (typeof value === 'number' && Number.isFinite(value)) return [{ name, value, unit: '' }]
    warnings.add(path, 'no number, not kept.')
    return []
  })
}

function readMachine(machine: JsonValue): Environment {
  const python = [textOf(machine.get('python_implementation')), textOf(machine.get('python_version'))]
  // Before version 9 of py-cpuinfo the brand was called so.
  const cpu = machine.get('cpu')
  const told = {
    host: textOf(machine.get('node')),
    cpu: textOf(cpu.get('brand_raw')) || textOf(cpu.get('brand')),
    os: textOf(machine.get('system')),
    os_release: textOf(machine.get('release')),
    arch: textOf(machine.get('machine')),
    runtime: python.join(' ').trim(),
    compiler: textOf(machine.get('python_compiler')),
  }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== ''))
}

function textOf({ value }: JsonValue): string {
  return typeof value === 'string' ? value : ''
}
