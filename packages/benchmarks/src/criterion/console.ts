import type { BenchmarkResult } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { wallTime } from '../measure.ts'
import { numberedLines } from '../numbered-lines.ts'
import { printedNumber } from '../printed-number.ts'
import { quote } from '../quote.ts'
import type { Reading } from '../reader.ts'
import { benchLineResult, hasBenchLine, isBenchLine, parseBenchLine } from '../rust/bench-line.ts'
import { nsPerPrintedUnit } from '../time-unit.ts'
import type { WarningList } from '../warning-list.ts'
import { parsePrintedRate } from './throughput.ts'

/** `[low value high]`, each with its unit. The changes below `change:` are in %, which this does not match. */
const THREE = /\[([\d.]+) ([^\s%\]]+) ([\d.]+) ([^\s%\]]+) ([\d.]+) ([^\s%\]]+)\]/
const TIME = new RegExp(`\\btime: +${THREE.source}`)
const RATE_LINE = new RegExp(`^\\s+thrpt:\\s+${THREE.source}`)
const COLLECTING_LINE = /^Benchmarking .*: Collecting (\d+) samples/
const OUTLIERS_LINE = /^Found (\d+) outliers among (\d+) measurements/

/** The output of `--output-format bencher` looks like libtest's, but for the frame that libtest puts around it. */
export function isCriterionConsole(text: string): boolean {
  if (TIME.test(text)) return true
  const isLibtest = /^running \d+ tests?\r?$/m.test(text)
  const isCriterion = /Criterion\.rs|^Gnuplot not found/m.test(text)
  return (isCriterion || !isLibtest) && hasBenchLine(text)
}

/**
 * Reads what criterion prints: a name, `time: [low value high]` (a slope or mean with its confidence interval) and what
 * follows it. A long name stands on a line before its time.
 * @see https://bheisler.github.io/criterion.rs/book/user_guide/command_line_output.html
 */
export function readCriterionConsole(text: string, warnings: WarningList): Reading {
  const results: BenchmarkResult[] = []
  let rounds: number | undefined
  let lineBefore = ''
  for (const { line, lineNumber } of numberedLines(text)) {
    const time = TIME.exec(line)
    const rate = RATE_LINE.exec(line)
    const outliers = OUTLIERS_LINE.exec(line)
    const current = results.at(-1)
    const collected = COLLECTING_LINE.exec(line)?.[1]
    if (collected !== undefined) rounds = Number(collected)
    if (time) {
      const name = line.slice(0, time.index).trim() || lineBefore
      results.push(timeResult(name, readThree(time.slice(1), lineNumber), rounds))
    } else if (isBenchLine(line)) {
      const bench = parseBenchLine(line, lineNumber)
      const result = benchLineResult(bench, bench.name)
      // In whole ns a small deviation is 0.
      results.push({ ...result, stats: { ...result.stats, stdev: bench.deviation || undefined } })
    } else if (rate && current) {
      current.metrics.push(...rateMetric(rate.slice(1), lineNumber, warnings))
    } else if (outliers && current) {
      current.stats.outlierRounds = Number(outliers[1])
      current.stats.rounds = Number(outliers[2])
    } else if (/^test .+ \.\.\. (FAILED|ignored)/.test(line)) {
      warnings.add(lineNumber, `no result, ignored: ${quote(line)}.`)
    }
    if (line.trim() !== '') lineBefore = line.trim()
  }
  if (results.length === 0) throw new FormatError('There is no `time: [low value high]` in the file', 1)
  return { environment: {}, results }
}

interface Measured {
  amount: number
  unit: string
}

interface Three {
  low: number
  value: number
  high: number
}

function readThree(words: string[], lineNumber: number): Three {
  const [low, value, high] = pairs(words, lineNumber).map(({ amount, unit }) => {
    const nsPerUnit = nsPerPrintedUnit(unit)
    if (nsPerUnit === undefined) throw new FormatError(`${quote(unit)} is no unit of time`, lineNumber)
    return amount * nsPerUnit
  })
  return { low: low ?? 0, value: value ?? 0, high: high ?? 0 }
}

function pairs(words: string[], lineNumber: number): Measured[] {
  return [0, 2, 4].map((at) => ({
    amount: printedNumber(words[at] ?? '', lineNumber),
    unit: words[at + 1] ?? '',
  }))
}

function timeResult(name: string, { low, value, high }: Three, rounds: number | undefined): BenchmarkResult {
  return {
    uri: name,
    name,
    ...wallTime,
    value,
    statistic: 'mean',
    stats: { mean: value, low, high, rounds },
    metrics: [],
  }
}

function rateMetric(words: string[], lineNumber: number, warnings: WarningList): BenchmarkResult['metrics'] {
  const read = pairs(words, lineNumber).map(({ amount, unit }) => {
    const rate = parsePrintedRate(unit)
    return rate && { amount: amount * rate.factor, unit: rate.unit }
  })
  const [low, value, high] = read
  if (!low || !value || !high) {
    warnings.add(lineNumber, `a throughput in an unknown unit, ignored: ${quote(words.join(' '))}.`)
    return []
  }
  const bounds = { low: low.amount, high: high.amount }
  return [{ name: 'throughput', value: value.amount, unit: value.unit, betterWhen: 'higher', ...bounds }]
}
