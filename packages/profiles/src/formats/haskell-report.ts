import { FormatError } from '../format-error.ts'
import type { ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile } from '../profile.ts'
import { haskellSampleTypes, internCostCentre } from './haskell-cost-centre.ts'
import { textLines } from './text-lines.ts'
import { quote } from './text.ts'

const format = 'haskell'
const nanosecondsPerUnit: Readonly<Record<string, number>> = { us: 1e3, ms: 1e6, s: 1e9 }

interface Totals {
  ticks: number
  tickNanoseconds: number
  bytes: number
  seconds: number
}

/** Where columns of the table begin; there is no source before GHC 8. */
interface Columns {
  module: number
  source: number | undefined
  /** `-P` adds ticks and bytes. */
  isExact: boolean
}

interface Row {
  depth: number
  label: string
  module: string
  source: string
  numbers: number[]
}

/**
 * The report of `+RTS -p` and `-P`: totals, then a table whose first column is indented by one space per level.
 *
 *     COST CENTRE  MODULE  SRC              no.  entries  %time %alloc   %time %alloc  [ticks  bytes]
 *     MAIN         MAIN    <built-in>       144        0    0.0    0.0   100.0  100.0
 *      main        Main    src/Main.hs:21…  290        1   10.0    2.0   100.0  100.0
 */
export function readHaskellReport(bytes: Uint8Array, { maxNodes }: ImportOptions): ImportedProfile {
  const totals: Totals = { ticks: 0, tickNanoseconds: 1e6, bytes: 0, seconds: 0 }
  let columns: Columns | undefined
  let builder: ProfileBuilder | undefined
  let unreadableCount = 0
  let unreadable = ''
  /** Nodes by their depth, from the outermost to the last one. */
  const path: number[] = []
  for (const untrimmed of textLines(bytes, format)) {
    const line = untrimmed.trimEnd()
    if (line === '') continue
    readTotals(line, totals)
    if (/^\s*COST CENTRE\s/.test(line)) columns = columnsOf(line)
    else if (columns !== undefined) {
      const row = readRow(line, columns)
      if (row === undefined) {
        unreadableCount++
        unreadable ||= line
        continue
      }
      builder ??= new ProfileBuilder({
        format,
        ...haskellSampleTypes(totals.ticks),
        maxNodes,
        countsCalls: true,
      })
      if (row.depth > path.length)
        throw new FormatError('a row is indented by more than one level', { format, where: quote(row.label) })
      path.length = row.depth
      const node = builder.child(path[row.depth - 1] ?? 0, internCostCentre(builder.functions, row))
      path.push(node)
      const [, entries, timePercent, allocPercent, , , ticks, exactBytes] = row.numbers
      const ownTicks = ticks ?? Math.round((timePercent! / 100) * totals.ticks)
      const ownBytes = exactBytes ?? Math.round((allocPercent! / 100) * totals.bytes)
      builder.add(node, [ownTicks, ownTicks * totals.tickNanoseconds, ownBytes], { sampleCount: ownTicks })
      builder.addCalls(node, entries!)
    }
  }
  if (builder === undefined) throw new FormatError('there is no table of cost centre stacks', { format })
  const warnings: string[] = []
  if (columns?.isExact !== true)
    warnings.push(
      'Values are worked out from percentages with one decimal; "+RTS -P" or "-pj" instead of "-p" writes the numbers themselves.',
    )
  if (unreadableCount > 0)
    warnings.push(`${unreadableCount} lines were not understood, the first one is ${quote(unreadable)}.`)
  return builder.finish({
    durationMs: totals.seconds * 1000,
    // A program may end before its first tick, and has allocated all the same.
    ...(totals.ticks > 0 ? {} : { sampleCount: 1 }),
    warnings,
  })
}

function readTotals(line: string, totals: Totals): void {
  const time = /^\s*total time\s+=\s+(\d+\.\d+) secs\s+\((\d+) ticks @ (\d+) (us|ms|s)\b/.exec(line)
  if (time !== null) {
    totals.seconds = Number(time[1])
    totals.ticks = Number(time[2])
    totals.tickNanoseconds = Number(time[3]) * nanosecondsPerUnit[time[4]!]!
  }
  const alloc = /^\s*total alloc\s+=\s+([\d,]+) bytes/.exec(line)
  if (alloc !== null) totals.bytes = Number(alloc[1]!.replaceAll(',', ''))
}

/** Undefined for the first table, which has no tree. */
function columnsOf(head: string): Columns | undefined {
  if (!/\sno\.\s+entries\s/.test(head)) return undefined
  const module = head.indexOf('MODULE')
  const source = head.indexOf(' SRC ')
  return {
    module: module < 0 ? 0 : module,
    source: source < 0 ? undefined : source + 1,
    isExact: /\sticks\s+bytes$/.test(head),
  }
}

function readRow(line: string, { module, source, isExact }: Columns): Row | undefined {
  const count = isExact ? 8 : 6
  let end = line.length
  const numbers: number[] = []
  for (let index = 0; index < count; index++) {
    const space = line.lastIndexOf(' ', end - 1)
    const number = Number(line.slice(space + 1, end))
    if (space < 0 || space + 1 === end || !Number.isFinite(number) || number < 0) return undefined
    numbers.unshift(number)
    end = space
    while (end > 0 && line[end - 1] === ' ') end--
  }
  const text = line.slice(0, end)
  const depth = text.length - text.trimStart().length
  const cells =
    isColumn(text, module) && isColumn(text, source ?? module)
      ? byPosition(text, module, source)
      : bySpace(text)
  return cells.label === '' ? undefined : { depth, ...cells, numbers }
}

/** Whether a column can begin there: names that are too long push the others to the right. */
function isColumn(text: string, start: number): boolean {
  return text[start - 1] === ' ' && text[start] !== ' '
}

function byPosition(text: string, module: number, source: number | undefined) {
  return {
    label: text.slice(0, module).trim(),
    module: text.slice(module, source).trim(),
    source: source === undefined ? '' : text.slice(source).trim(),
  }
}

function bySpace(text: string) {
  const [label = '', module = '', ...source] = text.trim().split(/\s+/)
  return { label, module, source: source.join(' ') }
}
