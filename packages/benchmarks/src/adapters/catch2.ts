import { adapter } from '../adapter.ts'
import type { BenchmarkResult, BenchmarkStats } from '../benchmark-result.ts'
import { catch2Xml } from '../catch2/xml-report.ts'
import { FormatError } from '../format-error.ts'
import { wallTime } from '../measure.ts'
import { numberedLines } from '../numbered-lines.ts'
import type { NumberedLine } from '../numbered-lines.ts'
import { printedNumber } from '../printed-number.ts'
import { quote } from '../quote.ts'
import { textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { nsPerPrintedUnit } from '../time-unit.ts'
import type { WarningList } from '../warning-list.ts'

export const catch2 = adapter({
  name: 'catch2',
  title: 'Catch2',
  readers: [textReader(isConsole, readConsole), catch2Xml],
})

/** With the mean in place of an estimate the results are not analysed, and take a row each. */
const TABLE_HEAD = /^benchmark name +samples +iterations +(est|mean)/m
const RULE = /^-{20,}$/
const DURATION = String.raw`([\d.]+(?:e[+-]?\d+)?) (ns|us|ms|s|m)`
/** Name, samples, iterations, estimated time. */
const FIRST_ROW = new RegExp(String.raw`^(.*?) +(\d+) +(\d+) +${DURATION}\s*$`)
/** The mean or the deviation with its bounds, below the columns of the first row. */
const NEXT_ROW = new RegExp(String.raw`^ +${DURATION} +${DURATION} +${DURATION}\s*$`)

function isConsole(text: string): boolean {
  return TABLE_HEAD.test(text)
}

/**
 * Reads the console reporter of versions 2 and 3: a title of test case and sections between rules, then a table of three
 * rows for each benchmark. The mean is the value; the bounds are of its bootstrapped confidence interval.
 * @see https://github.com/catchorg/Catch2/blob/devel/docs/benchmarks.md
 */
function readConsole(text: string, warnings: WarningList): Reading {
  const lines = numberedLines(text)
  const program = /^(.+) is a Catch2? v\S+ host application\.$/m.exec(text)?.[1]?.replace(/^.*[/\\]/, '')
  const results: BenchmarkResult[] = []
  let title: string[] = []
  let at = 0
  while (at < lines.length) {
    const { line } = lineAt(lines, at)
    const head = TABLE_HEAD.exec(line)
    if (head) {
      const parents = [...(program === undefined ? [] : [program]), ...title]
      const isAnalysed = head[1] === 'est'
      // One line of headings, or three, and a rule come first.
      const table = readTable(lines, at + (isAnalysed ? 4 : 2), { parents, isAnalysed }, warnings)
      results.push(...table.results)
      at = table.end
    } else if (RULE.test(line)) {
      // Sections are indented below their test case.
      title = []
      for (at += 1; at < lines.length && !RULE.test(lineAt(lines, at).line); at += 1) {
        title.push(lineAt(lines, at).line.trim())
      }
      at += 1
    } else {
      at += 1
    }
  }
  if (!isConsole(text)) throw new FormatError('There is no table of benchmarks of Catch2 in the file', 1)
  return { environment: {}, results }
}

function readTable(
  lines: NumberedLine[],
  start: number,
  { parents, isAnalysed }: { parents: string[]; isAnalysed: boolean },
  warnings: WarningList,
): { results: BenchmarkResult[]; end: number } {
  const results: BenchmarkResult[] = []
  // A long name is broken over lines of which the last has the numbers.
  let begunName: string[] = []
  let at = start
  for (; at < lines.length; at += 1) {
    const { line, lineNumber } = lineAt(lines, at)
    if (RULE.test(line) || /^={20,}$/.test(line)) break
    const [, name, samples = '', iterations = '', time, unit] = FIRST_ROW.exec(line) ?? []
    const failed = /^(.*?) +Benchmark failed \((.*)\)\s*$/.exec(line)
    if (name !== undefined) {
      const fullName = [...begunName, name.trim()].join(' ')
      const spread = isAnalysed ? readSpread(lines, at + 1) : { mean: nanoseconds(lineNumber, time, unit) }
      results.push({
        uri: [...parents, fullName].join('::'),
        name: fullName,
        ...wallTime,
        value: spread.mean,
        statistic: 'mean',
        stats: {
          ...spread,
          rounds: printedNumber(samples, lineNumber),
          iterationsPerRound: printedNumber(iterations, lineNumber),
        },
        metrics: [],
      })
      if (isAnalysed) at += 2
      begunName = []
    } else if (failed) {
      warnings.add(lineNumber, `${quote(failed[1] ?? '')} failed: ${quote(failed[2] ?? '')}.`)
    } else if (line.trim() !== '') {
      begunName.push(line.trim())
    } else if (begunName.length > 0) {
      warnings.add(lineNumber - 1, `no benchmark, ignored: ${quote(begunName.join(' '))}.`)
      begunName = []
    }
  }
  return { results, end: at }
}

function lineAt(lines: NumberedLine[], at: number): NumberedLine {
  return lines[at] ?? { line: '', lineNumber: lines.length }
}

/** The second and third row of a benchmark; the console rounds small deviations to 0. */
function readSpread(lines: NumberedLine[], at: number): BenchmarkStats & { mean: number } {
  const [mean, low, high] = readDurations(lineAt(lines, at))
  const [stdev] = readDurations(lineAt(lines, at + 1))
  return { mean, low, high, stdev: stdev || undefined }
}

function readDurations({ line, lineNumber }: NumberedLine): [number, number, number] {
  const match = NEXT_ROW.exec(line)
  if (!match) throw new FormatError('Expected three times, such as "344 ns  341 ns  349 ns"', lineNumber)
  const at = (index: number) => nanoseconds(lineNumber, match[index], match[index + 1])
  return [at(1), at(3), at(5)]
}

function nanoseconds(lineNumber: number, amount = '', unit = ''): number {
  return printedNumber(amount, lineNumber) * (nsPerPrintedUnit(unit) ?? 1)
}
