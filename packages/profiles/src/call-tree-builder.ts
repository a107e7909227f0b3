import { letGo } from './columns.ts'
import { FormatError } from './format-error.ts'
import { limits } from './limits.ts'
import { PairTable } from './pair-table.ts'
import type { CallTreeNodes, ProfileFormat } from './profile.ts'

/** Grows a call tree of functions from any order of stacks, then puts it into depth-first order. */
export class CallTreeBuilder {
  private readonly table: PairTable
  private lines = new Int32Array(1024)
  private calls: Float64Array | undefined

  /** `maxNodes` is lowered when there are so many sample types that the values would be too many. */
  constructor(options: {
    sampleTypeCount: number
    maxNodes?: number
    format?: ProfileFormat
    countsCalls?: boolean
    /** About how many nodes there will be, where it is known. */
    expectedNodes?: number
  }) {
    const maxNodes = Math.min(
      options.maxNodes ?? limits.nodes,
      Math.floor(limits.values / options.sampleTypeCount),
    )
    this.table = new PairTable({
      valueWidth: options.sampleTypeCount,
      maxCount: maxNodes,
      overflow: () => tooManyNodes(maxNodes, options.format),
      capacity: Math.max(1024, Math.min(options.expectedNodes ?? 0, maxNodes)),
    })
    if (options.countsCalls) this.calls = new Float64Array(1024)
  }

  get nodeCount(): number {
    return this.table.count
  }

  /** The node of a function below a parent; new with that line when it was not there. */
  child(parent: number, functionIndex: number, line = 0): number {
    const before = this.table.count
    // What was made last has no children yet.
    const node =
      parent === before - 1
        ? this.table.internBelowLast(functionIndex)
        : this.table.intern(parent, functionIndex)
    if (node === before) this.setLine(node, line)
    return node
  }

  /** The function of the node that was made right after its parent, which is mostly the one looked for; or -1. */
  likelyChild(parent: number): number {
    const next = parent + 1
    return next < this.table.count && this.table.firsts[next] === parent ? this.table.seconds[next]! : -1
  }

  setLine(node: number, line: number): void {
    if (node >= this.lines.length) {
      const lines = new Int32Array(this.table.firsts.length)
      lines.set(this.lines)
      this.lines = lines
    }
    this.lines[node] = line
  }

  add(node: number, sampleTypeIndex: number, value: number): void {
    this.table.values[node * this.table.valueWidth + sampleTypeIndex]! += value
  }

  selfValue(node: number, sampleTypeIndex: number): number {
    return this.table.values[node * this.table.valueWidth + sampleTypeIndex]!
  }

  addCalls(node: number, count: number): void {
    if (this.calls === undefined) return
    if (node >= this.calls.length) {
      const calls = new Float64Array(this.table.firsts.length)
      calls.set(this.calls)
      this.calls = calls
    }
    this.calls[node]! += count
  }

  /**
   * The tree in depth-first order, siblings as they came, and where in it each node of before is. The builder is of no use
   * afterwards.
   */
  finish(): { nodes: CallTreeNodes; selfValues: Float64Array[]; positions: Int32Array } {
    const { count, firsts, seconds, values, valueWidth } = this.table
    const order = depthFirstOrder(firsts.subarray(0, count))
    const positions = new Int32Array(count)
    for (let index = 0; index < count; index++) positions[order[index]!] = index

    const nodes: CallTreeNodes = {
      parents: new Int32Array(count),
      functionIndexes: new Int32Array(count),
      lines: new Int32Array(count),
    }
    const calls = this.calls && new Float64Array(count)
    const selfValues = Array.from({ length: valueWidth }, () => new Float64Array(count))
    for (let index = 0; index < count; index++) {
      const node = order[index]!
      nodes.parents[index] = index === 0 ? -1 : positions[firsts[node]!]!
      nodes.functionIndexes[index] = seconds[node]!
      nodes.lines[index] = this.lines[node] ?? 0
      if (calls && this.calls) calls[index] = this.calls[node] ?? 0
      for (let type = 0; type < valueWidth; type++)
        selfValues[type]![index] = values[node * valueWidth + type]!
    }
    if (calls) nodes.calls = calls
    this.table.letGo()
    letGo(this.lines, order)
    return { nodes, selfValues, positions }
  }
}

/** Node numbers in depth-first order, given the parent of each (parents have lower numbers). */
function depthFirstOrder(parents: Int32Array): Int32Array {
  const firstChild = new Int32Array(parents.length)
  const nextSibling = new Int32Array(parents.length)
  for (let node = parents.length - 1; node > 0; node--) {
    nextSibling[node] = firstChild[parents[node]!]!
    firstChild[parents[node]!] = node
  }
  const order = new Int32Array(parents.length)
  let filled = 0
  let node = 0
  for (;;) {
    order[filled++] = node
    if (firstChild[node] !== 0) {
      node = firstChild[node]!
      continue
    }
    while (node !== 0 && nextSibling[node] === 0) node = parents[node]!
    if (node === 0) break
    node = nextSibling[node]!
  }
  letGo(firstChild, nextSibling)
  return order
}

function tooManyNodes(maxNodes: number, format?: ProfileFormat): FormatError {
  return new FormatError(`the call tree has more than ${maxNodes} nodes`, { format })
}
