import { weakMapEntries, type HeapObjects } from './heap-graph.ts'

/**
 * 1 for each edge that keeps what it leads to alive, by the rules of DevTools: not from a node to itself; not from the
 * table of a WeakMap to a value, whose key keeps it, too; no shortcuts but those of the root, which mark globals; and not
 * from what only the debugger has to what the page itself refers to.
 */
export function keepingEdges(heap: HeapObjects): Uint8Array {
  const { firstEdges, edges, nodes, root } = heap
  const internal = heap.edgeTypes.indexOf('internal')
  const shortcut = heap.edgeTypes.indexOf('shortcut')
  const weakMaps = weakMapEntries(heap.strings)
  const isOfPage = pageNodes(heap)
  const isKeeping = new Uint8Array(edges.targets.length)
  for (let node = 0; node < nodes.types.length; node++) {
    for (let edge = firstEdges[node]!; edge < firstEdges[node + 1]!; edge++) {
      const target = edges.targets[edge]!
      const type = edges.types[edge]
      if (target === node) continue
      if (type === internal && weakMaps.get(edges.names[edge]!)?.tableId === nodes.ids[node]) continue
      if (node !== root && (type === shortcut || (isOfPage[target] === 1 && isOfPage[node] === 0))) continue
      isKeeping[edge] = 1
    }
  }
  return isKeeping
}

/** 1 for each node that can be reached from a global object or a document. */
function pageNodes(heap: HeapObjects): Uint8Array {
  const { firstEdges, edges, nodes, root } = heap
  const element = heap.edgeTypes.indexOf('element')
  const shortcut = heap.edgeTypes.indexOf('shortcut')
  const synthetic = heap.nodeTypes.indexOf('synthetic')
  const isOfPage = new Uint8Array(nodes.types.length)
  const pending: number[] = []
  const visit = (node: number) => {
    if (isOfPage[node] === 1) return
    isOfPage[node] = 1
    pending.push(node)
  }
  for (let edge = firstEdges[root]!; edge < firstEdges[root + 1]!; edge++) {
    const node = edges.targets[edge]!
    const isDocuments =
      edges.types[edge] === element &&
      nodes.types[node] === synthetic &&
      heap.strings[nodes.names[node]!] === '(Document DOM trees)'
    if (isDocuments || edges.types[edge] === shortcut) visit(node)
  }
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (let edge = firstEdges[node]!; edge < firstEdges[node + 1]!; edge++) visit(edges.targets[edge]!)
  }
  return isOfPage
}
