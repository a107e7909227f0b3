import { spreadDomState } from './dom-state.ts'
import { dominatorTree } from './dominator-tree.ts'
import type { HeapGraph, HeapObjects } from './heap-graph.ts'
import { keepingEdges } from './keeping-edges.ts'
import { classifyObjects } from './object-classes.ts'
import { moveOwnedSizes } from './owned-sizes.ts'
import { rootDistances } from './root-distances.ts'

/**
 * Works out of a heap what keeps what, with the steps and the rules of DevTools, so that the numbers are the same:
 * https://github.com/ChromeDevTools/devtools-frontend/blob/main/front_end/entrypoints/heap_snapshot_worker/HeapSnapshot.ts
 *
 * `order`: all nodes, each after the one that dominates it. Changes sizes and states of the objects that are given.
 */
export function analyzeHeap(heap: HeapObjects): { graph: HeapGraph; order: Int32Array } {
  spreadDomState(heap)
  const { distances, pathEdges } = rootDistances(heap)
  moveOwnedSizes(heap)
  const edges = { firstEdges: heap.firstEdges, targets: heap.edges.targets }
  const { dominators, order } = dominatorTree(edges, keepingEdges(heap), heap.root)
  const retainedSizes = heap.nodes.selfSizes.slice()
  for (let index = order.length - 1; index > 0; index--) {
    const node = order[index]!
    retainedSizes[dominators[node]!]! += retainedSizes[node]!
  }
  const classes = classifyObjects(heap)
  return { graph: { ...heap, dominators, retainedSizes, distances, pathEdges, classes }, order }
}
