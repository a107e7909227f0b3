import { detachedness, type HeapObjects } from './heap-graph.ts'

/**
 * Whether each node of the DOM is still in a document, from those for which Chrome wrote it down to all that they refer
 * to: what an attached one refers to is attached, what only detached ones refer to is detached. Not through JavaScript.
 * Sets `detachedness`, and puts `Detached ` before the names of those that are, as DevTools does.
 */
export function spreadDomState(heap: HeapObjects): void {
  const states = heap.nodes.detachedness
  const native = heap.nodeTypes.indexOf('native')
  const hidden = heap.edgeTypes.indexOf('hidden')
  const isVisited = new Uint8Array(states.length)
  const attached: number[] = []
  const detached: number[] = []
  const visit = (node: number, state: number) => {
    if (isVisited[node] === 1) return
    isVisited[node] = 1
    if (heap.nodes.types[node] !== native) return
    states[node] = state
    if (state === detachedness.attached) attached.push(node)
    else if (state === detachedness.detached) detached.push(node)
  }
  const spread = (from: number[], state: number) => {
    for (let node = from.pop(); node !== undefined; node = from.pop()) {
      for (let edge = heap.firstEdges[node]!; edge < heap.firstEdges[node + 1]!; edge++) {
        if (heap.edges.types[edge] !== hidden) visit(heap.edges.targets[edge]!, state)
      }
    }
  }
  for (let node = 0; node < states.length; node++) {
    if (states[node] !== detachedness.unknown) visit(node, states[node]!)
  }
  spread(attached, detachedness.attached)
  spread(detached, detachedness.detached)
  nameDetached(heap)
}

function nameDetached(heap: HeapObjects): void {
  const { detachedness: states, names, types } = heap.nodes
  const native = heap.nodeTypes.indexOf('native')
  const strings = [...heap.strings]
  const renamed = new Map<number, number>()
  for (let node = 0; node < states.length; node++) {
    if (states[node] !== detachedness.detached || types[node] !== native) continue
    const name = names[node]!
    const known = renamed.get(name)
    names[node] = known ?? strings.push(`Detached ${strings[name]!}`) - 1
    if (known === undefined) renamed.set(name, names[node]!)
  }
  heap.strings = strings
}
