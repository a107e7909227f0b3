/** Nodes as the wire has them: columns of equal length, parents before their children, -1 for a root. */
export interface WireNodes {
  parent: ArrayLike<number>
  /** -1 where a node stands for no function. */
  function: ArrayLike<number>
  self: ArrayLike<number>
  total: ArrayLike<number>
}

/**
 * Nodes that are laid out, as columns. They are numbered row by row from the root on, and in each row from left to right,
 * so that what is in sight of a row is a range of numbers, and children are one too. Node 0 is the root. Positions and widths are in
 * the profile's unit, so that zooming is only a change of scale. What has no value has no place.
 *
 *     depth 0   |0 all                         |      start 0, total 10
 *     depth 1   |1 main          |2 gc   |            start 0 and 6: the heaviest is first
 *     depth 2   |3 parse|4 render|                    what is missing at the right is self value
 */
export interface Layout {
  functionOf: Int32Array
  /** -1 for the root. */
  parent: Int32Array
  depth: Int32Array
  start: Float64Array
  self: Float64Array
  total: Float64Array
  /** The first node of each row, and at last how many nodes there are. */
  rowStarts: Int32Array
  /** The number that a node has on the wire; -1 for a root that the wire does not have. */
  wireOf: Int32Array
}

/**
 * Lays out a call tree: siblings from heavy to light, children from the left edge of their parent. Where the wire has several
 * roots, or none, one is added that is as large as they are, or as `wholeValue`.
 */
export function layOut(wire: WireNodes, wholeValue: number): Layout {
  let rootCount = 0
  for (let node = 0; node < wire.parent.length; node++) if ((wire.parent[node] ?? -1) < 0) rootCount++
  const added = rootCount === 1 ? 0 : 1
  const total = totals(wire, added, wholeValue)
  const { children, childStarts } = childrenBySize(wire.parent, total, added)

  // Numbers before, of which those with a place are moved to where they come out.
  const order = new Int32Array(total.length)
  const parent = new Int32Array(total.length).fill(-1)
  const start = new Float64Array(total.length)
  const depth = new Int32Array(total.length)
  const rowStarts = [0]
  let count = 1
  for (let node = 0; node < count; node++) {
    if (node > 0 && depth[node] !== depth[node - 1]) rowStarts.push(node)
    const own = order[node]!
    let left = start[node]!
    for (let child = childStarts[own]!; child < childStarts[own + 1]!; child++) {
      const size = total[children[child]!]!
      if (!(size > 0)) break
      order[count] = children[child]!
      parent[count] = node
      depth[count] = depth[node]! + 1
      start[count] = left
      left += size
      count++
    }
  }
  const functionOf = new Int32Array(count)
  const self = new Float64Array(count)
  const totalOf = new Float64Array(count)
  const wireOf = new Int32Array(count)
  for (let node = 0; node < count; node++) {
    const own = order[node]!
    wireOf[node] = own - added
    functionOf[node] = wire.function[own - added] ?? -1
    self[node] = wire.self[own - added] ?? 0
    totalOf[node] = total[own]!
  }
  return {
    functionOf,
    parent: parent.slice(0, count),
    depth: depth.slice(0, count),
    start: start.slice(0, count),
    self,
    total: totalOf,
    rowStarts: Int32Array.from([...rowStarts, count]),
    wireOf,
  }
}

function totals(wire: WireNodes, added: number, wholeValue: number): Float64Array {
  const total = new Float64Array(wire.total.length + added)
  total.set(wire.total, added)
  if (added === 1) {
    let roots = 0
    for (let node = 0; node < wire.parent.length; node++)
      if (wire.parent[node]! < 0) roots += wire.total[node]!
    // Roots that were left out for their size still belong to the whole.
    total[0] = Math.max(roots, wholeValue)
  }
  return total
}

/** The children of all nodes in one column, those of a node side by side from heavy to light. */
function childrenBySize(
  parents: ArrayLike<number>,
  total: Float64Array,
  added: number,
): { children: Int32Array; childStarts: Int32Array } {
  const childStarts = new Int32Array(total.length + 1)
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node]! + added
    if (parent >= 0) childStarts[parent + 1]!++
  }
  for (let node = 0; node < total.length; node++) childStarts[node + 1]! += childStarts[node]!
  const filled = childStarts.slice()
  const children = new Int32Array(childStarts[total.length]!)
  for (let node = 0; node < parents.length; node++) {
    const parent = parents[node]! + added
    if (parent >= 0) children[filled[parent]!++] = node + added
  }
  const bySize = (a: number, b: number) => total[b]! - total[a]!
  for (let node = 0; node < total.length; node++) {
    const [from, end] = [childStarts[node]!, childStarts[node + 1]!]
    if (end - from > 1) children.subarray(from, end).sort(bySize)
  }
  return { children, childStarts }
}
