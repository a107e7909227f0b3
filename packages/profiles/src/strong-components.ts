/** Edges of a graph by the vertex they leave: those of `v` lead to `targets[starts[v]]` … `targets[starts[v + 1] - 1]`. */
export interface Adjacency {
  starts: Int32Array
  targets: Int32Array
}

/** Vertices in groups: those of group `g` are `members[starts[g]]` … `members[starts[g + 1] - 1]`. */
export interface Groups {
  starts: Int32Array
  members: Int32Array
}

/**
 * The vertices in groups that can reach each other, mostly groups of one; a group comes before those that it reaches, and
 * else in the order of the vertices and of their edges.
 *
 * Tarjan's algorithm, with a stack of its own: https://doi.org/10.1137/0201010
 */
export function strongComponents({ starts, targets }: Adjacency): Groups {
  const count = starts.length - 1
  /** In the order of first visits, from 1; 0 for what was not visited. */
  const visits = new Int32Array(count)
  /** The earliest visit that is known to be reached and not yet in a group. */
  const earliest = new Int32Array(count)
  /** Edges that were not followed end here. All goes backwards, because groups are found last one first. */
  const edgeEnds = starts.slice(1)
  const isWaiting = new Uint8Array(count)
  const waiting = new Int32Array(count)
  const path = new Int32Array(count)
  const members = new Int32Array(count)
  const groupStarts = new Int32Array(count + 1)
  /** Where the first group that was found begins, so far, and its number if there were as many groups as vertices. */
  let memberStart = count
  let group = count
  groupStarts[count] = count
  let visitCount = 0
  let waitingCount = 0
  let depth = 0
  let first = count
  let next = -1
  // One loop for all paths, as most of them are of one vertex.
  for (;;) {
    if (next >= 0 && visits[next] === 0) {
      visits[next] = earliest[next] = ++visitCount
      isWaiting[next] = 1
      waiting[waitingCount++] = next
      path[depth++] = next
    }
    if (depth === 0) {
      if (first === 0) break
      next = --first
      continue
    }
    const vertex = path[depth - 1]!
    if (edgeEnds[vertex]! > starts[vertex]!) {
      next = targets[--edgeEnds[vertex]!]!
      if (isWaiting[next] === 1 && visits[next]! < earliest[vertex]!) earliest[vertex] = visits[next]!
      continue
    }
    depth--
    if (depth > 0 && earliest[vertex]! < earliest[path[depth - 1]!]!)
      earliest[path[depth - 1]!] = earliest[vertex]!
    if (earliest[vertex] !== visits[vertex]) continue
    let waitingStart = waitingCount
    do isWaiting[waiting[--waitingStart]!] = 0
    while (waiting[waitingStart] !== vertex)
    memberStart -= waitingCount - waitingStart
    for (let at = memberStart; waitingCount > waitingStart; at++) members[at] = waiting[--waitingCount]!
    groupStarts[--group] = memberStart
  }
  return { starts: groupStarts.subarray(group), members }
}
