import { PairTable } from '../pair-table.ts'
import type { ProfileDetail } from '../profile-detail.ts'
import { sampleTypeOf, selfValuesOf, subtreeEnds, totalValues, type Profile } from '../profile.ts'
import { findFunction } from './find-function.ts'
import { percentOf } from './format-value.ts'
import { valuesOfGroups } from './group-values.ts'

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
}

/** No function has such a file. */
export class FileNotFoundError extends Error {
  override readonly name = 'FileNotFoundError'
}

/**
 * Values per line of a function, or of all functions of a file (whole path, or its end), as `go tool pprof -list`.
 *
 * A stack that meets a line twice counts once. What a profile stores does not tell at which line the outer call of a
 * function was while an inner one was at another; that is shared out as the outer call's lines are, which is
 * exact where it calls itself from one line only.
 *
 * Throws FunctionNotFoundError or FileNotFoundError when there is no such function or file, RangeError for an unknown
 * sample type.
 */
export function sourceLines(
  profile: Profile,
  detail: ProfileDetail | undefined,
  of: { functionName: string } | { file: string },
  sampleTypeIndex = profile.defaultSampleTypeIndex,
): SourceLines {
  const { type, unit } = sampleTypeOf(profile, sampleTypeIndex)
  const { parents, functionIndexes } = profile.nodes
  const self = selfValuesOf(profile, sampleTypeIndex)
  const totals = totalValues(parents, self)
  const wanted = new Int32Array(profile.functions.names.length).fill(-1)
  const chosen = 'file' in of ? functionsOfFile(profile, of.file) : findFunction(profile, of.functionName)
  for (const index of chosen) wanted[index] = 0
  const whole = valuesOfGroups({ parents, functionIndexes, self, totals }, wanted, 1)

  const lines = linesOf(profile, detail, wanted, sampleTypeIndex).map((row): SourceLine => ({
    ...row,
    selfPercent: percentOf(row.selfValue, totals[0]!),
    totalPercent: percentOf(row.totalValue, totals[0]!),
  }))
  return {
    sampleType: type,
    unit,
    selfValue: whole.self[0]!,
    totalValue: whole.totals[0]!,
    lines: lines.toSorted(
      (a, b) => compare(a.file, b.file) || a.line - b.line || compare(a.functionName, b.functionName),
    ),
    selfWithoutLine: whole.self[0]! - lines.reduce((sum, { selfValue }) => sum + selfValue, 0),
    knowsCallLines: knowsCallLines(detail, sampleTypeIndex),
  }
}

/** One pass over the rows of nodes, which come in the order of the tree. */
function linesOf(
  profile: Profile,
  detail: ProfileDetail | undefined,
  wanted: Int32Array,
  sampleTypeIndex: number,
): Omit<SourceLine, 'selfPercent' | 'totalPercent'>[] {
  const table = detail?.lines
  if (table === undefined) return []
  const self = table.selfValues[sampleTypeIndex]!
  const totals = table.totalValues[sampleTypeIndex]!
  const { parents, functionIndexes } = profile.nodes
  const ends = subtreeEnds(parents)
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

function knowsCallLines(detail: ProfileDetail | undefined, sampleTypeIndex: number): boolean {
  const lines = detail?.lines
  if (lines === undefined) return false
  const self = lines.selfValues[sampleTypeIndex]!
  return lines.totalValues[sampleTypeIndex]!.some((total, row) => total !== self[row])
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
