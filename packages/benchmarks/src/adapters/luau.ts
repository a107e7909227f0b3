import { adapter } from '../adapter.ts'
import type { BenchmarkResult, Environment } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { wallTime } from '../measure.ts'
import { numberedLines } from '../numbered-lines.ts'
import { printedNumber } from '../printed-number.ts'
import { quote } from '../quote.ts'
import { readRateLine } from '../rate-line.ts'
import { textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { nsPerIteration, throughput } from '../throughput.ts'
import type { WarningList } from '../warning-list.ts'

export const luau = adapter({
  name: 'luau',
  title: 'Luau benchmarks',
  readers: [textReader(isLuau, readLuau)],
})

const NS_PER_MS = 1e6
const SUCCESS_LINE = /^SUCCESS: (\S+)\s*:\s*([\d.]+)ms \+\/-\s*([\d.]+)% on (\S+)/
const TABLE_LINE = /^(\S+)\s*\|\s*([\d.]+)ms\s*\|\s*([\d.]+)ms\s*\|\s*([\d.]+|---)%?\s*\|\s*(\S+)/
const TABLE_HEAD = /^Test\s+\| Min\s+\| Average\s+\|/
const ROBLOX_VERSION = /^\(roblox-cli version (.*)\)$/

function isLuau(text: string): boolean {
  return /^SUCCESS: \S+\s*:\s*[\d.]+ms \+\/-/m.test(text) || /runs? sampled\)\(roblox-cli version /.test(text)
}

/**
 * Reads what Luau's `bench.py` prints, a line for each test and a table of them, and the lines of benchmarks that run
 * in roblox-cli: `Group#name x 123.4 ops/sec ±1.2% (30 runs sampled)(roblox-cli version 0.1)`. Their percentages are the
 * standard deviation.
 * @see https://github.com/luau-lang/luau/tree/master/bench
 */
function readLuau(text: string, warnings: WarningList): Reading {
  const results: BenchmarkResult[] = []
  const minima = new Map<string, number>()
  const environment: Environment = {}
  for (const { line, lineNumber } of numberedLines(text)) {
    const rate = readRateLine(line, lineNumber)
    const success = SUCCESS_LINE.exec(line)
    const row = TABLE_LINE.exec(line)
    if (success) {
      const [, test = '', mean = '', percent = '', driver = ''] = success
      results.push(
        fromMean(`${driver}::${test}`, test, ns(mean, lineNumber), printedNumber(percent, lineNumber)),
      )
    } else if (rate) {
      const mean = nsPerIteration(rate.perSecond, lineNumber)
      const result = fromMean(rate.name.replace('#', '::'), rate.name, mean, rate.marginPercent)
      result.stats.rounds = rate.runs
      result.metrics.push(throughput(rate.perSecond))
      results.push(result)
      const version = ROBLOX_VERSION.exec(rate.rest)?.[1]
      if (version !== undefined) environment['runtime'] = `roblox-cli ${version}`
    } else if (row) {
      // The table tells the same numbers again, but for the minimum.
      const [, test = '', minimum = '', , , driver = ''] = row
      minima.set(`${driver}::${test}`, ns(minimum, lineNumber))
    } else if (!TABLE_HEAD.test(line) && !/^[-=+\s]*(RESULTS)?[-=+\s]*$/.test(line)) {
      warnings.add(lineNumber, `no benchmark, ignored: ${quote(line)}.`)
    }
  }
  if (results.length === 0) throw new FormatError('There is no line of a Luau benchmark in the file', 1)
  return { environment, results: results.map((result) => withMinimum(result, minima)) }
}

function ns(ms: string, lineNumber: number): number {
  return printedNumber(ms, lineNumber) * NS_PER_MS
}

function fromMean(uri: string, name: string, mean: number, stdevPercent: number): BenchmarkResult {
  return {
    uri,
    name,
    ...wallTime,
    value: mean,
    statistic: 'mean',
    stats: { mean, stdev: (mean * stdevPercent) / 100 },
    metrics: [],
  }
}

function withMinimum(result: BenchmarkResult, minima: Map<string, number>): BenchmarkResult {
  const min = minima.get(result.uri)
  return min === undefined || min > result.value ? result : { ...result, stats: { ...result.stats, min } }
}
