import { FormatError } from '../format-error.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile, SampleType } from '../profile.ts'
import { textLines } from './text-lines.ts'
import { quote } from './text.ts'

const format = 'instruments'

const time: SampleType = { type: 'time', unit: 'nanoseconds' }
const cycles: SampleType = { type: 'cycles', unit: 'count' }
const space: SampleType = { type: 'space', unit: 'bytes' }
const objects: SampleType = { type: 'objects', unit: 'count' }

const units: Readonly<Record<string, { sampleType: SampleType; factor: number }>> = {
  ns: { sampleType: time, factor: 1 },
  µs: { sampleType: time, factor: 1e3 },
  us: { sampleType: time, factor: 1e3 },
  ms: { sampleType: time, factor: 1e6 },
  s: { sampleType: time, factor: 1e9 },
  min: { sampleType: time, factor: 60e9 },
  h: { sampleType: time, factor: 3600e9 },
  cycles: { sampleType: cycles, factor: 1 },
  Kc: { sampleType: cycles, factor: 1e3 },
  Mc: { sampleType: cycles, factor: 1e6 },
  Gc: { sampleType: cycles, factor: 1e9 },
  Bytes: { sampleType: space, factor: 1 },
  KB: { sampleType: space, factor: 2 ** 10 },
  KiB: { sampleType: space, factor: 2 ** 10 },
  MB: { sampleType: space, factor: 2 ** 20 },
  MiB: { sampleType: space, factor: 2 ** 20 },
  GB: { sampleType: space, factor: 2 ** 30 },
  GiB: { sampleType: space, factor: 2 ** 30 },
}

/**
 * A call tree that was copied out of Instruments as text (Edit > Deep Copy), of Instruments 7 to 16: columns between tabs, the
 * functions indented by a space per level. https://help.apple.com/instruments
 *
 *     Weight          Self Weight   Symbol Names                        Running Time, Self (ms) in old versions
 *     4.93 s  100.0%  0 s              start
 *     4.93 s  99.9%   0 s               main
 *
 * Time profiles are `time` in nanoseconds, or `cycles`; allocations are `space` in bytes and `objects`. What a function has
 * itself is as printed, and where that is not (allocations), what is left of it without those that it called. Numbers are as
 * precise as Instruments shows them: `4.93 s`. Processes and threads, where Instruments shows them, are functions.
 */
export const instruments: Importer = {
  format,
  recognizes: ({ head }) => columnsOf(head.slice(0, head.indexOf('\n'))) !== undefined,
  read: ({ bytes }, options) => readInstruments(bytes, options),
}

/** Indexes of columns, -1 for those that are not there. */
interface Columns {
  weight: number
  own: number
  /** Numbers of the column before have this unit, where it is not written beside them. */
  ownUnit: string
  count: number
  symbol: number
  path: number
}

interface Row {
  indent: number
  name: string
  file: string
  totals: number[]
  own: number[] | undefined
}

/** A function on the way to the row that is read. */
interface Frame {
  node: number
  indent: number
  row: Row
  ofChildren: number[]
}

