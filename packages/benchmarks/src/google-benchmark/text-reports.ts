import { csvRows } from '../csv-rows.ts'
import { JsonValue } from '../json-value.ts'
import { numberedLines } from '../numbered-lines.ts'
import { printedNumber } from '../printed-number.ts'
import { quote } from '../quote.ts'
import type { WarningList } from '../warning-list.ts'

const CSV_HEAD = /^name,iterations,real_time,cpu_time,time_unit,/m
/** As C libraries print it: `nan`, `-nan(ind)`, `inf`, `1.#INF`. */
const NO_NUMBER = /^[+-]?(nan|inf|1\.#)/i
const TEXT_COLUMNS = new Set(['name', 'time_unit', 'label', 'error_message'])

export function isGoogleBenchmarkCsv(text: string): boolean {
  return CSV_HEAD.test(text)
}

/**
 * The rows of `--benchmark_format=csv` with the members that the JSON has; empty cells and what is no number are left out.
 * What the program tells about the machine may stand above them. One that failed ends with its message, before the counters.
 */
export function googleBenchmarkCsvRows(text: string): JsonValue[] {
  return csvRows(text, CSV_HEAD, 'error_message').map(({ cells, lineNumber }) => {
    const members = [...cells].flatMap(([column, cell]): [string, string | number | boolean][] => {
      if (cell === '') return []
      if (column === 'error_occurred') return [[column, cell === 'true']]
      if (TEXT_COLUMNS.has(column)) return [[column, cell]]
      if (NO_NUMBER.test(cell)) return []
      // Counters may be below zero.
      const number = Number(cell)
      return [[column, Number.isFinite(number) ? number : printedNumber(cell, lineNumber)]]
    })
    return new JsonValue(Object.fromEntries(members), `line ${lineNumber}`)
  })
}

/** Before version 1.5 one blank stands before the iterations. */
const CONSOLE_HEAD = /^Benchmark {2,}Time {2,}CPU +Iterations/m
/** A time of ten digits fills its column, with one blank before it; what is left of others belongs to the name. */
const CONSOLE_ROW =
  /^(\S.*?) ([\d.]+(?:e[+-]?\d+)?) (ns|us|ms|s) +([\d.]+(?:e[+-]?\d+)?) (?:ns|us|ms|s) +(\d+)(.*)$/

export function isGoogleBenchmarkConsole(text: string): boolean {
  return CONSOLE_HEAD.test(text)
}

/** The rows of the table that a program prints by itself, as members of the JSON; counters are rounded there. */
export function googleBenchmarkConsoleRows(text: string, warnings: WarningList): JsonValue[] {
  const lines = numberedLines(text)
  const start = lines.findIndex(({ line }) => CONSOLE_HEAD.test(line))
  let hasCounters = false
  return lines.slice(start + 1).flatMap(({ line, lineNumber }) => {
    // With tabular counters there is another heading for each set of them.
    if (line.trim() === '' || /^-+$/.test(line) || CONSOLE_HEAD.test(line)) return []
    const [, name, realTime = '', unit, cpuTime = '', iterations = '', counters = ''] =
      CONSOLE_ROW.exec(line) ?? []
    if (name === undefined) {
      warnings.add(lineNumber, `no result, ignored: ${quote(line)}.`)
      return []
    }
    if (counters.trim() !== '' && !hasCounters) {
      hasCounters = true
      warnings.add(lineNumber, 'counters and labels are not kept: they are rounded here; the JSON has them.')
    }
    const members = {
      name: name.trim(),
      real_time: printedNumber(realTime, lineNumber),
      cpu_time: printedNumber(cpuTime, lineNumber),
      time_unit: unit,
      iterations: printedNumber(iterations, lineNumber),
    }
    return [new JsonValue(members, `line ${lineNumber}`)]
  })
}
