import type { BenchmarkMetric, BenchmarkResult } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { wallTime } from '../measure.ts'
import { printedNumber } from '../printed-number.ts'
import { quote } from '../quote.ts'
import { nsPerPrintedUnit } from '../time-unit.ts'

/** `test sum::fold ... bench:       3,161.20 ns/iter (+/- 975) = 841 MB/s`, as libtest prints it. */
export interface BenchLine {
  name: string
  /** Median, ns. */
  value: number
  /** What stands after `+/-`, in ns: the range in libtest, the standard deviation in criterion. */
  deviation: number
  metrics: BenchmarkMetric[]
}

const MARK = ' ... bench:'
const MEASURED = /^\s+([\d.,]+) (\S+)\/iter \(\+\/- ([\d.,]+)\)(?: = ([\d.,]+) MB\/s)?\s*$/

export function isBenchLine(line: string): boolean {
  return line.startsWith('test ') && line.includes(MARK)
}

export function hasBenchLine(text: string): boolean {
  return /^test .* \.\.\. bench:/m.test(text)
}

/** @throws {FormatError} for a line that is cut. */
export function parseBenchLine(line: string, lineNumber: number): BenchLine {
  const at = line.indexOf(MARK)
  const measured = MEASURED.exec(line.slice(at + MARK.length))
  if (!measured) {
    throw new FormatError('Expected "bench: <time> ns/iter (+/- <time>)", the line is cut', lineNumber)
  }
  const [, value = '', unit = '', deviation = '', megabytes] = measured
  const nsPerUnit = nsPerPrintedUnit(unit)
  if (nsPerUnit === undefined) throw new FormatError(`${quote(unit)} is no unit of time`, lineNumber)
  return {
    name: line.slice('test '.length, at).trim(),
    value: printedNumber(value, lineNumber) * nsPerUnit,
    deviation: printedNumber(deviation, lineNumber) * nsPerUnit,
    metrics: megabytes === undefined ? [] : [bytesPerSecond(printedNumber(megabytes, lineNumber) * 1e6)],
  }
}

function bytesPerSecond(value: number): BenchmarkMetric {
  return { name: 'throughput', value, unit: 'B/s', betterWhen: 'higher' }
}

/** A result without what its deviation means, which the tool knows. */
export function benchLineResult({ value, name, metrics }: BenchLine, uri: string): BenchmarkResult {
  return { uri, name, ...wallTime, value, statistic: 'median', stats: { median: value }, metrics }
}
