import { adapter } from '../adapter.ts'
import type { BenchmarkResult } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { wallTime } from '../measure.ts'
import { numberedLines } from '../numbered-lines.ts'
import { quote } from '../quote.ts'
import { readRateLine } from '../rate-line.ts'
import type { RateLine } from '../rate-line.ts'
import { textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { stdevFromMargin } from '../statistics/stdev-from-margin.ts'
import { nsPerIteration, throughput } from '../throughput.ts'
import type { WarningList } from '../warning-list.ts'

export const benchmarkJs = adapter({
  name: 'benchmark_js',
  title: 'Benchmark.js',
  readers: [textReader(isBenchmarkJs, readBenchmarkJs)],
})

function isBenchmarkJs(text: string): boolean {
  return / x [\d.,]+ ops\/sec (?:±|\+-)[\d.,]+% \(\d+ runs? sampled\)[ \t\r]*$/m.test(text)
}

/**
 * Reads the lines of `String(benchmark)`, as suites print them on each cycle:
 * `fib(20) x 12,146 ops/sec ±0.32% (96 runs sampled)`. The margin is of the mean, at 95 %.
 * @see https://benchmarkjs.com/docs/#prototype_toString
 */
function readBenchmarkJs(text: string, warnings: WarningList): Reading {
  const results: BenchmarkResult[] = []
  for (const { line, lineNumber } of numberedLines(text)) {
    if (line.trim() === '') continue
    const rate = readRateLine(line, lineNumber)
    if (rate) results.push(readRate(rate, lineNumber))
    else warnings.add(lineNumber, `no benchmark, ignored: ${quote(line)}.`)
  }
  if (results.length === 0) throw new FormatError('There is no line of Benchmark.js in the file', 1)
  return { environment: {}, results }
}

function readRate({ name, perSecond, marginPercent, runs }: RateLine, lineNumber: number): BenchmarkResult {
  const mean = nsPerIteration(perSecond, lineNumber)
  const margin = (mean * marginPercent) / 100
  return {
    uri: name,
    name,
    ...wallTime,
    value: mean,
    statistic: 'mean',
    stats: {
      mean,
      stdev: stdevFromMargin(margin, runs),
      ...(margin < mean && { low: mean - margin, high: mean + margin }),
      rounds: runs,
    },
    metrics: [throughput(perSecond)],
  }
}
