import { adapter } from '../adapter.ts'
import type { BenchmarkMetric, BenchmarkResult, BenchmarkStats, Environment } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import type { JsonValue } from '../json-value.ts'
import { wallTime } from '../measure.ts'
import { parameterSuffix } from '../parameter-suffix.ts'
import { quote } from '../quote.ts'
import { jsonReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { resultFromRounds } from '../result-from-rounds.ts'
import { nsPerIteration, throughput } from '../throughput.ts'
import { nsPerPrintedUnit } from '../time-unit.ts'
import type { WarningList } from '../warning-list.ts'

export const jmh = adapter({
  name: 'jmh',
  title: 'JMH',
  readers: [jsonReader(isJmh, readJmh)],
})

const NS_PER_SECOND = 1e9

function isJmh(json: JsonValue): boolean {
  return json.isListOf(
    (run) => typeof run.get('benchmark').value === 'string' && run.get('primaryMetric').isObject,
  )
}

/**
 * Reads `-rf json`: [{ benchmark, mode, threads, params, primaryMetric: { score, scoreUnit, scoreConfidence,
 * scorePercentiles, rawData: [fork][iteration] }, secondaryMetrics }]. Modes: `thrpt` counts operations in a time,
 * `avgt` is a mean, `sample` a distribution, `ss` one cold call. Iterations are the rounds.
 * @see https://github.com/openjdk/jmh/blob/master/jmh-core/src/main/java/org/openjdk/jmh/results/format/JSONResultFormat.java
 */
function readJmh(json: JsonValue, warnings: WarningList): Reading {
  const runs = json.items()
  const distinguishing = new Map(
    [...Map.groupBy(runs, identity)].map(([key, own]) => [
      key,
      ['mode', 'threads'].filter((member) => new Set(own.map((run) => run.get(member).value)).size > 1),
    ]),
  )
  const results = runs.flatMap((run) => {
    // A benchmark that was measured in several modes, or with several numbers of threads, is as many benchmarks.
    const members = distinguishing.get(identity(run)) ?? []
    const pairs = members.map((key): [string, string] => [key, String(run.get(key).value)])
    return readRun(run, pairs, warnings)
  })
  return { environment: readEnvironment(runs, warnings), results }
}

function identity(run: JsonValue): string {
  return JSON.stringify([run.get('benchmark').value, run.get('params').value])
}

function readRun(
  run: JsonValue,
  distinguishing: [string, string][],
  warnings: WarningList,
): BenchmarkResult[] {
  const fullName = run.get('benchmark').text()
  const [, className = '', method = ''] = /^(.*)\.([^.]+)$/.exec(fullName) ?? ['', '', fullName]
  const params = run.get('params')
  const pairs = params.isMissing
    ? []
    : params.keys().map((key): [string, string] => [key, String(params.get(key).value)])
  const suffix = parameterSuffix([...pairs, ...distinguishing])
  const shortClass = className.replace(/^.*\./, '')
  const uri = `${className === '' ? '' : `${className}::`}${method}${suffix}`
  const name = `${shortClass === '' ? '' : `${shortClass}.`}${method}${suffix}`
  const metric = run.get('primaryMetric')
  if (typeof metric.get('score').value !== 'number') {
    warnings.add(metric.get('score').path, `${quote(name)} has no score, ignored.`)
    return []
  }
  const { isRate, toNs } = scoreUnit(metric.get('scoreUnit'))
  const metrics = [
    ...(isRate ? [throughput(NS_PER_SECOND / toNs(metric.get('score')))] : []),
    ...readPercentiles(metric.get('scorePercentiles'), run.get('mode').value === 'sample', toNs),
    ...readSecondary(run.get('secondaryMetrics'), warnings),
  ]
  const roundValues = readRawData(metric.get('rawData'), toNs)
  const bounds = readConfidence(metric.get('scoreConfidence'), isRate, toNs)
  if (roundValues.length > 0) return [resultFromRounds({ uri, name, roundValues, stats: bounds, metrics })]
  return [fromScore(metric, { uri, name, metrics }, { ...bounds, rounds: countSamples(metric) }, toNs)]
}

/** Sample mode writes how often each time was seen, and percentiles of all of them. */
function fromScore(
  metric: JsonValue,
  known: { uri: string; name: string; metrics: BenchmarkMetric[] },
  stats: BenchmarkStats,
  toNs: (score: JsonValue) => number,
): BenchmarkResult {
  const percentile = (key: string) => {
    const score = metric.get('scorePercentiles').get(key)
    return typeof score.value === 'number' ? toNs(score) : undefined
  }
  const mean = toNs(metric.get('score'))
  const median = percentile('50.0')
  return {
    ...known,
    ...wallTime,
    value: median ?? mean,
    statistic: median === undefined ? 'mean' : 'median',
    stats: { mean, median, min: percentile('0.0'), max: percentile('100.0'), ...stats },
  }
}

/** `ops/s` and its kin are rates, `us/op` and its kin are times. */
function scoreUnit(unit: JsonValue): { isRate: boolean; toNs: (score: JsonValue) => number } {
  const [, per = '', of = ''] = /^(\w+)\/(\w+)$/.exec(unit.text()) ?? []
  const isRate = per === 'ops'
  const factor = nsPerPrintedUnit(isRate ? of : per)
  if (factor === undefined || (!isRate && of !== 'op')) {
    throw new FormatError('Expected a unit such as "ops/s" or "us/op"', unit.path)
  }
  return {
    isRate,
    toNs: (score) =>
      isRate
        ? nsPerIteration(score.amount() * (NS_PER_SECOND / factor), score.path)
        : score.amount() * factor,
  }
}

function readRawData(rawData: JsonValue, toNs: (score: JsonValue) => number): number[] {
  if (rawData.isMissing) return []
  return rawData.items().flatMap((fork) => fork.items().map(toNs))
}

/** The bounds of a few iterations may reach below zero, or be the text "NaN": then they say nothing. */
function readConfidence(
  confidence: JsonValue,
  isRate: boolean,
  toNs: (score: JsonValue) => number,
): BenchmarkStats {
  if (confidence.isMissing) return {}
  const [first, second] = confidence
    .items()
    .map((bound) => (typeof bound.value === 'number' && bound.value > 0 ? toNs(bound) : undefined))
  return isRate ? { low: second, high: first } : { low: first, high: second }
}

function readPercentiles(
  percentiles: JsonValue,
  isSampled: boolean,
  toNs: (score: JsonValue) => number,
): BenchmarkMetric[] {
  if (!isSampled) return []
  return ['90.0', '95.0', '99.0', '99.9', '99.99'].flatMap((percent) => {
    const score = percentiles.get(percent)
    return typeof score.value === 'number'
      ? [{ name: `p${Number(percent)}`, value: toNs(score), unit: 'ns', betterWhen: 'lower' as const }]
      : []
  })
}

/** `rawDataHistogram`: for each fork and iteration the pairs [time, how often]. */
function countSamples(metric: JsonValue): number | undefined {
  const histogram = metric.get('rawDataHistogram')
  if (histogram.isMissing) return undefined
  const pairs = histogram.items().flatMap((fork) => fork.items().flatMap((iteration) => iteration.items()))
  return pairs.reduce((sum, pair) => sum + (pair.amounts()[1] ?? 0), 0)
}

/** What profilers (`-prof gc`) and @AuxCounters measured. Before 1.37 names of profilers begin with a dot. */
function readSecondary(secondary: JsonValue, warnings: WarningList): BenchmarkMetric[] {
  if (secondary.isMissing) return []
  return secondary.keys().flatMap((key): BenchmarkMetric[] => {
    const { value, path } = secondary.get(key).get('score')
    const name = key.replace(/^·/, '')
    // `p0.90` of a distribution is among its percentiles too.
    if (/^p[01]\.\d+$/.test(name)) return []
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      warnings.add(path, `${quote(name)} has no score, ignored.`)
      return []
    }
    const unit = secondary.get(key).get('scoreUnit')
    return [{ name, value, ...readUnit(unit.isMissing ? '' : unit.text()) }]
  })
}

