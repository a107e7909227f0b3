import { userRoots, type HeapObjects } from './heap-graph.ts'

const nobody = -1
const several = -2

/**
 * Counts what only one object uses for its own (the elements of an array, the table of a map) to that object, as
 * DevTools does: the sizes of nodes of type `array` and `hidden` move to the one that owns them. Not in snapshots with
 * internals, which are to show how things are.
 */
export function moveOwnedSizes(heap: HeapObjects): void {
  if (userRoots(heap).length === 0) return
  const { firstEdges, edges, nodes } = heap
  const array = heap.nodeTypes.indexOf('array')
  const hidden = heap.nodeTypes.indexOf('hidden')
  const synthetic = heap.nodeTypes.indexOf('synthetic')
  const owners = ownersOf(heap, (node) => nodes.types[node] === array || nodes.types[node] === hidden, {
    firstEdges,
    targets: edges.targets,
  })
  for (let node = 0; node < owners.length; node++) {
    const owner = owners[node]!
    if (owner < 0 || owner === node || owner === heap.root || nodes.types[owner] === synthetic) continue
    nodes.selfSizes[owner]! += nodes.selfSizes[node]!
    nodes.selfSizes[node] = 0
  }
}

/** Per node, itself, or of those that may be owned, the one node that refers to it, or owns what does. */
function ownersOf(
  heap: HeapObjects,
  mayBeOwned: (node: number) => boolean,
  { firstEdges, targets }: { firstEdges: Int32Array; targets: Int32Array },
): Int32Array {
  const nodeCount = heap.nodes.types.length
  const owners = Int32Array.from({ length: nodeCount }, (_, node) => (mayBeOwned(node) ? nobody : node))
  // A node comes here once with its owner and once more when it turns out to have several.
  const pending: number[] = []
  for (let node = 0; node < nodeCount; node++) if (owners[node] === node) pending.push(node)
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const owner = owners[node]!
    for (let edge = firstEdges[node]!; edge < firstEdges[node + 1]!; edge++) {
      const target = targets[edge]!
      const known = owners[target]!
      if (known === target || known === owner || known === several) continue
      owners[target] = known === nobody ? owner : several
      pending.push(target)
    }
  }
  return owners
}
