import { edgeName, systemDistance, userRoots, weakMapEntries, type HeapObjects } from './heap-graph.ts'

/**
 * The shortest way from a root to every node: how many references it has, and its last one. As in DevTools, first from
 * what the program itself refers to, the globals and documents, and only what is not found so from the engine's own roots.
 */
export function rootDistances(heap: HeapObjects): { distances: Int32Array; pathEdges: Int32Array } {
  const { firstEdges, edges, root } = heap
  const nodeCount = heap.nodes.types.length
  const distances = new Int32Array(nodeCount).fill(-1)
  const pathEdges = new Int32Array(nodeCount).fill(-1)
  const queue = new Int32Array(nodeCount)
  const leadsOn = edgeFilter(heap)
  let queued = 0
  let next = 0
  const search = () => {
    while (next < queued) {
      const node = queue[next++]!
      for (let edge = firstEdges[node]!; edge < firstEdges[node + 1]!; edge++) {
        const target = edges.targets[edge]!
        if (distances[target] !== -1 || !leadsOn(node, edge)) continue
        distances[target] = distances[node]! + 1
        pathEdges[target] = edge
        queue[queued++] = target
      }
    }
  }
  const enqueue = (node: number, distance: number, edge: number) => {
    if (distances[node] !== -1) return
    distances[node] = distance
    pathEdges[node] = edge
    queue[queued++] = node
  }
  for (const { node, edge } of userRoots(heap)) enqueue(node, 1, edge)
  const hasUserRoots = queued > 0
  search()
  enqueue(root, hasUserRoots ? systemDistance : 0, -1)
  search()
  return { distances, pathEdges }
}

/** Not by references that V8 has for its own purposes, and that say nothing of why an object lives. */
function edgeFilter(heap: HeapObjects): (node: number, edge: number) => boolean {
  const { nodes, strings, edges } = heap
  const hidden = heap.nodeTypes.indexOf('hidden')
  const array = heap.nodeTypes.indexOf('array')
  const internal = heap.edgeTypes.indexOf('internal')
  const weakMaps = weakMapEntries(strings)
  const pendingPairs = new Set<string>()
  return (node, edge) => {
    const nodeType = nodes.types[node]
    if (nodeType === hidden && strings[nodes.names[node]!] === 'system / NativeContext') {
      if (edgeName(heap, edge) === 'sloppy_function_map') return false
    }
    if (nodeType === array && strings[nodes.names[node]!] === '(map descriptors)') {
      // Maps share their descriptors, so not all of these are of every map: https://crbug.com/413608
      const index = Number.parseInt(edgeName(heap, edge), 10)
      return index < 2 || index % 3 !== 1
    }
    // A value of a WeakMap lives by its key and by the table, so it is as far as the farther one: the second to come.
    const entry = edges.types[edge] === internal ? weakMaps.get(edges.names[edge]!) : undefined
    if (entry === undefined || pendingPairs.delete(entry.pair)) return true
    pendingPairs.add(entry.pair)
    return false
  }
}
