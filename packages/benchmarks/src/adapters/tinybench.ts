import { adapter } from '../adapter.ts'
import type { BenchmarkResult } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { JsonValue } from '../json-value.ts'
import { wallTime } from '../measure.ts'
import { numberedLines } from '../numbered-lines.ts'
import { printedNumber } from '../printed-number.ts'
import { quote } from '../quote.ts'
import { jsonReader, textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { stdevFromMargin } from '../statistics/stdev-from-margin.ts'
import { throughput } from '../throughput.ts'
import { tinybenchResult } from '../tinybench-result.ts'
import type { WarningList } from '../warning-list.ts'

export const tinybench = adapter({
  name: 'tinybench',
  title: 'tinybench',
  readers: [jsonReader(isTinybench, readTinybench), textReader(isPrintedTable, readPrintedTable)],
})

function isTinybench(json: JsonValue): boolean {
  return json.isListOf((row) => isTableRow(row) || isTask(row))
}

function isTableRow(row: JsonValue): boolean {
  return !taskName(row).isMissing
}

/** "Task name"; with a capital N before version 3. */
function taskName(row: JsonValue): JsonValue {
  const name = row.get('Task name')
  return name.isMissing ? row.get('Task Name') : name
}

function isTask(row: JsonValue): boolean {
  const statistics = statisticsOf(row)
  const isFinished = isLatency(statistics) || statistics.get('error').isObject
  return typeof row.get('name').value === 'string' && isFinished
}

function isLatency(statistics: JsonValue): boolean {
  const latency = latencyOf(statistics)
  return !latency.get('mean').isMissing && !latency.get('rme').isMissing
}

/** Of `{ name, result: { … } }` the inner object, of `{ name, ...result }` the same. */
function statisticsOf(task: JsonValue): JsonValue {
  return task.get('result').isObject ? task.get('result') : task
}

function latencyOf(statistics: JsonValue): JsonValue {
  return statistics.get('latency').isObject ? statistics.get('latency') : statistics
}

/**
 * Reads what people write of a finished bench as JSON: the rows of `bench.table()`, or each task's name with its result,
 * `bench.tasks.map(({ name, result }) => ({ name, result }))`. All versions from 2 to 6.
 * @see https://github.com/tinylibs/tinybench
 */
function readTinybench(json: JsonValue, warnings: WarningList): Reading {
  const results = json
    .items()
    .flatMap((row) => (isTableRow(row) ? readRow(row, warnings) : readTask(row, warnings)))
  return { environment: readRuntime(json), results }
}

function readTask(task: JsonValue, warnings: WarningList): BenchmarkResult[] {
  const name = task.get('name').text()
  const statistics = statisticsOf(task)
  if (!isLatency(statistics)) {
    warnings.add(task.path, `${quote(name)} did not finish.`)
    return []
  }
  return [tinybenchResult({ uri: name, name }, statistics, latencyOf(statistics))]
}

/** Since version 5 each result tells where it ran. */
function readRuntime(json: JsonValue): Record<string, string> {
  const [first] = json.items()
  const statistics = first && statisticsOf(first)
  const runtime = statistics?.get('runtime').value
  const version = statistics?.get('runtimeVersion').value
  return typeof runtime === 'string' && typeof version === 'string'
    ? { runtime: `${runtime} ${version}` }
    : {}
}

/** `console.table(bench.table())`: one row for each task between the lines of a box. Old Node.js centres its cells. */
function isPrintedTable(text: string): boolean {
  return /^│.*│ +Task [Nn]ame +│/m.test(text)
}

function readPrintedTable(text: string, warnings: WarningList): Reading {
  let header: string[] | undefined
  const results: BenchmarkResult[] = []
  for (const { line, lineNumber } of numberedLines(text)) {
    if (/^[┌├└][─┬┼┴┐┤┘]+$/.test(line.trim()) || line.trim() === '') continue
    const cells = /^│.*│$/.test(line.trim()) ? line.trim().slice(1, -1).split('│').map(unquote) : []
    if (cells.includes('Task name') || cells.includes('Task Name')) {
      header = cells
    } else if (header && cells.length === header.length) {
      const members = header.map((key, index): [string, string] => [key, cells[index] ?? ''])
      results.push(...readRow(new JsonValue(Object.fromEntries(members), `line ${lineNumber}`), warnings))
    } else {
      warnings.add(lineNumber, `no row of a table, ignored: ${quote(line)}.`)
    }
  }
  if (!header) throw new FormatError('There is no table of tinybench in the file', 1)
  return { environment: {}, results }
}

/** Node prints texts with their quotes. */
function unquote(cell: string): string {
  return cell.trim().replace(/^'(.*)'$/, '$1')
}

/** Names of columns differ between the versions; "± 1.5%" is a 95 % margin of error, "± 1.5" a median deviation. */
function readRow(row: JsonValue, warnings: WarningList): BenchmarkResult[] {
  const name = taskName(row).text()
  const mean = readCell(row, ['Latency avg (ns)', 'Latency average (ns)', 'Average Time (ns)'])
  const median = readCell(row, ['Latency med (ns)', 'Latency median (ns)'])
  const value = median ?? mean
  if (!value) {
    warnings.add(row.path, `${quote(name)} has no latency: it did not finish.`)
    return []
  }
  const rate = readCell(row, ['Throughput avg (ops/s)', 'Throughput average (ops/s)', 'ops/sec'])
  const rounds = readCell(row, ['Samples'])?.amount
  const percent = mean?.marginPercent ?? readCell(row, ['Margin'])?.marginPercent
  const margin = mean && percent !== undefined ? (mean.amount * percent) / 100 : undefined
  return [
    {
      uri: name,
      name,
      ...wallTime,
      value: value.amount,
      statistic: median ? 'median' : 'mean',
      stats: {
        mean: mean?.amount,
        median: median?.amount,
        stdev: margin === undefined || rounds === undefined ? undefined : stdevFromMargin(margin, rounds),
        rounds,
        iterationsPerRound: 1,
      },
      metrics: rate ? [throughput(rate.amount)] : [],
    },
  ]
}

interface Cell {
  amount: number
  marginPercent: number | undefined
}

/** `38.62 ± 1.49%`, `±1.49%`, `28,010,236`, or a number; undefined for the N/A of a task that did not finish. */
function readCell(row: JsonValue, keys: string[]): Cell | undefined {
  const cell = keys.map((key) => row.get(key)).find(({ isMissing }) => !isMissing)
  if (!cell || cell.value === '' || cell.value === 'N/A') return undefined
  if (typeof cell.value === 'number') return { amount: cell.amount(), marginPercent: undefined }
  const [amount = '', margin = ''] = cell.text().split('±')
  const percent = /^ *([\d.,]+)%$/.exec(margin)?.[1]
  return {
    amount: amount.trim() === '' ? 0 : printedNumber(amount.trim(), cell.path),
    marginPercent: percent === undefined ? undefined : printedNumber(percent, cell.path),
  }
}
