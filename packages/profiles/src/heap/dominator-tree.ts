/** A directed graph: the edges of node n are those from `firstEdges[n]` up to, and without, `firstEdges[n + 1]`. */
export interface EdgeLists {
  /** One longer than there are nodes. */
  firstEdges: Int32Array
  /** Per edge, the node it leads to. */
  targets: Int32Array
}

export interface DominatorTree {
  /** Per node, the nearest other one that every way from the root to it goes through; -1 for the root. */
  dominators: Int32Array
  /** All nodes, each after its dominator. */
  order: Int32Array
}

/**
 * What keeps what: after Lengauer and Tarjan, "A fast algorithm for finding dominators in a flowgraph" (1979), with path
 * compression, so in O(edges · log nodes). Only edges with `isKeeping` count. A node that no such edge leads to is taken
 * for a child of the root, and so is what cannot be reached otherwise, as DevTools does.
 *
 * Nodes are numbered in the order in which a depth-first search meets them, and everything happens in these numbers.
 */
export function dominatorTree(
  { firstEdges, targets }: EdgeLists,
  isKeeping: Uint8Array,
  root: number,
): DominatorTree {
  const nodeCount = firstEdges.length - 1
  const { numbers, nodes, parents, reached } = numberDepthFirst({ firstEdges, targets }, isKeeping, root)
  const { starts, sources } = predecessors({ firstEdges, targets }, isKeeping, { numbers, reached })

  const semis = Int32Array.from({ length: reached }, (_, number) => number)
  const labels = semis.slice()
  const ancestors = new Int32Array(reached).fill(-1)
  const immediate = new Int32Array(reached)
  /** Per number, the nodes whose semidominator it is, as a list: its first, and the next of each. */
  const firstOfBucket = new Int32Array(reached).fill(-1)
  const nextInBucket = new Int32Array(reached)
  const stack = new Int32Array(reached)

  /** The node with the least semidominator on the way from `number` up to where it is not yet linked. */
  const evaluate = (number: number): number => {
    if (ancestors[number] === -1) return number
    let depth = 0
    let at = number
    while (ancestors[ancestors[at]!] !== -1) {
      stack[depth++] = at
      at = ancestors[at]!
    }
    while (depth > 0) {
      const below = stack[--depth]!
      const above = ancestors[below]!
      if (semis[labels[above]!]! < semis[labels[below]!]!) labels[below] = labels[above]!
      ancestors[below] = ancestors[above]!
    }
    return labels[number]!
  }

  for (let number = reached - 1; number > 0; number--) {
    const start = starts[number]!
    const end = starts[number + 1]!
    let semi = start === end ? 0 : number
    for (let index = start; index < end; index++) {
      semi = Math.min(semi, semis[evaluate(sources[index]!)]!)
    }
    semis[number] = semi
    nextInBucket[number] = firstOfBucket[semi]!
    firstOfBucket[semi] = number

    const parent = parents[number]!
    ancestors[number] = parent
    for (let member = firstOfBucket[parent]!; member !== -1; member = nextInBucket[member]!) {
      const least = evaluate(member)
      immediate[member] = semis[least]! < semis[member]! ? least : parent
    }
    firstOfBucket[parent] = -1
  }
  for (let number = 1; number < reached; number++) {
    if (immediate[number] !== semis[number]) immediate[number] = immediate[immediate[number]!]!
  }

  const dominators = new Int32Array(nodeCount).fill(root)
  for (let number = 1; number < reached; number++) dominators[nodes[number]!] = nodes[immediate[number]!]!
  dominators[root] = -1
  const order = nodes
  let filled = reached
  for (let node = 0; node < nodeCount; node++) if (numbers[node] === -1) order[filled++] = node
  return { dominators, order }
}

interface Numbering {
  /** Per node; -1 when it was not reached. */
  numbers: Int32Array
  /** Per number below `reached`. */
  nodes: Int32Array
  /** Per number, that of the node it was met from. */
  parents: Int32Array
  reached: number
}

function numberDepthFirst(
  { firstEdges, targets }: EdgeLists,
  isKeeping: Uint8Array,
  root: number,
): Numbering {
  const nodeCount = firstEdges.length - 1
  const numbers = new Int32Array(nodeCount).fill(-1)
  const nodes = new Int32Array(nodeCount)
  const parents = new Int32Array(nodeCount)
  const nextEdges = firstEdges.slice()
  let reached = 0
  const visit = (start: number) => {
    const bottom = reached
    numbers[start] = reached
    nodes[reached++] = start
    let number = bottom
    for (;;) {
      const node = nodes[number]!
      const end = firstEdges[node + 1]!
      let edge = nextEdges[node]!
      while (edge < end && (isKeeping[edge] === 0 || numbers[targets[edge]!] !== -1)) edge++
      nextEdges[node] = edge
      if (edge < end) {
        parents[reached] = number
        number = reached
        numbers[targets[edge]!] = reached
        nodes[reached++] = targets[edge]!
      } else if (number === bottom) return
      else number = parents[number]!
    }
  }
  visit(root)
  if (reached < nodeCount) {
    const isKept = new Uint8Array(nodeCount)
    for (let edge = 0; edge < targets.length; edge++) if (isKeeping[edge] === 1) isKept[targets[edge]!] = 1
    for (let node = 0; node < nodeCount; node++) if (numbers[node] === -1 && isKept[node] === 0) visit(node)
  }
  return { numbers, nodes, parents, reached }
}

/** Per number, those that lead to it: from `starts[number]` up to `starts[number + 1]`. */
function predecessors(
  { firstEdges, targets }: EdgeLists,
  isKeeping: Uint8Array,
  { numbers, reached }: Pick<Numbering, 'numbers' | 'reached'>,
): { starts: Int32Array; sources: Int32Array } {
  const nodeCount = firstEdges.length - 1
  const starts = new Int32Array(reached + 2)
  const forEach = (visit: (source: number, target: number) => void) => {
    for (let node = 0; node < nodeCount; node++) {
      const source = numbers[node]!
      if (source === -1) continue
      for (let edge = firstEdges[node]!; edge < firstEdges[node + 1]!; edge++) {
        if (isKeeping[edge] === 1) visit(source, numbers[targets[edge]!]!)
      }
    }
  }
  forEach((_source, target) => starts[target + 2]!++)
  for (let number = 2; number < starts.length; number++) starts[number]! += starts[number - 1]!
  const sources = new Int32Array(starts[reached + 1]!)
  forEach((source, target) => {
    sources[starts[target + 1]!++] = source
  })
  return { starts, sources }
}
