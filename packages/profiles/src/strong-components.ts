/** Edges of a graph by the vertex they leave: those of `v` lead to `targets[starts[v]]` … `targets[starts[v + 1] - 1]`. */
export interface Adjacency {
  starts: Int32Array
  targets: Int32Array
}

/**
 * The vertices in groups that can reach each other, mostly groups of one; a group comes before those that it reaches, and
 * else in the order of the vertices and of their edges.
 *
 * Tarjan's algorithm, with a stack of its own: https://doi.org/10.1137/0201010
 */
export function strongComponents({ starts, targets }: Adjacency): number[][] {
  const count = starts.length - 1
  /** In the order of first visits, from 1; 0 for what was not visited. */
  const visits = new Int32Array(count)
  /** The earliest visit that is known to be reached and not yet in a group. */
  const earliest = new Int32Array(count)
  /** Edges that were not followed end here. All goes backwards, because groups are found last one first. */
  const edgeEnds = starts.slice(1)
  const isWaiting = new Uint8Array(count)
  const waiting: number[] = []
  const path: number[] = []
  const components: number[][] = []
  let visitCount = 0
  const enter = (vertex: number) => {
    visits[vertex] = earliest[vertex] = ++visitCount
    isWaiting[vertex] = 1
    waiting.push(vertex)
    path.push(vertex)
  }
  for (let first = count - 1; first >= 0; first--) {
    if (visits[first] !== 0) continue
    enter(first)
    while (path.length > 0) {
      const vertex = path[path.length - 1]!
      if (edgeEnds[vertex]! > starts[vertex]!) {
        const target = targets[--edgeEnds[vertex]!]!
        if (visits[target] === 0) enter(target)
        else if (isWaiting[target] === 1) earliest[vertex] = Math.min(earliest[vertex]!, visits[target]!)
        continue
      }
      path.pop()
      const caller = path[path.length - 1]
      if (caller !== undefined) earliest[caller] = Math.min(earliest[caller]!, earliest[vertex]!)
      if (earliest[vertex] !== visits[vertex]) continue
      const component: number[] = []
      for (let member = -1; member !== vertex;) {
        member = waiting.pop()!
        isWaiting[member] = 0
        component.push(member)
      }
      components.push(component)
    }
  }
  return components.toReversed()
}
