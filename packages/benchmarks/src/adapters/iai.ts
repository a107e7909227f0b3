import { adapter } from '../adapter.ts'
import type { BenchmarkMetric, BenchmarkResult } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { numberedLines } from '../numbered-lines.ts'
import { printedNumber } from '../printed-number.ts'
import { quote } from '../quote.ts'
import { textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { cargoTarget } from '../rust/cargo-target.ts'
import { resultFromMetrics } from '../valgrind/result-from-metrics.ts'
import { valgrindMetric } from '../valgrind/valgrind-metric.ts'
import type { WarningList } from '../warning-list.ts'

export const iai = adapter({
  name: 'iai',
  title: 'iai',
  readers: [textReader(isIai, readIai)],
})

const METRIC_LINE = /^ {2}(Instructions|L1 Accesses|L2 Accesses|RAM Accesses|Estimated Cycles): +(.*)$/

function isIai(text: string): boolean {
  return /^ {2}L1 Accesses: +\d/m.test(text)
}

/** A benchmark's name and the lines below it. */
interface Block {
  target: string | undefined
  name: string
  lineNumber: number
  metrics: BenchmarkMetric[]
}

/**
 * Reads what iai prints: the name of a benchmark, then five counts, each with its change since the run before. The uri
 * begins with the target where the text tells it.
 * @see https://bheisler.github.io/criterion.rs/book/iai/getting_started.html
 */
function readIai(text: string, warnings: WarningList): Reading {
  const blocks: Block[] = []
  let target: string | undefined
  for (const { line, lineNumber } of numberedLines(text)) {
    const ran = cargoTarget(line)
    const [, label, count] = METRIC_LINE.exec(line) ?? []
    target = ran ?? target
    if (label !== undefined && count !== undefined) {
      const value = printedNumber(count.split(/\s/, 1)[0] ?? '', lineNumber)
      blocks.at(-1)?.metrics.push(valgrindMetric(label, value))
    } else if (ran === undefined && /^\S/.test(line)) {
      blocks.push({ target, name: line.trim(), lineNumber, metrics: [] })
    }
  }
  const results = blocks.flatMap((block) => readBlock(block, warnings))
  if (results.length === 0) throw new FormatError('There is no benchmark of iai in the file', 1)
  return { environment: {}, results }
}

function readBlock({ target, name, lineNumber, metrics }: Block, warnings: WarningList): BenchmarkResult[] {
  const uri = target === undefined ? name : `${target}::${name}`
  const result = resultFromMetrics({ uri, name }, metrics)
  if (!result) warnings.add(lineNumber, `nothing is counted below it, ignored: ${quote(name)}.`)
  return result ? [result] : []
}
