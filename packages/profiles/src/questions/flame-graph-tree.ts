import { sampleTypeOf, type Profile } from '../profile.ts'
import { callTreeOf, largestNodes, wholeCallTree, type CallTree } from './call-tree.ts'
import { callerTree, noteOnCut, type CallerTree } from './caller-tree.ts'
import { originOf } from './function-origin.ts'

const rootName = 'root'

export interface FlameGraphTreeOptions {
  /** The default sample type when absent. */
  sampleTypeIndex?: number
  /** Leave out nodes below this share of the total; 0 when absent. */
  minPercent?: number
  /** Keep the largest nodes, at most so many; 20,000 when absent. */
  maxNodes?: number
  /** Look only below this function. */
  rootFunctionName?: string
  /** Callers instead of callees: below the root are the functions with self value, below those who called them. */
  inverted?: boolean
}

/**
 * A flame graph as flat arrays, for a canvas or the wire. Entry `i` of each array in `nodes` is about node `i`;
 * nodes are in depth-first order, node 0 is the root. `nameIndex` points into `names`, `files` and `origins`.
 */
export interface FlameGraphTree {
  sampleType: string
  unit: string
  totalValue: number
  names: string[]
  files: string[]
  origins: string[]
  nodes: {
    nameIndex: number[]
    /** -1 for the root. */
    parent: number[]
    depth: number[]
    self: number[]
    total: number[]
  }
  truncated: boolean
  omittedNodes: number
  /** What an inverted tree does not show, in a sentence. */
  note: string | null
}

/** Throws FunctionNotFoundError for an unknown root, RangeError for an unknown sample type. */
export function flameGraphTree(profile: Profile, options: FlameGraphTreeOptions = {}): FlameGraphTree {
  const { minPercent = 0, maxNodes = 20_000 } = options
  const { type, unit } = sampleTypeOf(profile, options.sampleTypeIndex)
  const calleeTree =
    options.rootFunctionName === undefined
      ? wholeCallTree(profile, options.sampleTypeIndex)
      : callTreeOf(profile, options.rootFunctionName, options.sampleTypeIndex)
  const tree: CallTree & Partial<CallerTree> = options.inverted
    ? callerTree(calleeTree, calleeTree.self)
    : calleeTree
  const totalValue = tree.totals[0]!
  const { isKept, keptCount, visibleCount } = largestNodes(tree, {
    maxNodes: Math.max(1, maxNodes),
    minTotal: (Math.abs(totalValue) * minPercent) / 100,
  })
  const omittedNodes = visibleCount - keptCount
  return {
    sampleType: type,
    unit,
    totalValue,
    ...keptNodes(tree, profile, isKept),
    truncated: omittedNodes > 0,
    omittedNodes,
    note: noteOnCut(tree, unit),
  }
}

/** A node of d3-flame-graph: `value` is the total. */
export interface D3Node {
  name: string
  value: number
  children: D3Node[]
}

/** The nested form that d3-flame-graph draws. Nodes deeper than 500 are left out: JSON cannot be nested without end. */
export function toD3(tree: Pick<FlameGraphTree, 'names' | 'nodes'>): D3Node {
  const { nameIndex, parent, depth, total } = tree.nodes
  const d3Nodes = nameIndex.map((name, node): D3Node => ({
    name: tree.names[name]!,
    value: total[node]!,
    children: [],
  }))
  for (const [node, d3Node] of d3Nodes.entries()) {
    if (node > 0 && depth[node]! <= 500) d3Nodes[parent[node]!]!.children.push(d3Node)
  }
  return d3Nodes[0]!
}

function keptNodes(
  tree: CallTree,
  profile: Profile,
  isKept: Uint8Array,
): Pick<FlameGraphTree, 'names' | 'files' | 'origins' | 'nodes'> {
  const names: string[] = []
  const files: string[] = []
  const origins: string[] = []
  const nodes: FlameGraphTree['nodes'] = { nameIndex: [], parent: [], depth: [], self: [], total: [] }
  const nameIndexes = new Map<number, number>()
  const positions = new Int32Array(tree.parents.length)
  for (let node = 0; node < tree.parents.length; node++) {
    if (isKept[node] === 0) continue
    const functionIndex = tree.functionIndexes[node]!
    let nameIndex = nameIndexes.get(functionIndex)
    if (nameIndex === undefined) {
      nameIndex = names.length
      nameIndexes.set(functionIndex, nameIndex)
      names.push(profile.functions.names[functionIndex] ?? rootName)
      files.push(profile.functions.files[functionIndex] ?? '')
      origins.push(functionIndex === -1 ? '' : originOf(profile.functions, functionIndex))
    }
    const parent = node === 0 ? -1 : positions[tree.parents[node]!]!
    positions[node] = nodes.parent.length
    nodes.nameIndex.push(nameIndex)
    nodes.parent.push(parent)
    nodes.depth.push(node === 0 ? 0 : nodes.depth[parent]! + 1)
    nodes.self.push(tree.self[node]!)
    nodes.total.push(tree.totals[node]!)
  }
  return { names, files, origins, nodes }
}
