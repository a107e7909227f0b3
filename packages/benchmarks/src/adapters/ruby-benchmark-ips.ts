import { adapter } from '../adapter.ts'
import type { BenchmarkResult, Environment } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import type { JsonValue } from '../json-value.ts'
import { wallTime } from '../measure.ts'
import { numberedLines } from '../numbered-lines.ts'
import { printedNumber } from '../printed-number.ts'
import { quote } from '../quote.ts'
import { jsonReader, textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { nsPerIteration, throughput } from '../throughput.ts'
import type { WarningList } from '../warning-list.ts'

export const rubyBenchmarkIps = adapter({
  name: 'ruby_benchmark_ips',
  title: 'benchmark-ips',
  readers: [textReader(isReport, readReport), jsonReader(isJsonReport, readJsonReport)],
})

const SCALES: Record<string, number> = { '': 1, k: 1e3, M: 1e6, B: 1e9, T: 1e12, Q: 1e15 }
const SECTION = /^(Warming up|Calculating) -+$/
const ROW =
  /^(.*\s)?([\d.]+)([kMBTQ]?) \(±\s*([\d.]+)%\) i\/s(?: +\([\d.]+ \S+\/i\))? - +[\d.]+[kMBTQ]? in +([\d.]+)s/

function isReport(text: string): boolean {
  return /^Calculating -+\s*$/m.test(text) && / i\/s /.test(text)
}

/**
 * Reads what `Benchmark.ips` prints: `sort  17.533k (± 6.6%) i/s - 17.880k in 1.024459s` below "Calculating"; the
 * percentage is the standard deviation.
 * @see https://github.com/evanphx/benchmark-ips
 */
function readReport(text: string, warnings: WarningList): Reading {
  if (!isReport(text)) throw new FormatError('There is no report of benchmark-ips in the file', 1)
  const environment: Environment = {}
  const results: BenchmarkResult[] = []
  let section = ''
  // A label of more than 20 characters has a line of its own.
  let longLabel = ''
  for (const { line, lineNumber } of numberedLines(text)) {
    if (SECTION.test(line.trim())) section = line.startsWith('Calc') ? 'calculating' : 'warming up'
    // The comparison says in words what the numbers above it are.
    else if (line.trim() === 'Comparison:') section = 'comparison'
    else if (/^(j?ruby|truffleruby) \d/.test(line)) environment['runtime'] = line.trim()
    else if (section === 'calculating' && line.trim() !== '') {
      const row = ROW.exec(line)
      if (row) results.push(readRow(row, longLabel, lineNumber))
      else if (longLabel !== '') warnings.add(lineNumber - 1, `no result, ignored: ${quote(longLabel)}.`)
      longLabel = row ? '' : line.trim()
    } else if (section === '' && line.trim() !== '') {
      warnings.add(lineNumber, `no benchmark, ignored: ${quote(line)}.`)
    }
  }
  return { environment, results }
}

function readRow(
  [, label = '', amount = '', scale = '', percent = '', seconds = '']: RegExpExecArray,
  longLabel: string,
  lineNumber: number,
): BenchmarkResult {
  const perSecond = printedNumber(amount, lineNumber) * (SCALES[scale] ?? 1)
  return fromRate({
    name: label.trim() || longLabel || `line ${lineNumber}`,
    perSecond,
    stdevShare: printedNumber(percent, lineNumber) / 100,
    totalTimeMs: printedNumber(seconds, lineNumber) * 1000,
    iterationsPerRound: undefined,
    place: lineNumber,
  })
}

/** `x.json! 'file'`: [{ name, ips, stddev, microseconds, iterations, cycles }]. */
function isJsonReport(json: JsonValue): boolean {
  return (
    json.isList &&
    json.items().length > 0 &&
    json.items().every((row) => !row.get('ips').isMissing && !row.get('microseconds').isMissing)
  )
}

function readJsonReport(json: JsonValue): Reading {
  const results = json.items().map((row) => {
    const ips = row.get('ips').amount()
    return fromRate({
      name: row.get('name').text(),
      perSecond: ips,
      stdevShare: row.get('stddev').amount() / ips,
      totalTimeMs: row.get('microseconds').amount() / 1000,
      iterationsPerRound: row.get('cycles').optionalAmount(),
      place: row.get('ips').path,
    })
  })
  return { environment: {}, results }
}

function fromRate(rate: {
  name: string
  perSecond: number
  stdevShare: number
  totalTimeMs: number
  iterationsPerRound: number | undefined
  place: number | string
}): BenchmarkResult {
  const mean = nsPerIteration(rate.perSecond, rate.place)
  return {
    uri: rate.name,
    name: rate.name,
    ...wallTime,
    value: mean,
    statistic: 'mean',
    stats: {
      mean,
      stdev: mean * rate.stdevShare,
      iterationsPerRound: rate.iterationsPerRound,
      totalTimeMs: rate.totalTimeMs,
    },
    metrics: [throughput(rate.perSecond)],
  }
}
