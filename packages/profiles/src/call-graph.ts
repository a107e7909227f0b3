import type { CallGraphColumns } from './call-graph-columns.ts'
import { groupCalls } from './call-graph-groups.ts'
import { placeCalls } from './call-graph-places.ts'
import { graphTotals, type TreeTotals } from './call-graph-totals.ts'
import { emitPlaces } from './call-graph-tree.ts'
import { FormatError } from './format-error.ts'
import { limits } from './limits.ts'
import { PairTable } from './pair-table.ts'
import type { ProfileBuilder } from './profile-builder.ts'
import type { ProfileFormat } from './profile.ts'

/**
 * Nodes that a tree is made of; more, and small calls are told apart less. Where totals are told (`addInclusive`), more nodes
 * bring the tree nearer to them.
 */
const nodesOfTree = { totalsKnown: 50_000, totalsUnknown: 10_000 }

/** Of a table, whatever a file looks like. */
const mostValuesAtFirst = 2 ** 20

/**
 * A call graph, which says of two functions how often one called the other and what that cost, but not from where the
 * first was called. Of such files (callgrind, cProfile) a tree is made as kcachegrind and speedscope do: what a function
 * costs is split over its callers in the proportion of what their calls cost.
 *
 *     main ─ 60 ─> read ─┐                    main ─ read ─ copy 60
 *       └─── 40 ─> write ┴ 100 ─> copy             └ write ─ copy 40
 *
 * What holds then:
 * - A function's self values over all nodes are exactly what was added, and so are its calls. Types whose self values
 *   are whole stay whole at every node.
 * - Totals of functions are handed over beside the tree (`graphTotals`), exact but for some of functions in circles.
 * - Those of the tree are exact, up to the rounding to whole values (less than 1 per node below) and to calls that cost less than a
 *   millionth of everything (more, where the tree would have more than 10,000 nodes, or 50,000): those are counted where their
 *   function is mostly called from, which may then have a total that is far too large, when a function is called for little
 *   from very many others. `TreeTotals` tells how far they are off.
 * - A function that calls itself is one node. Where several functions call each other in a circle, the tree goes around
 *   it as long as there is a new function on the way. How much is where in there is worked out: totals are right from outside
 *   the circle, and for functions within it, as near as can be to those that the format tells (`addInclusive`), if it does.
 * - Where several sample types disagree, each is split in its own proportions; the first one says where calls are.
 * - Roots are the functions that nobody calls, and those which cost a millionth of everything more than their callers
 *   account for.
 *
 *     const graph = new CallGraph({ format: 'pstats', sampleTypeCount: 1 })
 *     graph.addSelf(main, [10])
 *     graph.addSelf(read, [90])
 *     graph.addCall({ caller: main, callee: read, calls: 3 }, [90])
 *     graph.addTo(builder)
 */
export class CallGraph {
  private readonly typeCount: number
  /** Functions by their index in the builder, each with 0: an entry less 1 is a small number, in the order of appearance. */
  private readonly locals: PairTable
  private readonly outsideCalls: number[] = []
  private readonly inclusive: (Float64Array | undefined)[] = []
  private readonly inclusiveCounts: number[] = []
  /** Of (function, line): its own values, then those of calls made there. */
  private readonly rows: PairTable
  /** Of (caller, callee): inclusive values, then the number of calls. */
  private readonly edges: PairTable

  /** `likelySize`: about how many functions, or lines, or pairs of functions there will be, for room to begin with. */
  constructor({
    format,
    sampleTypeCount,
    likelySize = 0,
  }: {
    format: ProfileFormat
    sampleTypeCount: number
    likelySize?: number
  }) {
    const table = (valueWidth: number, what: string) => {
      const maxCount = Math.floor(limits.values / valueWidth)
      const overflow = () => new FormatError(`more than ${maxCount} ${what}`, { format })
      // There may be thousands of graphs, one for each part of a file.
      const capacity = Math.max(32, Math.min(likelySize, mostValuesAtFirst / valueWidth))
      return new PairTable({ valueWidth, maxCount, overflow, capacity })
    }
    this.typeCount = sampleTypeCount
    this.locals = table(1, 'functions')
    this.rows = table(2 * sampleTypeCount, 'lines with values')
    this.edges = table(sampleTypeCount + 1, 'pairs of functions that call each other')
  }

  /**
   * Adds what a function, by its index in the builder, has itself: one value per sample type, finite and not negative.
   * `line`: where in its source; 0 when not known.
   */
  addSelf(functionIndex: number, values: ArrayLike<number>, line = 0): void {
    this.addToRow(this.row(functionIndex, line), values)
  }

  /** Where in `ownValues` those of a function at a line begin. */
  row(functionIndex: number, line: number): number {
    return this.rows.intern(this.local(functionIndex), line) * this.rows.valueWidth
  }

  /** As `row`, for what calls cost that were made at the line. */
  calledRow(functionIndex: number, line: number): number {
    return this.row(functionIndex, line) + this.typeCount
  }

  /** To add to, for formats that have very many values. It is another array when there are more rows. */
  get ownValues(): Float64Array {
    return this.rows.values
  }

