import { PairTable } from '../pair-table.ts'
import type { ProfileDetail } from '../profile-detail.ts'
import { sampleTypeOf, totalValues, type Profile } from '../profile.ts'
import { wholeCallTree, type CallTree } from './call-tree.ts'
import { bestTotalOf, exactTotals } from './exact-totals.ts'
import { findFunction } from './find-function.ts'
import { percentOf } from './format-value.ts'
import { valuesOfGroups } from './group-values.ts'
import { endsOf } from './kept-columns.ts'

/** A line of a function's source; percentages are of the whole profile. */
export interface SourceLine {
  functionName: string
  file: string
  line: number
  selfValue: number
  selfPercent: number
  /** With what was called from there. */
  totalValue: number
  totalPercent: number
}

/** A function, or a file: its whole path, or its end. */
export type SourceLinesOf = { functionName: string } | { file: string }

interface SourceLinesOptions {
  /** The default sample type when absent. */
  sampleTypeIndex?: number
  /** The self values of only the samples that are asked for. */
  kept?: Float64Array
}

export interface SourceLines {
  sampleType: string
  unit: string
  /** Of the functions together. */
  selfValue: number
  totalValue: number
  /** In the order of the source: by file, then by line. */
  lines: SourceLine[]
  /** What the functions have themselves that no line is known of. */
  selfWithoutLine: number
  /** Whether frames know from which line they called on; if not, totals of lines are their self values. */
  knowsCallLines: boolean
  /** Whether values are shared out among the lines of a place as those of all samples are. */
  isEstimate: boolean
}

/** No function has such a file. */
export class FileNotFoundError extends Error {
  override readonly name = 'FileNotFoundError'
}

/**
 * Values per line of a function, or of all functions of a file, as `go tool pprof -list`.
 *
 * A stack that meets a line twice counts once. What a profile stores does not tell at which line the outer call of a
 * function was while an inner one was at another; that is shared out as the outer call's lines are, which is
 * exact where it calls itself from one line only. Nor does it tell lines sample by sample: of some samples only, a place in
 * the call tree has the lines that it has of all of them, in the same shares.
 *
 * Throws FunctionNotFoundError or FileNotFoundError when there is no such function or file, RangeError for an unknown
 * sample type.
 */
export function sourceLines(
  profile: Profile,
  detail: ProfileDetail | undefined,
  of: SourceLinesOf,
  { sampleTypeIndex = profile.defaultSampleTypeIndex, kept }: SourceLinesOptions = {},
): SourceLines {
  const { type, unit } = sampleTypeOf(profile, sampleTypeIndex)
  const all = wholeCallTree(profile, sampleTypeIndex)
  const tree = kept === undefined ? all : { ...all, self: kept, totals: totalValues(all.parents, kept) }
  const { totals } = tree
  const wanted = new Int32Array(profile.functions.names.length).fill(-1)
  const chosen = 'file' in of ? functionsOfFile(profile, of.file) : findFunction(profile, of.functionName)
  for (const index of chosen) wanted[index] = 0
  const whole = valuesOfGroups(tree, wanted, 1)
  const exact = tree === all ? exactTotals(profile, sampleTypeIndex) : undefined

  const table = lineTable(detail, sampleTypeIndex)
  const keptTable = table && (tree === all ? { ...table, isEstimate: false } : shareOfLines(table, tree, all))
  const lines = linesOf(profile, keptTable, wanted).map((row): SourceLine => ({
    ...row,
    selfPercent: percentOf(row.selfValue, totals[0]!),
    totalPercent: percentOf(row.totalValue, totals[0]!),
  }))
  return {
    sampleType: type,
    unit,
    selfValue: whole.self[0]!,
    totalValue: bestTotalOf(chosen, whole.totals[0]!, exact),
    lines: lines.toSorted(
      (a, b) => compare(a.file, b.file) || a.line - b.line || compare(a.functionName, b.functionName),
    ),
    selfWithoutLine: whole.self[0]! - lines.reduce((sum, { selfValue }) => sum + selfValue, 0),
    knowsCallLines: table !== undefined && table.totals.some((total, row) => total !== table.self[row]),
    isEstimate: keptTable?.isEstimate ?? false,
  }
}

/** Rows of one sample type, in the order of nodes. */
interface LineTable {
  nodes: Int32Array
  lines: Int32Array
  self: Float64Array
  totals: Float64Array
}

function lineTable(detail: ProfileDetail | undefined, sampleTypeIndex: number): LineTable | undefined {
  if (detail?.lines === undefined) return undefined
  const { nodes, lines, selfValues, totalValues: totals } = detail.lines
  return { nodes, lines, self: selfValues[sampleTypeIndex]!, totals: totals[sampleTypeIndex]! }
}

