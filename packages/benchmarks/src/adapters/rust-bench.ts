import { adapter } from '../adapter.ts'
import type { BenchmarkResult } from '../benchmark-result.ts'
import { FormatError } from '../format-error.ts'
import { numberedLines } from '../numbered-lines.ts'
import { quote } from '../quote.ts'
import { textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { benchLineResult, hasBenchLine, isBenchLine, parseBenchLine } from '../rust/bench-line.ts'
import { cargoTarget } from '../rust/cargo-target.ts'
import type { WarningList } from '../warning-list.ts'

export const rustBench = adapter({
  name: 'rust_bench',
  title: 'cargo bench (libtest)',
  readers: [textReader(hasBenchLine, readRustBench)],
})

const OTHER_TEST_LINE = /^test (\S.*) \.\.\. (ignored|FAILED|failed)\b/

/**
 * Reads what `cargo bench` prints for `#[bench]` functions. The uri begins with the target where the text tells it (it is
 * in stderr). What libtest prints after `+/-` is the range of its samples.
 * @see https://doc.rust-lang.org/unstable-book/library-features/test.html
 */
function readRustBench(text: string, warnings: WarningList): Reading {
  const results: BenchmarkResult[] = []
  let target: string | undefined
  let isTestOutput = false
  for (const { line, lineNumber } of numberedLines(text)) {
    target = cargoTarget(line) ?? target
    const [, other, what] = OTHER_TEST_LINE.exec(line) ?? []
    isTestOutput ||= other !== undefined || isBenchLine(line) || /^running \d+ tests?$/.test(line)
    if (isBenchLine(line)) {
      const bench = parseBenchLine(line, lineNumber)
      const uri = target === undefined ? bench.name : `${target}::${bench.name}`
      const range = { name: 'range', value: bench.deviation, unit: 'ns', betterWhen: 'lower' } as const
      const result = benchLineResult(bench, uri)
      results.push({ ...result, metrics: [range, ...result.metrics] })
    } else if (other !== undefined) {
      warnings.add(lineNumber, `${quote(other)} ${what === 'ignored' ? 'was ignored' : 'failed'}.`)
    }
  }
  if (!isTestOutput) throw new FormatError('There is no line of `cargo bench` in the file', 1)
  return { environment: {}, results }
}