function readInstruments(bytes: Uint8Array, { maxNodes }: ImportOptions): ImportedProfile {
  let columns: Columns | undefined
  let builder: ProfileBuilder | undefined
  let sampleTypes: SampleType[] = []
  let lineNumber = 0
  let excessCount = 0
  let unreadableCount = 0
  let unreadable = ''
  const path: Frame[] = []
  const leave = () => {
    const { node, row, ofChildren } = path.pop()!
    const own = row.own ?? row.totals.map((total, type) => total - ofChildren[type]!)
    // Rounded numbers do not add up; that is no matter as long as it is little.
    if (own.some((value, type) => value < -0.01 * row.totals[type]!)) excessCount++
    builder!.add(
      node,
      own.map((value) => Math.max(0, value)),
    )
  }
  for (const untrimmed of textLines(bytes, format)) {
    const line = untrimmed.trimEnd()
    lineNumber++
    if (line === '') continue
    if (columns === undefined) {
      columns = columnsOf(line)
      if (columns === undefined)
        throw new FormatError('expected columns "Weight", "Self Weight" and "Symbol Name"', {
          format,
          where: 'line 1',
        })
      continue
    }
    const cells = line.split('\t')
    const sampleType = unitOf(cells[columns.weight])?.sampleType
    if (sampleType === undefined || (cells[columns.symbol] ?? '').trim() === '') {
      unreadableCount++
      unreadable ||= line
      continue
    }
    if (builder === undefined) {
      sampleTypes = columns.count < 0 ? [sampleType] : [sampleType, objects]
      builder = new ProfileBuilder({ format, sampleTypes, maxNodes })
    }
    if (sampleType !== sampleTypes[0])
      throw new FormatError('the unit is of another kind than before', {
        format,
        where: `line ${lineNumber}`,
      })
    const row = readRow(cells, columns)
    while (path.length > 0 && path[path.length - 1]!.indent >= row.indent) leave()
    const parent = path[path.length - 1]
    if (parent !== undefined)
      for (const [type, total] of row.totals.entries()) parent.ofChildren[type]! += total
    const node = builder.child(parent?.node ?? 0, builder.functions.intern(row.name, row.file))
    path.push({ node, indent: row.indent, row, ofChildren: row.totals.map(() => 0) })
  }
  while (path.length > 0) leave()
  if (builder === undefined) throw new FormatError('the profile holds no samples', { format })

  const warnings: string[] = []
  if (excessCount > 0)
    warnings.push(`In ${excessCount} rows, callees have more than the function that called them.`)
  if (unreadableCount > 0)
    warnings.push(`${unreadableCount} lines were not understood, the first one is ${quote(unreadable)}.`)
  return builder.finish({ warnings })
}

function columnsOf(head: string): Columns | undefined {
  if (!head.includes('\t')) return undefined
  const names = head.split('\t', 50).map((name) => name.trim())
  const find = (...candidates: string[]) => names.findIndex((name) => candidates.includes(name))
  const columns = {
    weight: find('Weight', 'Running Time', 'Bytes Used'),
    own: find('Self Weight', 'Self (ms)', 'Self'),
    ownUnit: names.includes('Self (ms)') ? 'ms' : '',
    count: names.includes('Bytes Used') ? find('Count', '# Allocations') : -1,
    symbol: find('Symbol Name', 'Symbol Names'),
    path: find('Source Path'),
  }
  return columns.weight < 0 || columns.symbol < 0 ? undefined : columns
}

function readRow(cells: string[], { weight, own, ownUnit, count, symbol, path }: Columns): Row {
  const total = valueOf(cells[weight]) ?? 0
  const ownCell = cells[own]?.trim() ?? ''
  const ownValue = ownCell === '-' ? 0 : valueOf(`${ownCell} ${ownUnit}`)
  const name = cells[symbol]!
  return {
    indent: name.length - name.trimStart().length,
    name: name.trim(),
    file: cells[path]?.trim() ?? '',
    totals: count < 0 ? [total] : [total, numberOf(cells[count]) ?? 0],
    own: ownValue === undefined || count >= 0 ? undefined : [ownValue],
  }
}

/** `4.93 s  100.0%` in nanoseconds; undefined when it is no number with a unit. */
function valueOf(cell: string | undefined): number | undefined {
  const number = numberOf(cell)
  const unit = unitOf(cell)
  return number === undefined || unit === undefined ? undefined : Math.round(number * unit.factor)
}

function unitOf(cell: string | undefined): (typeof units)[string] | undefined {
  const unit = /^\s*[\d.,]+\s*([a-zA-Zµ]+)/.exec(cell ?? '')?.[1]
  return unit !== undefined && Object.hasOwn(units, unit) ? units[unit] : undefined
}

function numberOf(cell: string | undefined): number | undefined {
  const digits = /^\s*([\d.,]+)/.exec(cell ?? '')?.[1]
  if (digits === undefined) return undefined
  // A Mac writes as its region does: thousands have commas, "1,234.5", or what is less than one has: "4,93", "1.234,5".
  const isDecimal = /^\d+,(?!\d{3}$)\d+$/.test(digits) || /^\d{1,3}(?:\.\d{3})+,\d+$/.test(digits)
  const number = Number(isDecimal ? digits.replaceAll('.', '').replace(',', '.') : digits.replaceAll(',', ''))
  return Number.isFinite(number) ? number : undefined
}
