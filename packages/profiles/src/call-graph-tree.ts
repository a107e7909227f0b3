import { entriesByKey, type CallGraphColumns, type EntriesByKey } from './call-graph-columns.ts'
import type { Places } from './call-graph-places.ts'
import type { ProfileBuilder } from './profile-builder.ts'

/** So that a share of 1/3 and two of them are whole again. */
const rounding = 1e-6

/** Adds the places of a call graph to a profile: self values, calls and lines, all of them split by the shares. */
export function emitPlaces(
  graph: CallGraphColumns,
  places: Places,
  builder: ProfileBuilder,
  labelSet: number,
): void {
  const { typeCount, functions, self, isWhole } = graph
  const { shares } = places
  const rows = rowsByFunction(graph)
  const largest = largestPlaces(places, typeCount)
  const calls = callsOfPlaces(graph, places, largest)
  const nodes = nodesOfPlaces(graph, places, rows, builder)
  const values = new Float64Array(typeCount)
  const remaining = new Float64Array(typeCount)
  const lines = new LineSplitter(graph, builder)
  for (let callee = 0; callee < functions.length; callee++) {
    const last = largest[callee]!
    for (let type = 0; type < typeCount; type++) remaining[type] = self[callee * typeCount + type]!
    lines.begin(rows.entries, rows.starts[callee]!, rows.starts[callee + 1]!)
    for (let place = places.first[callee]!; place >= 0; place = places.next[place]!) {
      if (place === last) continue
      for (let type = 0; type < typeCount; type++) {
        const own = self[callee * typeCount + type]!
        values[type] = split(own, shares[place * typeCount + type]!, isWhole[type]!)
        remaining[type]! -= values[type]!
      }
      const node = nodes[place]!
      builder.add(node, values, { labelSet, sampleCount: calls[place]! })
      builder.addCalls(node, calls[place]!)
      lines.add(node, shares, place * typeCount, values)
    }
    // The largest place comes last and takes what is left.
    for (let type = 0; type < typeCount; type++) values[type] = Math.max(0, remaining[type]!)
    builder.add(nodes[last]!, values, { labelSet, sampleCount: calls[last]! })
    builder.addCalls(nodes[last]!, calls[last]!)
    lines.addLast(nodes[last]!)
  }
}

/** Makes the nodes of the places. */
function nodesOfPlaces(
  graph: CallGraphColumns,
  { count, parents, functions }: Places,
  rows: EntriesByKey,
  builder: ProfileBuilder,
): Int32Array {
  const nodes = new Int32Array(count)
  for (let place = 0; place < count; place++) {
    const parent = parents[place]!
    const callee = functions[place]!
    const line = hottestLine(graph, rows, callee)
    nodes[place] = builder.child(parent < 0 ? 0 : nodes[parent]!, graph.functions[callee]!, line)
  }
  return nodes
}

/** Splits what lines of a function have over its nodes; the last one takes what is left of each line. */
class LineSplitter {
  private readonly graph: CallGraphColumns
  private readonly builder: ProfileBuilder
  private readonly own: Float64Array
  private readonly totals: Float64Array
  private readonly rest: Float64Array
  /** The rows of the function are `entries[start]` … `entries[end - 1]`, the hottest last. */
  private entries: Int32Array = new Int32Array()
  private start = 0
  private end = 0
  /** Not before the function has a second node. */
  private isSplit = false
  /** Per row of the function, its largest value. */
  private most = new Float64Array(16)
  /** Per row of the function, what other nodes did not get: its own values, then those of calls made there. */
  private left = new Float64Array(16)

  constructor(graph: CallGraphColumns, builder: ProfileBuilder) {
    this.graph = graph
    this.builder = builder
    this.own = new Float64Array(graph.typeCount)
    this.totals = new Float64Array(graph.typeCount)
    this.rest = new Float64Array(graph.typeCount)
  }

  /** Begins with another function. */
  begin(entries: Int32Array, start: number, end: number): void {
    this.entries = entries
    this.start = start
    this.end = end
    this.isSplit = false
  }

  /**
   * Adds the lines of a node that is not the last one of its function.
   *
   * @param shares of the node, per type from `from` on
   * @param values what the node has itself, which its lines add up to; what rounding leaves is of the hottest
   */
  add(node: number, shares: Float64Array, from: number, values: Float64Array): void {
    if (!this.isSplit) this.beginToSplit()
    const { own, totals, rest, left, entries, start, end } = this
    const { rows, typeCount, isWhole } = this.graph
    let largestShare = 0
    for (let type = 0; type < typeCount; type++) {
      rest[type] = values[type]!
      largestShare = Math.max(largestShare, shares[from + type]!)
    }
    for (let index = start; index < end; index++) {
      const isLast = index === end - 1
      // Most rows of most nodes come to nothing.
      if (!isLast && this.most[index - start]! * largestShare + rounding < 1) continue
      const row = entries[index]!
      const valueStart = row * rows.valueWidth
      const leftStart = (index - start) * rows.valueWidth
      let hasValues = false
      for (let type = 0; type < typeCount; type++) {
        const share = shares[from + type]!
        const whole = isWhole[type]!
        own[type] = isLast ? Math.max(0, rest[type]!) : split(rows.values[valueStart + type]!, share, whole)
        rest[type]! -= own[type]!
        const called = split(rows.values[valueStart + typeCount + type]!, share, whole)
        totals[type] = own[type]! + called
        left[leftStart + type]! -= own[type]!
        left[leftStart + typeCount + type]! -= called
        if (totals[type]! > 0) hasValues = true
      }
      if (hasValues) this.builder.addLine(node, rows.seconds[row]!, totals, own)
    }
  }