/** What the rows of a place have of its values in `tree`, when they have these of all samples. */
function shareOfLines(table: LineTable, tree: CallTree, all: CallTree): LineTable & { isEstimate: boolean } {
  const { nodes } = table
  const self = new Float64Array(nodes.length)
  const totals = new Float64Array(nodes.length)
  let isEstimate = false
  for (let row = 0; row < nodes.length; row++) {
    const node = nodes[row]!
    const [own, allOwn] = [tree.self[node]!, all.self[node]!]
    const [called, allCalled] = [tree.totals[node]! - own, all.totals[node]! - allOwn]
    self[row] = scaled(table.self[row]!, own, allOwn)
    totals[row] = self[row]! + scaled(table.totals[row]! - table.self[row]!, called, allCalled)
    const isAlone = nodes[row - 1] !== node && nodes[row + 1] !== node
    if (!isAlone && (isSome(own, allOwn) || isSome(called, allCalled))) isEstimate = true
  }
  return { ...table, self, totals, isEstimate }
}

/** A part of `part` that is as large as that of `whole` is. */
function scaled(value: number, part: number, whole: number): number {
  if (value === whole) return part
  return whole === 0 ? 0 : (value * part) / whole
}

/** Neither nothing nor all. */
function isSome(part: number, whole: number): boolean {
  return part !== 0 && part !== whole
}

/** One pass over the rows of nodes, which come in the order of the tree. */
function linesOf(
  profile: Profile,
  table: LineTable | undefined,
  wanted: Int32Array,
): Omit<SourceLine, 'selfPercent' | 'totalPercent'>[] {
  if (table === undefined) return []
  const { self, totals } = table
  const { parents, functionIndexes } = profile.nodes
  const ends = endsOf(parents)
  // A place is a (function, line); its values are self, total, and the share of inner calls that is not counted yet.
  const places = new PairTable({ valueWidth: 2, maxCount: table.nodes.length + 1, overflow: tooManyPlaces })
  const notCounted = new Float64Array(table.nodes.length + 1).fill(1)
  const open: { end: number; changed: [place: number, share: number][] }[] = []
  for (let row = 0; row < table.nodes.length;) {
    const node: number = table.nodes[row]!
    let next = row
    while (next < table.nodes.length && table.nodes[next] === node) next++
    while (open.length > 0 && node >= open[open.length - 1]!.end) {
      for (const [place, share] of open.pop()!.changed.toReversed()) notCounted[place] = share
    }
    const functionIndex = functionIndexes[node]!
    if (functionIndex >= 0 && wanted[functionIndex] === 0) {
      let called = 0
      for (let at = row; at < next; at++) called += totals[at]! - self[at]!
      const changed: [place: number, share: number][] = []
      for (let at = row; at < next; at++) {
        const place = places.intern(functionIndex, table.lines[at]!)
        const share = notCounted[place]!
        places.values[place * 2]! += self[at]!
        places.values[place * 2 + 1]! += totals[at]! * share
        const calledHere = totals[at]! - self[at]!
        if (calledHere === 0 || called === 0) continue
        changed.push([place, share])
        notCounted[place] = share * (1 - calledHere / called)
      }
      if (changed.length > 0 && ends[node]! > node + 1) open.push({ end: ends[node]!, changed })
      else for (const [place, share] of changed) notCounted[place] = share
    }
    row = next
  }
  return Array.from({ length: places.count - 1 }, (_, index) => {
    const place = index + 1
    return {
      functionName: profile.functions.names[places.firsts[place]!]!,
      file: profile.functions.files[places.firsts[place]!]!,
      line: places.seconds[place]!,
      selfValue: places.values[place * 2]!,
      totalValue: places.values[place * 2 + 1]!,
    }
  })
}

function tooManyPlaces(): Error {
  return new RangeError('There are no more places than rows')
}

/** Functions of exactly that file, else of the files that end with it. */
function functionsOfFile(profile: Profile, file: string): number[] {
  const { files } = profile.functions
  const having = (isOf: (path: string) => boolean) =>
    files.flatMap((path, index) => (isOf(path) ? [index] : []))
  const exact = having((path) => path === file)
  if (exact.length > 0) return exact
  const ending = having((path) => path.replaceAll('\\', '/').endsWith(`/${file.replaceAll('\\', '/')}`))
  if (file === '' || ending.length === 0)
    throw new FileNotFoundError(`No function has the file "${file.slice(0, 200)}"`)
  return ending
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