function readUnit(unit: string): Pick<BenchmarkMetric, 'unit' | 'betterWhen'> {
  if (unit.startsWith('ops/')) return { unit, betterWhen: 'higher' }
  return unit.endsWith('/op') ? { unit, betterWhen: 'lower' } : { unit }
}

/** Of the machine JMH tells the Java only; the arguments of the JVM decide about speed too. */
function readEnvironment(runs: JsonValue[], warnings: WarningList): Environment {
  const environment: Environment = {}
  const keep = (key: string, value: string, path: string) => {
    if (value === '') return
    environment[key] ??= value
    if (environment[key] !== value) {
      warnings.add(path, `${key} changes to ${quote(value)} within the file; the first one is kept.`)
    }
  }
  for (const run of runs) {
    const text = (key: string) => {
      const { value } = run.get(key)
      return typeof value === 'string' ? value : ''
    }
    keep('runtime', `${text('vmName')} ${text('vmVersion') || text('jdkVersion')}`.trim(), run.path)
    keep('library:jmh', text('jmhVersion'), run.path)
    const jvmArguments = run.get('jvmArgs')
    if (!jvmArguments.isMissing) {
      keep(
        'jvm_args',
        jvmArguments
          .items()
          .map(({ value }) => String(value))
          .join(' '),
        run.path,
      )
    }
  }
  return environment
}
