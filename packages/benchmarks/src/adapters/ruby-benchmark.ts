import { adapter } from '../adapter.ts'
import type { BenchmarkResult } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { wallTime } from '../measure.ts'
import { numberedLines } from '../numbered-lines.ts'
import { printedNumber } from '../printed-number.ts'
import { quote } from '../quote.ts'
import { textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import type { WarningList } from '../warning-list.ts'

export const rubyBenchmark = adapter({
  name: 'ruby_benchmark',
  title: 'Benchmark of Ruby',
  readers: [textReader(isRubyBenchmark, readRubyBenchmark)],
})

const NS_PER_SECOND = 1e9
const HEAD = /^\s*user\s+system\s+total\s+real\s*$/
const ROW = /^(.*?)\s*(\d+\.\d+)\s+(\d+\.\d+)\s+(\d+\.\d+)\s+\(\s*(\d+\.\d+)\)\s*$/

function isRubyBenchmark(text: string): boolean {
  return /^[ \t]*user +system +total +real[ \t\r]*$|^Rehearsal -+\r?$/m.test(text)
}

/**
 * Reads the table of `Benchmark.bm` and `bmbm`: label, then user, system and total CPU time and, in parentheses, the real
 * time, which is the value; all in seconds.
 * @see https://docs.ruby-lang.org/en/master/Benchmark.html
 */
function readRubyBenchmark(text: string, warnings: WarningList): Reading {
  if (!isRubyBenchmark(text)) {
    throw new FormatError('There is no table with "user system total real" in the file', 1)
  }
  const results: BenchmarkResult[] = []
  let isRehearsal = false
  for (const { line, lineNumber } of numberedLines(text)) {
    const row = ROW.exec(line)
    if (/^Rehearsal -+$/.test(line)) {
      isRehearsal = true
      warnings.add(lineNumber, 'the rehearsal is not read, only what is measured after it.')
    } else if (/^-+ total: [\d.]+sec$/.test(line)) {
      isRehearsal = false
    } else if (row) {
      if (!isRehearsal) results.push(readRow(row, lineNumber))
    } else if (line.trim() !== '' && !HEAD.test(line)) {
      warnings.add(lineNumber, `no row of the table, ignored: ${quote(line)}.`)
    }
  }
  return { environment: {}, results }
}

function readRow([, label = '', user, system, , real]: RegExpExecArray, lineNumber: number): BenchmarkResult {
  const nanoseconds = (seconds = '') => printedNumber(seconds, lineNumber) * NS_PER_SECOND
  // "for:" is how the documentation writes a label.
  const name = label.trim().replace(/:$/, '') || `line ${lineNumber}`
  return {
    uri: name,
    name,
    ...wallTime,
    value: nanoseconds(real),
    statistic: 'single',
    stats: { iterationsPerRound: 1 },
    metrics: [
      { name: 'user_time', value: nanoseconds(user), unit: 'ns', betterWhen: 'lower' },
      { name: 'system_time', value: nanoseconds(system), unit: 'ns', betterWhen: 'lower' },
    ],
  }
}
