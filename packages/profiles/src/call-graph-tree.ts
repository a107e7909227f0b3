import type { CallGraphColumns, Places } from './call-graph-places.ts'
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
  const { typeCount, functions } = graph
  const rows = rowsByFunction(graph)
  const largest = largestPlaces(places, typeCount)
  const calls = callsOfPlaces(graph, places, largest)
  const nodes = new Int32Array(places.count)
  for (let place = 0; place < places.count; place++) {
    const parent = places.parents[place]!
    const callee = places.functions[place]!
    const line = hottestLine(graph, rows[callee]!)
    nodes[place] = builder.child(parent < 0 ? 0 : nodes[parent]!, functions[callee]!, line)
  }
  const values = new Float64Array(typeCount)
  const lines = new LineSplitter(graph, builder)
  for (let callee = 0; callee < functions.length; callee++) {
    const remaining = graph.self.slice(callee * typeCount, (callee + 1) * typeCount)
    lines.begin(rows[callee]!)
    const add = (place: number) => {
      builder.add(nodes[place]!, values, { labelSet, sampleCount: calls[place]! })
      builder.addCalls(nodes[place]!, calls[place]!)
    }
    for (let place = places.first[callee]!; place >= 0; place = places.next[place]!) {
      if (place === largest[callee]) continue
      const shares = places.shares.subarray(place * typeCount, (place + 1) * typeCount)
      for (let type = 0; type < typeCount; type++) {
        const self = graph.self[callee * typeCount + type]!
        values[type] = split(self, shares[type]!, graph.isWhole[type]!)
        remaining[type]! -= values[type]!
      }
      add(place)
      lines.add(nodes[place]!, shares, values)
    }
    // The largest place comes last and takes what is left.
    for (let type = 0; type < typeCount; type++) values[type] = Math.max(0, remaining[type]!)
    add(largest[callee]!)
    lines.addLast(nodes[largest[callee]!]!)
  }
}

/** Splits what lines of a function have over its nodes; the last one takes what is left of each line. */
class LineSplitter {
  private readonly graph: CallGraphColumns
  private readonly builder: ProfileBuilder
  private readonly own: Float64Array
  private readonly totals: Float64Array
  private readonly rest: Float64Array
  private rows: readonly number[] = []
  /** Per row, its largest value; none before the function has a second node. */
  private most = new Float64Array()
  /** Per row, what other nodes did not get: its own values, then those of calls made there. */
  private left = new Float64Array()

  constructor(graph: CallGraphColumns, builder: ProfileBuilder) {
    this.graph = graph
    this.builder = builder
    this.own = new Float64Array(graph.typeCount)
    this.totals = new Float64Array(graph.typeCount)
    this.rest = new Float64Array(graph.typeCount)
  }

  /** Begins with another function. */
  begin(rows: readonly number[]): void {
    this.rows = rows
    this.most = new Float64Array()
  }

  /** `values`: what the node has itself, which its lines add up to; what rounding leaves is of the hottest. */
  add(node: number, shares: Float64Array, values: Float64Array): void {
    if (this.most.length < this.rows.length) this.beginToSplit()
    const { own, totals, rest, left } = this
    const { rows, typeCount, isWhole } = this.graph
    rest.set(values)
    const largestShare = shares.reduce((largest, share) => Math.max(largest, share), 0)
    for (let rank = 0; rank < this.rows.length; rank++) {
      const isLast = rank === this.rows.length - 1
      // Most rows of most nodes come to nothing.
      if (!isLast && this.most[rank]! * largestShare + rounding < 1) continue
      const row = this.rows[rank]!
      const start = row * rows.valueWidth
      const leftStart = rank * rows.valueWidth
      let hasValues = false
      for (let type = 0; type < typeCount; type++) {
        const share = shares[type]!
        const whole = isWhole[type]!
        own[type] = isLast ? Math.max(0, rest[type]!) : split(rows.values[start + type]!, share, whole)
        rest[type]! -= own[type]!
        const called = split(rows.values[start + typeCount + type]!, share, whole)
        totals[type] = own[type]! + called
        left[leftStart + type]! -= own[type]!
        left[leftStart + typeCount + type]! -= called
        if (totals[type]! > 0) hasValues = true
      }
      if (hasValues) this.builder.addLine(node, rows.seconds[row]!, totals, own)
    }
  }

  /** All lines, where the function has no other node. */
  addLast(node: number): void {
    const { own, totals } = this
    const { rows, typeCount } = this.graph
    const isOnly = this.most.length < this.rows.length
    const left = isOnly ? rows.values : this.left
    for (let rank = 0; rank < this.rows.length; rank++) {
      const row = this.rows[rank]!
      const start = (isOnly ? row : rank) * rows.valueWidth
      let hasValues = false
      for (let type = 0; type < typeCount; type++) {
        own[type] = Math.max(0, left[start + type]!)
        totals[type] = own[type]! + Math.max(0, left[start + typeCount + type]!)
        if (totals[type]! > 0) hasValues = true
      }
      if (hasValues) this.builder.addLine(node, rows.seconds[row]!, totals, own)
    }
  }

  private beginToSplit(): void {
    const { valueWidth, values } = this.graph.rows
    this.most = Float64Array.from(this.rows, (row) => largestValue(this.graph, row))
    this.left = new Float64Array(this.rows.length * valueWidth)
    for (const [rank, row] of this.rows.entries()) {
      for (let index = 0; index < valueWidth; index++) {
        this.left[rank * valueWidth + index] = values[row * valueWidth + index]!
      }
    }
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
function rowsByFunction({ rows, functions }: CallGraphColumns): number[][] {
  const groups: number[][] = Array.from(functions, () => [])
  for (let row = 1; row < rows.count; row++) groups[rows.firsts[row]!]!.push(row)
  const own = (row: number) => rows.values[row * rows.valueWidth]!
  return groups.map((group) => group.toSorted((a, b) => own(a) - own(b)))
}

function hottestLine({ rows }: CallGraphColumns, own: readonly number[]): number {
  const last = own[own.length - 1]
  return last === undefined ? 0 : rows.seconds[last]!
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
  const callsOf = (edge: number) => edges.values[edge * edges.valueWidth + typeCount]!
  const remaining = Float64Array.from(outsideCalls)
  const toItself = new Float64Array(functions.length)
  for (let edge = 1; edge < edges.count; edge++) {
    const callee = edges.seconds[edge]!
    remaining[callee]! += callsOf(edge)
    if (edges.firsts[edge] === callee) toItself[callee] = callsOf(edge)
  }
  const calls = new Float64Array(places.count)
  for (let place = 0; place < places.count; place++) {
    const callee = places.functions[place]!
    const edge = places.edges[place]!
    if (place === largest[callee]) continue
    const fromCaller =
      edge < 0 ? outsideCalls[callee]! : callsOf(edge) * places.shares[places.parents[place]! * typeCount]!
    const fromItself = toItself[callee]! * places.shares[place * typeCount]!
    calls[place] = Math.floor(fromCaller + fromItself + rounding)
    remaining[callee]! -= calls[place]!
  }
  for (const [callee, place] of largest.entries()) calls[place] = Math.max(0, remaining[callee]!)
  return calls
}
