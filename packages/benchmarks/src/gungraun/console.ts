import { FormatError } from '../format-error.ts'
import { numberedLines } from '../numbered-lines.ts'
import { printedNumber } from '../printed-number.ts'
import type { Reading } from '../reader.ts'
import type { WarningList } from '../warning-list.ts'
import { gungraunResult } from './tool-metrics.ts'
import type { GungraunBenchmark } from './tool-metrics.ts'

/**
 * `file::group::function id:arguments`, or without an id `file::group::function :() -> program`, in old versions without
 * the colon; the arguments may be cut and hold paths, so they are not kept.
 */
const NAME_LINE = /^(\w+(?:::\w+)+)(?: (?:([^\s:(]+)(?::.*)?|[:(].*))?$/
/** `  ======= DHAT =====` or `|======== DHAT =====`. */
const TOOL_LINE = /^(?: {2}|\|)=+ ([A-Z][A-Z-]+) =+$/
/** The beginning of the numbers of one process, or of all of them together. */
const PART_LINE = /^(?: {2}|\|-)## /
/** `  Instructions:   1734|1734   (No change)`: this run, then the run before. */
const METRIC_LINE = /^(?: {2}|\| )([A-Z][\w ./+-]*): +([\d.]+(?:e[+-]?\d+)?)\|/

export function isGungraunConsole(text: string): boolean {
  return new RegExp(METRIC_LINE, 'm').test(text)
}

/**
 * Reads what gungraun (once iai-callgrind) prints for people. Of several processes of a benchmark, the total counts.
 * What the benchmarks themselves print in between is not kept.
 * @see https://gungraun.github.io/gungraun/latest/html/benchmarks/library_benchmarks/configuration/output_format.html
 */
export function readGungraunConsole(text: string, warnings: WarningList): Reading {
  const benchmarks: GungraunBenchmark[] = []
  for (const { line: printed, lineNumber } of numberedLines(text)) {
    const line = printed.trimEnd()
    const name = NAME_LINE.exec(line)
    const tool = TOOL_LINE.exec(line)
    const metric = METRIC_LINE.exec(line)
    const benchmark = benchmarks.at(-1)
    if (name) {
      const [, path = '', id] = name
      benchmarks.push({ ...named(path, id), place: lineNumber, tools: [] })
    } else if (tool) {
      benchmark?.tools.push({ tool: tool[1]?.toLowerCase() ?? '', numbers: new Map() })
    } else if (PART_LINE.test(line)) {
      benchmark?.tools.at(-1)?.numbers.clear()
    } else if (metric && benchmark) {
      // Without a headline, as it is for callgrind alone.
      if (benchmark.tools.length === 0) benchmark.tools.push({ tool: 'callgrind', numbers: new Map() })
      benchmark.tools.at(-1)?.numbers.set(metric[1] ?? '', printedNumber(metric[2] ?? '', lineNumber))
    }
  }
  if (benchmarks.length === 0) throw new FormatError('There is no benchmark of gungraun in the file', 1)
  return { environment: {}, results: benchmarks.flatMap((own) => gungraunResult(own, warnings)) }
}

/** The uri and name of a benchmark: its path of modules, and the id of its case where there is one. */
export function named(path: string, id: string | undefined): { uri: string; name: string } {
  const functionName = path.split('::').at(-1) ?? path
  return id === undefined
    ? { uri: path, name: functionName }
    : { uri: `${path}::${id}`, name: `${functionName} ${id}` }
}
