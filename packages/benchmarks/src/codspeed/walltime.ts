import type { BenchmarkResult, Environment } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import type { JsonValue } from '../json-value.ts'
import { wallTime } from '../measure.ts'
import { quote } from '../quote.ts'
import type { Reading } from '../reader.ts'
import { resultFromRounds } from '../result-from-rounds.ts'
import { median } from '../statistics/describe-rounds.ts'
import type { WarningList } from '../warning-list.ts'

/** `results/<pid>.json`, and what pytest and Node.js leave in `.codspeed`. */
export function isWalltimeResults(json: JsonValue): boolean {
  return json.get('benchmarks').isList && json.get('creator').isObject && json.get('instrument').isObject
}

/** One benchmark in a file of its own, as Rust and Go leave it in `raw_results`. */
export function isRawWalltime(json: JsonValue): boolean {
  return (
    typeof json.get('uri').value === 'string' &&
    (json.get('codspeed_time_per_round_ns').isList || !json.get('stats').get('median_ns').isMissing)
  )
}

/**
 * Reads {creator, instrument: {type: 'walltime'}, benchmarks: [{name, uri, config, stats}]}. The value is `median_ns`, and
 * all times are per iteration. How quartiles are found differs from one creator to another.
 * @see https://github.com/CodSpeedHQ/codspeed/blob/main/crates/runner-shared/src/walltime_results/interfaces.rs
 */
export function readWalltimeResults(json: JsonValue, warnings: WarningList): Reading {
  const type = json.get('instrument').get('type').text()
  const environment = creatorOf(json.get('creator'))
  if (type !== 'walltime') {
    warnings.add(json.get('instrument').path, `the instrument is ${quote(type)}, and has no times here.`)
    return { environment, results: [] }
  }
  const benchmarks = json.get('benchmarks').items()
  return { environment, results: benchmarks.map((benchmark) => readBenchmark(benchmark, warnings)) }
}

export function readRawWalltime(json: JsonValue, warnings: WarningList): Reading {
  const isGo = json.get('codspeed_time_per_round_ns').isList
  return { environment: {}, results: [isGo ? readRounds(json) : readBenchmark(json, warnings)] }
}

function creatorOf(creator: JsonValue): Environment {
  const [name, version] = [creator.get('name'), creator.get('version')]
  return name.isMissing || version.isMissing ? {} : { [`library:${name.text()}`]: version.text() }
}

function readBenchmark(benchmark: JsonValue, warnings: WarningList): BenchmarkResult {
  const stats = benchmark.get('stats')
  const value = stats.get('median_ns').amount()
  const warning = benchmark.get('metadata').get('async_warning')
  if (!warning.isMissing) {
    warnings.add(warning.path, `${quote(benchmark.get('name').text())}: ${quote(String(warning.value))}.`)
  }
  const totalTime = stats.get('total_time').optionalAmount()
  return {
    uri: benchmark.get('uri').text(),
    name: benchmark.get('name').text(),
    ...wallTime,
    value,
    statistic: 'median',
    stats: {
      median: value,
      min: stats.get('min_ns').optionalAmount(),
      max: stats.get('max_ns').optionalAmount(),
      mean: stats.get('mean_ns').optionalAmount(),
      stdev: stats.get('stdev_ns').optionalAmount(),
      q1: stats.get('q1_ns').optionalAmount(),
      q3: stats.get('q3_ns').optionalAmount(),
      rounds: stats.get('rounds').optionalAmount(),
      iterationsPerRound: stats.get('iter_per_round').optionalAmount(),
      warmupIterations: stats.get('warmup_iters').optionalAmount(),
      outlierRounds: stats.get('iqr_outlier_rounds').optionalAmount(),
      // The one time that is in seconds.
      totalTimeMs: totalTime === undefined ? undefined : totalTime * 1e3,
    },
    metrics: [],
  }
}

/** The rounds of Go: the time of each and how often the benchmark ran in it. */
function readRounds(json: JsonValue): BenchmarkResult {
  const times = json.get('codspeed_time_per_round_ns').amounts()
  const iterations = json.get('codspeed_iters_per_round').amounts()
  if (times.length === 0 || times.length !== iterations.length || iterations.some((count) => count < 1)) {
    throw new FormatError(
      'Expected as many times as counts of iterations, each at least 1',
      json.get('codspeed_iters_per_round').path,
    )
  }
  return resultFromRounds({
    uri: json.get('uri').text(),
    name: json.get('name').text(),
    roundValues: times.map((time, round) => time / (iterations[round] ?? 1)),
    stats: {
      iterationsPerRound: median(iterations),
      totalTimeMs: times.reduce((sum, time) => sum + time, 0) / 1e6,
    },
    metrics: [],
  })
}
