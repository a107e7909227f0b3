import { adapter } from '../adapter.ts'
import type { BenchmarkMetric, BenchmarkResult } from '../benchmark-result.ts'
import { csvRows } from '../csv-rows.ts'
import { FormatError } from '../format-error.ts'
import { JsonValue } from '../json-value.ts'
import { wallTime } from '../measure.ts'
import { numberedLines } from '../numbered-lines.ts'
import { parameterSuffix } from '../parameter-suffix.ts'
import { printedNumber } from '../printed-number.ts'
import { quote } from '../quote.ts'
import { jsonReader, textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { resultFromRounds } from '../result-from-rounds.ts'
import { median } from '../statistics/describe-rounds.ts'
import { nsPerPrintedUnit } from '../time-unit.ts'
import type { WarningList } from '../warning-list.ts'

export const hyperfine = adapter({
  name: 'hyperfine',
  title: 'hyperfine',
  readers: [
    jsonReader(isHyperfine, readHyperfine),
    textReader(isCsv, readCsv),
    textReader(isMarkdown, readMarkdown),
  ],
})

const NS_PER_SECOND = 1e9

function isHyperfine(json: JsonValue): boolean {
  const results = json.get('results')
  return results.isList && results.items().every((result) => typeof result.get('command').value === 'string')
}

/**
 * Reads `hyperfine --export-json`: { results: [{ command, mean, stddev, median, min, max, user, system, times[],
 * exit_codes[], parameters?, memory_usage_byte?[] }] }, times in seconds.
 * @see https://github.com/sharkdp/hyperfine#json
 */
function readHyperfine(json: JsonValue, warnings: WarningList): Reading {
  const results = json
    .get('results')
    .items()
    .flatMap((result) => readResult(result, warnings))
  return { environment: {}, results }
}

function readResult(result: JsonValue, warnings: WarningList): BenchmarkResult[] {
  const name = `${result.get('command').text()}${readParameters(result.get('parameters'))}`
  warnAboutExitCodes(result.get('exit_codes'), name, warnings)
  const metrics = [...readCpuTimes(result), ...readMemory(result.get('memory_usage_byte'))]
  const uri = `hyperfine::${name}`
  const times = result.get('times')
  if (times.isList && times.items().length > 0) {
    const seconds = times.amounts()
    const totalTimeMs = seconds.reduce((sum, time) => sum + time, 0) * 1000
    const roundValues = seconds.map((time) => time * NS_PER_SECOND)
    return [
      resultFromRounds({ uri, name, roundValues, stats: { iterationsPerRound: 1, totalTimeMs }, metrics }),
    ]
  }
  warnings.add(times.path, `${quote(name)} has no single times; its summary is taken.`)
  return [readSummary(result, { uri, name, metrics })]
}

function readSummary(
  result: JsonValue,
  known: { uri: string; name: string; metrics: BenchmarkMetric[] },
): BenchmarkResult {
  const middle = nanoseconds(result.get('median'))
  const mean = result.get('mean').amount() * NS_PER_SECOND
  return {
    ...known,
    ...wallTime,
    value: middle ?? mean,
    statistic: middle === undefined ? 'mean' : 'median',
    stats: {
      mean,
      median: middle,
      min: nanoseconds(result.get('min')),
      max: nanoseconds(result.get('max')),
      // Of a single run CSV says 0, where JSON has nothing.
      stdev: nanoseconds(result.get('stddev')) || undefined,
      iterationsPerRound: 1,
    },
  }
}

function nanoseconds(seconds: JsonValue): number | undefined {
  const amount = seconds.optionalAmount()
  return amount === undefined ? undefined : amount * NS_PER_SECOND
}

/** A command name given with `-n` may be the same for every parameter. */
function readParameters(parameters: JsonValue): string {
  if (parameters.isMissing) return ''
  return parameterSuffix(parameters.keys().map((key) => [key, String(parameters.get(key).value)]))
}

function warnAboutExitCodes(exitCodes: JsonValue, name: string, warnings: WarningList): void {
  if (exitCodes.isMissing) return
  const failed = exitCodes.items().filter((code) => code.value !== 0)
  const [first] = failed
  if (!first) return
  const what = first.value === null ? 'was ended by a signal' : `ended with exit code ${first.number()}`
  warnings.add(first.path, `${quote(name)} ${what} (${failed.length} of ${exitCodes.items().length} times).`)
}

function readCpuTimes(result: JsonValue): BenchmarkMetric[] {
  return (['user', 'system'] as const).flatMap((key): BenchmarkMetric[] => {
    const value = nanoseconds(result.get(key))
    return value === undefined ? [] : [{ name: `${key}_time`, value, unit: 'ns', betterWhen: 'lower' }]
  })
}

function readMemory(memory: JsonValue): BenchmarkMetric[] {
  if (memory.isMissing) return []
  const bytes = memory.amounts()
  return bytes.length === 0
    ? []
    : [{ name: 'peak_memory', value: median(bytes), unit: 'B', betterWhen: 'lower' }]
}

const CSV_HEAD = /^command,mean,stddev,median,user,system,min,max(,parameter_|\r?\n|$)/

function isCsv(text: string): boolean {
  return CSV_HEAD.test(text)
}

/** Reads `--export-csv`: the summary that is in the JSON, without the single times; parameters are columns. */
function readCsv(text: string, warnings: WarningList): Reading {
  warnings.add(1, 'CSV has no single times; --export-json keeps them.')
  const results = csvRows(text, CSV_HEAD).map(({ cells, lineNumber }) => {
    const parameters = [...cells].flatMap(([column, value]): [string, string][] =>
      column.startsWith('parameter_') ? [[column.slice('parameter_'.length), value]] : [],
    )
    const numbers = [...cells].flatMap(([column, value]) =>
      column === 'command' || column.startsWith('parameter_') || value === ''
        ? []
        : [[column, printedNumber(value, lineNumber)]],
    )
    const row = new JsonValue(Object.fromEntries(numbers), `line ${lineNumber}`)
    const name = `${cells.get('command') ?? ''}${parameterSuffix(parameters)}`
    return readSummary(row, { uri: `hyperfine::${name}`, name, metrics: readCpuTimes(row) })
  })
  return { environment: {}, results }
}

const MARKDOWN_HEAD = /^\| Command \| Mean \[(\S+)\] \| Min \[/m
/** Within backticks a bar is written `\|`. */
const MARKDOWN_ROW = /^\| `(.*)` \| ([\d.]+)(?: ± ([\d.]+))? \| ([\d.]+) \| ([\d.]+) \|/

function isMarkdown(text: string): boolean {
  return MARKDOWN_HEAD.test(text)
}

/** Reads `--export-markdown`, which has rounded numbers. */
function readMarkdown(text: string, warnings: WarningList): Reading {
  const factor = nsPerPrintedUnit(MARKDOWN_HEAD.exec(text)?.[1] ?? '')
  if (factor === undefined) throw new FormatError('Expected a unit of time in the heading', 1)
  const results: BenchmarkResult[] = []
  for (const { line, lineNumber } of numberedLines(text)) {
    const row = MARKDOWN_ROW.exec(line)
    const ns = (printed = '') => printedNumber(printed, lineNumber) * factor
    if (row) {
      const name = (row[1] ?? '').replaceAll('\\|', '|')
      const mean = ns(row[2])
      results.push({
        uri: `hyperfine::${name}`,
        name,
        ...wallTime,
        value: mean,
        statistic: 'mean',
        stats: {
          mean,
          // "± 0.0" is a deviation that was rounded away.
          stdev: ns(row[3] ?? '0') || undefined,
          min: ns(row[4]),
          max: ns(row[5]),
          iterationsPerRound: 1,
        },
        metrics: [],
      })
    } else if (line.trim() !== '' && !/^\|( Command |:?-)/.test(line)) {
      warnings.add(lineNumber, `no row of the table, ignored: ${quote(line)}.`)
    }
  }
  return { environment: {}, results }
}
