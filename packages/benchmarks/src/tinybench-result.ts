import type { BenchmarkMetric, BenchmarkResult } from './benchmark-result.ts'
import { FormatError } from './format-error.ts'
import type { JsonValue } from './json-value.ts'
import { wallTime } from './measure.ts'
import { resultFromRounds } from './result-from-rounds.ts'
import { throughput } from './throughput.ts'

const NS_PER_MS = 1e6

/**
 * What tinybench, which Vitest runs too, found out about a task. `latency` holds the statistics in ms; before version 3
 * that was the task's result itself.
 * @see https://tinylibs.github.io/tinybench/interfaces/Statistics.html
 */
export function tinybenchResult(
  { uri, name }: { uri: string; name: string },
  task: JsonValue,
  latency: JsonValue,
): BenchmarkResult {
  const totalTimeMs = task.get('totalTime').optionalAmount()
  const metrics = readMetrics(task, latency)
  const stats = { iterationsPerRound: 1, totalTimeMs }
  const samples = latency.get('samples')
  if (!samples.isMissing && samples.items().length > 0) {
    const roundValues = samples.amounts().map((sampleMs) => sampleMs * NS_PER_MS)
    return resultFromRounds({ uri, name, roundValues, stats, metrics })
  }
  const ns = (...keys: string[]) => {
    const amounts = keys.map((key) => latency.get(key).optionalAmount())
    const found = amounts.find((amount) => amount !== undefined)
    return found === undefined ? undefined : found * NS_PER_MS
  }
  const median = ns('p50', 'median')
  const mean = ns('mean')
  const value = median ?? mean
  if (value === undefined) throw new FormatError('Expected a mean or a median', latency.path)
  return {
    uri,
    name,
    ...wallTime,
    value,
    statistic: median === undefined ? 'mean' : 'median',
    stats: {
      min: ns('min'),
      max: ns('max'),
      mean,
      median,
      q3: ns('p75'),
      stdev: ns('sd'),
      rounds: (['samplesCount', 'sampleCount'] as const)
        .map((key) => latency.get(key).optionalAmount())
        .find((count) => count !== undefined),
      ...stats,
    },
    metrics,
  }
}

function readMetrics(task: JsonValue, latency: JsonValue): BenchmarkMetric[] {
  const rate = task.get('hz').optionalAmount() ?? task.get('throughput').get('mean').optionalAmount()
  const p99 = latency.get('p99').optionalAmount()
  return [
    ...(rate === undefined ? [] : [throughput(rate)]),
    ...(p99 === undefined
      ? []
      : [{ name: 'p99', value: p99 * NS_PER_MS, unit: 'ns', betterWhen: 'lower' as const }]),
  ]
}
