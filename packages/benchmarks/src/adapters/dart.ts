import { adapter } from '../adapter.ts'
import type { BenchmarkResult } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { wallTime } from '../measure.ts'
import { numberedLines } from '../numbered-lines.ts'
import { printedNumber } from '../printed-number.ts'
import { quote } from '../quote.ts'
import { textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { nsPerPrintedUnit } from '../time-unit.ts'
import type { WarningList } from '../warning-list.ts'

export const dart = adapter({
  name: 'dart',
  title: 'benchmark_harness of Dart',
  readers: [textReader(isDart, readDart)],
})

const RESULT_LINE = /^(.+)\((RunTime(?:Raw)?)\):\s*([\d.]+(?:e[+-]?\d+)?) ([^\s.]+)\.?$/

function isDart(text: string): boolean {
  return /^.+\(RunTime(?:Raw)?\):\s*[\d.]/m.test(text)
}

/**
 * Reads the lines of a `ScoreEmitter`: `Template(RunTime): 0.1568 us.`, the mean time of a run.
 * @see https://pub.dev/packages/benchmark_harness
 */
function readDart(text: string, warnings: WarningList): Reading {
  const results: BenchmarkResult[] = []
  for (const { line, lineNumber } of numberedLines(text)) {
    if (line.trim() === '') continue
    const match = RESULT_LINE.exec(line.trim())
    if (match) results.push(readLine(match, lineNumber))
    else warnings.add(lineNumber, `no run time, ignored: ${quote(line)}.`)
  }
  if (results.length === 0)
    throw new FormatError('There is no line such as "Name(RunTime): 1.5 us." in it', 1)
  return { environment: {}, results }
}

function readLine(
  [, name = '', kind, time = '', unit = '']: RegExpExecArray,
  lineNumber: number,
): BenchmarkResult {
  const factor = nsPerPrintedUnit(unit)
  if (factor === undefined) throw new FormatError('Expected a unit of time', lineNumber)
  // One benchmark may report both: with and without the time of its own loop.
  const ownName = kind === 'RunTimeRaw' ? `${name} [raw]` : name
  return {
    uri: ownName,
    name: ownName,
    ...wallTime,
    value: printedNumber(time, lineNumber) * factor,
    statistic: 'single',
    stats: {},
    metrics: [],
  }
}
