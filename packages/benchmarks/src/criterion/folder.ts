import type { BenchmarkMetric, BenchmarkResult } from '../benchmark-result.ts'
import { jsonOfFile } from '../file-json.ts'
import { FormatError } from '../format-error.ts'
import type { JsonValue } from '../json-value.ts'
import { wallTime } from '../measure.ts'
import type { Reading } from '../reader.ts'
import type { ResultFiles } from '../result-input.ts'
import type { WarningList } from '../warning-list.ts'
import { criterionResult, slopeMetric } from './criterion-result.ts'
import type { Estimate } from './criterion-result.ts'
import { throughputMetric } from './throughput.ts'

const ESTIMATES = 'new/estimates.json'

export function isCriterionFolder(files: ResultFiles): boolean {
  return [...files.keys()].some(isEstimates)
}

function isEstimates(path: string): boolean {
  return path === ESTIMATES || path.endsWith(`/${ESTIMATES}`)
}

/**
 * Reads the folder `target/criterion`, where each benchmark has the folders `new`, `base` and `change`; only the newest
 * measurement counts. `sample.json` has the rounds and `benchmark.json` the name and what is processed.
 * @see https://bheisler.github.io/criterion.rs/book/user_guide/csv_output.html
 */
export function readCriterionFolder(files: ResultFiles, warnings: WarningList): Reading {
  const folders = [...files.keys()].filter(isEstimates).map((path) => path.slice(0, -'estimates.json'.length))
  return { environment: {}, results: folders.map((folder) => readBenchmark(folder, files, warnings)) }
}

function readBenchmark(folder: string, files: ResultFiles, warnings: WarningList): BenchmarkResult {
  const [estimates, benchmark, sample] = ['estimates.json', 'benchmark.json', 'sample.json'].map((file) => {
    const bytes = files.get(`${folder}${file}`)
    return bytes && jsonOfFile(`${folder}${file}`, bytes)
  })
  const id = benchmark?.get('full_id').text() ?? idByFolder(folder)
  if (!estimates) throw new FormatError('Expected the estimates of a benchmark', folder)
  if (!benchmark) warnings.add(`${folder}benchmark.json`, 'it is missing; the folder names the benchmark.')
  if (!sample) warnings.add(`${folder}sample.json`, 'it is missing, and with it the single rounds.')
  const result = sample
    ? criterionResult(id, {
        times: sample.get('times'),
        iterations: sample.get('iters'),
        nsPerUnit: 1,
        median: readEstimate(estimates.get('median')),
        slope: optionalEstimate(estimates.get('slope')),
      })
    : resultFromEstimates(id, estimates)
  const throughput = benchmark ? readThroughput(benchmark.get('throughput'), result.value) : []
  return { ...result, metrics: [...result.metrics, ...throughput] }
}

/** `target/criterion/sum/fold/64/new/` → `sum/fold/64`. */
function idByFolder(folder: string): string {
  return folder.replace(/^(?:.*\/)?criterion\//, '').replace(/\/?new\/$/, '')
}

function resultFromEstimates(id: string, estimates: JsonValue): BenchmarkResult {
  const { value, low, high } = readEstimate(estimates.get('median'))
  return {
    uri: id,
    name: id,
    ...wallTime,
    value,
    statistic: 'median',
    stats: {
      median: value,
      low,
      high,
      mean: readEstimate(estimates.get('mean')).value,
      stdev: readEstimate(estimates.get('std_dev')).value,
    },
    metrics: slopeMetric(optionalEstimate(estimates.get('slope'))),
  }
}

function optionalEstimate(json: JsonValue): Estimate | undefined {
  return json.isMissing ? undefined : readEstimate(json)
}

function readEstimate(json: JsonValue): Estimate {
  const interval = json.get('confidence_interval')
  return {
    value: json.get('point_estimate').amount(),
    low: interval.get('lower_bound').amount(),
    high: interval.get('upper_bound').amount(),
  }
}

/** `{"Bytes": 64}`, or what counts two things, `{"ElementsAndBytes": {"elements": 8, "bytes": 64}}`. */
function readThroughput(json: JsonValue, nsPerIteration: number): BenchmarkMetric[] {
  if (json.isMissing) return []
  return json.keys().flatMap((what) => {
    const amount = json.get(what)
    if (!amount.isObject) return throughputMetric(what, amount.amount(), nsPerIteration)
    return amount.keys().flatMap((own) => throughputMetric(own, amount.get(own).amount(), nsPerIteration))
  })
}