  /** Adds calls, made at a line of the caller, and what they cost with everything that they called. */
  addCall(
    { caller, callee, calls, line = 0 }: { caller: number; callee: number; calls: number; line?: number },
    values: ArrayLike<number>,
  ): void {
    const start = this.addCalls(caller, callee, calls)
    for (let type = 0; type < this.typeCount; type++) this.edges.values[start + type]! += values[type]!
    // What a function calls itself for is in its own values already.
    if (line > 0 && callee !== caller) this.addCalledAt(caller, line, values)
  }

  /** Adds calls without what they cost, and gives where in `callValues` that is to be added. */
  addCalls(caller: number, callee: number, calls: number): number {
    const { edges } = this
    const from = this.local(caller)
    const start = edges.intern(from, this.local(callee)) * edges.valueWidth
    edges.values[start + this.typeCount]! += calls
    return start
  }

  /** As `ownValues`, of calls. */
  get callValues(): Float64Array {
    return this.edges.values
  }

  /** Adds what calls made at a line of a function cost, where a format does not tell which calls: only lines have it. */
  addCalledAt(functionIndex: number, line: number, values: ArrayLike<number>): void {
    this.addToRow(this.calledRow(functionIndex, line), values)
  }

  /**
   * Adds what a function cost with all that it called, its calls from within itself not counted again: one value per sample
   * type. Only where a format tells it, also of functions that call each other in a circle.
   */
  addInclusive(functionIndex: number, values: ArrayLike<number>): void {
    const local = this.local(functionIndex)
    const inclusive = (this.inclusive[local] ??= new Float64Array(this.typeCount))
    for (let type = 0; type < this.typeCount; type++) inclusive[type]! += values[type]!
    this.inclusiveCounts[local]!++
  }

  /** Adds calls of a function from what is not in the graph; only where a format tells how many. */
  addCallsFromOutside(functionIndex: number, calls: number): void {
    this.outsideCalls[this.local(functionIndex)]! += calls
  }

  /** Fills in a sample type that is the sum of others everywhere. */
  addSum({ column, terms }: { column: number; terms: readonly { column: number; factor: number }[] }): void {
    const { typeCount, rows, edges } = this
    for (const { column: from, factor } of terms) {
      for (let row = 1; row < rows.count; row++) {
        for (let start = row * rows.valueWidth; start < (row + 1) * rows.valueWidth; start += typeCount)
          rows.values[start + column]! += rows.values[start + from]! * factor
      }
      for (let edge = 1; edge < edges.count; edge++) {
        const start = edge * edges.valueWidth
        edges.values[start + column]! += edges.values[start + from]! * factor
      }
    }
  }

  /** Per sample type, what all functions have themselves. */
  ownTotals(): Float64Array {
    const { typeCount, rows } = this
    const totals = new Float64Array(typeCount)
    for (let row = 1; row < rows.count; row++)
      for (let type = 0; type < typeCount; type++) totals[type]! += rows.values[row * rows.valueWidth + type]!
    return totals
  }

  /**
   * Adds the tree to a profile, and the totals of functions beside it. The number of samples is that of calls: say another to `finish` where there may be none.
   *
   * @param options.totals is told how far the totals of the tree are from those of the graph
   */
  addTo(
    builder: ProfileBuilder,
    options: { labelSet?: number; maxNodes?: number | undefined; totals?: TreeTotals } = {},
  ): void {
    const { labelSet = 0, maxNodes = limits.nodes, totals } = options
    const graph = this.columns()
    const isKnown = this.inclusive.some((cost) => cost !== undefined)
    const most = Math.min(nodesOfTree[isKnown ? 'totalsKnown' : 'totalsUnknown'], maxNodes - 1)
    const calls = groupCalls(graph)
    const places = placeCalls(graph, calls, most)
    totals?.add(graph, calls, places)
    emitPlaces(graph, places, builder, labelSet)
    builder.addFunctionTotals(graph.functions, graphTotals(graph, calls))
  }

  private columns(): CallGraphColumns {
    const { typeCount, rows } = this
    const functions = this.locals.firsts.slice(1, this.locals.count)
    const self = new Float64Array(functions.length * typeCount)
    for (let row = 1; row < rows.count; row++) {
      const start = rows.firsts[row]! * typeCount
      const from = row * rows.valueWidth
      for (let type = 0; type < typeCount; type++) self[start + type]! += rows.values[from + type]!
    }
    const isWhole = Array.from({ length: typeCount }, (_, type) => areWhole(self, type, typeCount))
    const { outsideCalls, inclusive, inclusiveCounts, edges } = this
    return { typeCount, functions, self, isWhole, outsideCalls, inclusive, inclusiveCounts, rows, edges }
  }

  private addToRow(start: number, values: ArrayLike<number>): void {
    for (let type = 0; type < this.typeCount; type++) this.rows.values[start + type]! += values[type]!
  }

  private local(functionIndex: number): number {
    const { locals } = this
    const before = locals.count
    const entry = locals.intern(functionIndex, 0)
    if (entry === before) {
      this.outsideCalls.push(0)
      this.inclusive.push(undefined)
      this.inclusiveCounts.push(0)
    }
    return entry - 1
  }
}

/** Of values that lie `step` apart, from `start` on. */
function areWhole(values: Float64Array, start: number, step: number): boolean {
  for (let index = start; index < values.length; index += step)
    if (!Number.isInteger(values[index])) return false
  return true
}