  /** All that is left of the lines, which is all of them where the function has no other node. */
  addLast(node: number): void {
    const { own, totals, isSplit, entries, start, end } = this
    const { rows, typeCount } = this.graph
    const left = isSplit ? this.left : rows.values
    for (let index = start; index < end; index++) {
      const row = entries[index]!
      const valueStart = (isSplit ? index - start : row) * rows.valueWidth
      let hasValues = false
      for (let type = 0; type < typeCount; type++) {
        own[type] = Math.max(0, left[valueStart + type]!)
        totals[type] = own[type]! + Math.max(0, left[valueStart + typeCount + type]!)
        if (totals[type]! > 0) hasValues = true
      }
      if (hasValues) this.builder.addLine(node, rows.seconds[row]!, totals, own)
    }
  }

  private beginToSplit(): void {
    const { graph, entries, start, end } = this
    const { valueWidth, values } = graph.rows
    if (this.most.length < end - start) this.most = new Float64Array(2 * (end - start))
    if (this.left.length < this.most.length * valueWidth)
      this.left = new Float64Array(this.most.length * valueWidth)
    for (let index = start; index < end; index++) {
      const row = entries[index]!
      this.most[index - start] = largestValue(graph, row)
      for (let column = 0; column < valueWidth; column++)
        this.left[(index - start) * valueWidth + column] = values[row * valueWidth + column]!
    }
    this.isSplit = true
  }
}

/** Infinite where what is split need not stay whole, and so may become as small as it likes. */
function largestValue({ rows, isWhole }: CallGraphColumns, row: number): number {
  if (isWhole.includes(false)) return Infinity
  const start = row * rows.valueWidth
  let largest = 0
  for (let index = start; index < start + rows.valueWidth; index++) {
    largest = Math.max(largest, rows.values[index]!)
  }
  return largest
}

/** Whole values are split into whole values, rounded down. */
function split(value: number, share: number, isWhole: boolean): number {
  if (value === 0 || share === 1) return value
  return isWhole ? Math.floor(value * share + rounding) : value * share
}

/** The rows of each function, the hottest line last. */
function rowsByFunction({ rows, functions }: CallGraphColumns): EntriesByKey {
  const own = new Float64Array(rows.count)
  // The first entry of a table stands for nothing.
  const all = new Int32Array(rows.count - 1)
  for (let row = 1; row < rows.count; row++) {
    own[row] = rows.values[row * rows.valueWidth]!
    all[row - 1] = row
  }
  return entriesByKey(all, { keys: rows.firsts, keyCount: functions.length, weights: own })
}

/** 0 when no line is known. */
function hottestLine({ rows }: CallGraphColumns, { starts, entries }: EntriesByKey, callee: number): number {
  const end = starts[callee + 1]!
  return end === starts[callee] ? 0 : rows.seconds[entries[end - 1]!]!
}

/** Per function; of equal ones, the first. */
function largestPlaces({ count, functions, shares, first }: Places, typeCount: number): Int32Array {
  const largest = new Int32Array(first.length).fill(-1)
  const most = new Float64Array(first.length)
  for (let place = 0; place < count; place++) {
    const callee = functions[place]!
    for (let type = 0; type < typeCount; type++) {
      const share = shares[place * typeCount + type]!
      if (largest[callee]! >= 0 && share <= most[callee]!) continue
      largest[callee] = place
      most[callee] = share
    }
  }
  return largest
}

/** Calls of a function from itself go with its shares; those that no place accounts for, to its largest place. */
function callsOfPlaces(
  { edges, outsideCalls, functions, typeCount }: CallGraphColumns,
  places: Places,
  largest: Int32Array,
): Float64Array {
  const { firsts, seconds, values, valueWidth } = edges
  const remaining = Float64Array.from(outsideCalls)
  const toItself = new Float64Array(functions.length)
  for (let edge = 1; edge < edges.count; edge++) {
    const callee = seconds[edge]!
    const calls = values[edge * valueWidth + typeCount]!
    remaining[callee]! += calls
    if (firsts[edge] === callee) toItself[callee] = calls
  }
  const calls = new Float64Array(places.count)
  for (let place = 0; place < places.count; place++) {
    const callee = places.functions[place]!
    if (place === largest[callee]) continue
    const edge = places.edges[place]!
    const fromCaller =
      edge < 0
        ? outsideCalls[callee]!
        : values[edge * valueWidth + typeCount]! * places.shares[places.parents[place]! * typeCount]!
    const fromItself = toItself[callee]! * places.shares[place * typeCount]!
    calls[place] = Math.floor(fromCaller + fromItself + rounding)
    remaining[callee]! -= calls[place]!
  }
  for (let callee = 0; callee < largest.length; callee++)
    calls[largest[callee]!] = Math.max(0, remaining[callee]!)
  return calls
}
