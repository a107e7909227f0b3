import { largestNodes } from '../questions/call-tree.ts'
import { originOf } from '../questions/function-origin.ts'
import type { DifferentialTree } from './compare-profiles.ts'

/**
 * The largest nodes of two profiles as flat arrays, for a canvas or the wire. Entry `i` of each array in `nodes` is about
 * node `i`; nodes are in depth-first order, node 0 is the root. `function` points into `functions`, and is -1 for the root.
 */
export interface DifferentialFlameGraph {
  functions: { name: string; file: string; origin: string }[]
  nodes: {
    /** -1 for the root. */
    parent: number[]
    function: number[]
    baseSelf: number[]
    baseTotal: number[]
    headSelf: number[]
    headTotal: number[]
  }
  omittedNodes: number
}

/** Nodes count by what they have on both sides together, so that what was removed is kept as well. */
export function differentialFlameGraph(tree: DifferentialTree, maxNodes: number): DifferentialFlameGraph {
  const { nodes, functions, base, head } = tree
  const { parents, functionIndexes } = nodes
  const totals = base.totals.map((value, node) => Math.abs(value) + Math.abs(head.totals[node]!))
  const { isKept, keptCount, visibleCount } = largestNodes(
    { parents, totals },
    { maxNodes: Math.max(1, maxNodes), minTotal: 0 },
  )
  const graph: DifferentialFlameGraph = {
    functions: [],
    nodes: { parent: [], function: [], baseSelf: [], baseTotal: [], headSelf: [], headTotal: [] },
    omittedNodes: visibleCount - keptCount,
  }
  const places = new Int32Array(parents.length)
  const functionPlaces = new Map<number, number>([[-1, -1]])
  for (let node = 0; node < parents.length; node++) {
    if (isKept[node] === 0) continue
    const index = functionIndexes[node]!
    let place = functionPlaces.get(index)
    if (place === undefined) {
      const [name, file] = [functions.names[index]!, functions.files[index]!]
      place = graph.functions.push({ name, file, origin: originOf(functions, index) }) - 1
      functionPlaces.set(index, place)
    }
    places[node] = graph.nodes.parent.push(node === 0 ? -1 : places[parents[node]!]!) - 1
    graph.nodes.function.push(place)
    graph.nodes.baseSelf.push(base.self[node]!)
    graph.nodes.baseTotal.push(base.totals[node]!)
    graph.nodes.headSelf.push(head.self[node]!)
    graph.nodes.headTotal.push(head.totals[node]!)
  }
  return graph
}

/**
 * A node of d3-flame-graph in its differential colours: `value` is the total in head, `delta` what that is more than in base.
 * The same of self values is left out where neither side has one.
 */
export interface DifferentialD3Node {
  name: string
  value: number
  delta: number
  selfValue?: number
  selfDelta?: number
  children: DifferentialD3Node[]
}

/** The nested form that d3-flame-graph draws. Nodes deeper than 500 are left out: JSON cannot be nested without end. */
export function toDifferentialD3({ functions, nodes }: DifferentialFlameGraph): DifferentialD3Node {
  const depths = new Int32Array(nodes.parent.length)
  const d3Nodes = nodes.function.map((index, node): DifferentialD3Node => ({
    name: functions[index]?.name ?? 'root',
    value: nodes.headTotal[node]!,
    delta: nodes.headTotal[node]! - nodes.baseTotal[node]!,
    ...selfOf(nodes.baseSelf[node]!, nodes.headSelf[node]!),
    children: [],
  }))
  for (let node = 1; node < d3Nodes.length; node++) {
    const parent = nodes.parent[node]!
    depths[node] = depths[parent]! + 1
    if (depths[node]! <= 500) d3Nodes[parent]!.children.push(d3Nodes[node]!)
  }
  return d3Nodes[0]!
}

function selfOf(base: number, head: number): Pick<DifferentialD3Node, 'selfValue' | 'selfDelta'> {
  return base === 0 && head === 0 ? {} : { selfValue: head, selfDelta: head - base }
}
