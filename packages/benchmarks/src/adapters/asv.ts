import { adapter } from '../adapter.ts'
import { asvMeasure } from '../asv/measure.ts'
import { asvName } from '../asv/name.ts'
import { asvResultFile } from '../asv/result-file.ts'
import { isAsvTableRule, readAsvTable } from '../asv/table.ts'
import type { BenchmarkResult } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { numberedLines } from '../numbered-lines.ts'
import { printedNumber } from '../printed-number.ts'
import { quote } from '../quote.ts'
import { textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { nsPerPrintedUnit } from '../time-unit.ts'
import type { WarningList } from '../warning-list.ts'

export const asv = adapter({
  name: 'asv',
  title: 'airspeed velocity',
  readers: [asvResultFile, textReader(isAsv, readAsv)],
})

/** `[ 35.00%] ··· suite.TimeSuite.time_keys   11.2±0.01μs`; plain dots where the terminal has no others. */
const PROGRESS = /^\[\s*[\d.]+%\] [·.]+ /
const DETAIL = /^\[\s*[\d.]+%\] (?:·{4}|\.{4}) /
const RESULT = /^(\S+\.\w+)\s{2,}(\S.*)$/
const VALUE = /^([\d.]+(?:e[+-]?\d+)?)(?:±([\d.]+(?:e[+-]?\d+)?))?\s*([^\d\s±].*)?$/
const BARE_PROGRESS =
  /^(Running|Benchmarking|Building|Installing|Setting up|Creating|Discovering|Uninstalling|For \S+ commit|Fetching|Importing|Found)\b/
const MULTIPLES: Record<string, number> = { k: 1e3, M: 1e6, G: 1e9, T: 1e12 }

function isAsv(text: string): boolean {
  return /^\[ *[\d.]+%\] [·.]+ (?:Benchmarking \S|\S+\.\w+ {2,}\S)/m.test(text)
}

interface Measured {
  environment: string
  result: BenchmarkResult
}

/**
 * Reads what `asv run` prints. The spread beside a value is half the distance of its quartiles. A benchmark with
 * parameters is a table below its line.
 * @see https://asv.readthedocs.io/en/stable/using.html#benchmarking
 */
function readAsv(text: string, warnings: WarningList): Reading {
  if (!isAsv(text)) throw new FormatError('There is no line of `asv run` in the file', 1)
  const measured: Measured[] = []
  let environment = ''
  let benchmark = ''
  let table: string[] = []
  let indent = 0
  let isDetail = false
  for (const { line, lineNumber } of numberedLines(text)) {
    const prefix = PROGRESS.exec(line)?.[0]
    const content = line.slice(prefix?.length ?? (table.length > 0 ? indent : 0)).trimEnd()
    // Why a benchmark failed or was skipped, which is told already: a line with four dots, and what is indented below it.
    isDetail = DETAIL.test(line) || (isDetail && prefix === undefined && /^\s|^$/.test(line))
    const [, name = '', told = ''] = prefix === undefined ? [] : (RESULT.exec(content) ?? [])
    const add = (uri: string, value: string) => {
      const result = readValue(uri, benchmark, value, lineNumber)
      if (result) measured.push({ environment, result })
      else warnings.add(lineNumber, `${quote(uri)} has no value: ${quote(value)}.`)
    }
    if (name !== '') {
      warnAboutOpenTable(table, benchmark, lineNumber, warnings)
      benchmark = name
      table = []
      // "ok" and "2/6 failed" stand above a table.
      if (!/^(ok|\d+\/\d+ failed)$/.test(told)) add(name, told)
    } else if (table.length > 0 || (isAsvTableRule(content) && benchmark !== '')) {
      table.push(content)
      indent = prefix?.length ?? indent
      // Only a rule can end a table: to look at every line would take a time that grows with its square.
      const rows = isAsvTableRule(content) ? readAsvTable(table) : undefined
      for (const { parameters, value } of rows ?? []) add(asvName(benchmark, parameters), value)
      if (rows) table = []
    } else if (content.startsWith('Benchmarking ')) {
      environment = content.slice('Benchmarking '.length)
    } else if (content.trim() !== '' && !isDetail && !BARE_PROGRESS.test(content.replace(/^[·.]+ /, ''))) {
      warnings.add(lineNumber, `no benchmark, ignored: ${quote(line)}.`)
    }
  }
  warnAboutOpenTable(table, benchmark, 'the end', warnings)
  return collect(measured)
}

function warnAboutOpenTable(
  table: string[],
  benchmark: string,
  place: number | string,
  warnings: WarningList,
): void {
  if (table.length > 0) {
    warnings.add(place, `the table of ${quote(benchmark)} has no end, so none of it is read; it may be cut.`)
  }
}

/** A value as it is printed for people; undefined for "failed" and "n/a". */
function readValue(
  uri: string,
  benchmark: string,
  printed: string,
  lineNumber: number,
): BenchmarkResult | undefined {
  const [, amount, spread = '0', unit = ''] = VALUE.exec(printed) ?? []
  if (amount === undefined) return undefined
  const { measure } = asvMeasure(benchmark)
  const factor =
    (measure.unit === 'ns' ? nsPerPrintedUnit(unit) : measure.unit === 'B' ? MULTIPLES[unit] : 1) ?? 1
  if (measure.unit === 'ns' && nsPerPrintedUnit(unit) === undefined) {
    throw new FormatError('Expected a unit of time', lineNumber)
  }
  const value = printedNumber(amount, lineNumber) * factor
  const half = printedNumber(spread, lineNumber) * factor
  return {
    uri,
    name: uri,
    ...measure,
    unit: measure.unit || unit,
    value,
    statistic: printed.includes('±') ? 'median' : 'single',
    stats: half === 0 ? {} : { q1: Math.max(0, value - half), q3: value + half },
    metrics: [],
  }
}

/** What was measured in several environments is as many benchmarks; of a single one it is a fact about the run. */
function collect(measured: Measured[]): Reading {
  const environments = new Set(measured.map(({ environment }) => environment))
  const environmentsOf = new Map<string, Set<string>>()
  for (const { environment, result } of measured) {
    environmentsOf.set(result.uri, (environmentsOf.get(result.uri) ?? new Set()).add(environment))
  }
  const [environment = ''] = environments
  return {
    environment: environments.size === 1 && environment !== '' ? { runtime: environment } : {},
    results: measured.map((own) => {
      const isAlone = environmentsOf.get(own.result.uri)?.size === 1
      const name = isAlone ? own.result.name : `${own.result.name} [${own.environment}]`
      return { ...own.result, uri: name, name }
    }),
  }
}
