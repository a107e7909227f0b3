/** Functions that call each other in a circle, numbered from 0, and where the circle is entered. */
export interface Circle {
  /** Per function, its calls within the circle, the costliest first. */
  calls: readonly (readonly { callee: number; cost: number; edge: number }[])[]
  /** Per function, what it costs itself and by calls to outside of the circle. */
  own: ArrayLike<number>
  /** The main one comes first. From any of them, everything is reached. */
  entrances: readonly { function: number; cost: number }[]
}

/** What costs of nodes must add up to. */
export interface CircleCosts {
  /** Per function, of its nodes. */
  own: ArrayLike<number>
  /** Per entrance, of what is below it. */
  entrances: readonly number[]
  /** Per function, of what is below its outermost nodes; undefined where that is not known. */
  inclusive?: readonly (number | undefined)[]
}

/** Nodes in depth-first order. */
export interface CircleTree {
  /** -1 for the entrances. */
  parents: number[]
  functions: number[]
  /** Which entrance a node is below. */
  entrances: number[]
  /** The call that leads to a node; -1 for the entrances. */
  edges: number[]
  /** After the last node of the subtree. */
  ends: number[]
  /** What a node costs itself and by calls to outside of the circle. */
  costs: number[]
  /** Calls that were looked at. */
  steps: number
}

/** A node on the path to the current one. */
interface Step {
  node: number
  /** Calls of it that were followed. */
  next: number
  /** With what is called from here. */
  cost: number
  /** Of what a call costs in all, how much it costs from here. */
  rate: number
  /** Depth at which the function was last before, -1 for nowhere. */
  before: number
  /** Depth of the last function that was new on the path. */
  newest: number
  isNeeded: boolean
}

/** On one path. */
const mostOccurrences = 4
const mostSweeps = 50
const fewestSweeps = 8
/** Nodes that are looked at, for all sums and sweeps. */
const mostWork = 2 ** 26
/** Sums that change by a smaller part than this are right. */
const leastChange = 1e-4

/**
 * Unrolls a circle into a tree, from each of its entrances. A function is there again below itself only if, since it was there
 * last, there was one that is new on the path; else its call makes no node, as if it went on where it was:
 *
 *     exec ─> module ─> import ─> exec              exec ─ module a ─ import ─ exec ─ module b
 *
 * Nodes that would cost less than `smallest`, and those after the first `maxNodes`, are left out, but each function has one.
 */
export function unrollCircle(circle: Circle, smallest: number, maxNodes: number): CircleTree {
  const { calls, own, entrances } = circle
  const tree: CircleTree = {
    parents: [],
    functions: [],
    entrances: [],
    edges: [],
    ends: [],
    costs: [],
    steps: 0,
  }
  const needed = neededCalls(circle)
  const occurrences = new Int32Array(own.length)
  const lastDepths = new Int32Array(own.length).fill(-1)
  const path: Step[] = []

  const enter = (
    callee: number,
    place: { parent: number; edge: number; entrance: number },
    about: Pick<Step, 'cost' | 'isNeeded'>,
  ) => {
    const node = tree.parents.push(place.parent) - 1
    tree.functions.push(callee)
    tree.edges.push(place.edge)
    tree.entrances.push(place.entrance)
    tree.ends.push(node + 1)
    tree.costs.push(0)
    const before = lastDepths[callee]!
    const newest = before === -1 ? path.length : path[path.length - 1]!.newest
    path.push({ node, next: 0, rate: 0, before, newest, ...about })
    lastDepths[callee] = path.length - 1
    occurrences[callee]!++
  }
  const isShown = (callee: number) =>
    lastDepths[callee] === -1 ||
    (occurrences[callee]! < mostOccurrences && path[path.length - 1]!.newest > lastDepths[callee]!)

  for (const [entrance, start] of entrances.entries()) {
    const isMain = entrance === 0
    enter(start.function, { parent: -1, edge: -1, entrance }, { cost: start.cost, isNeeded: isMain })
    while (path.length > 0) {
      const top = path[path.length - 1]!
      const caller = tree.functions[top.node]!
      const ownCalls = calls[caller]!
      if (top.next === 0) {
        // What is called for nothing new stays with the function.
        const shown = ownCalls.reduce((sum, { callee, cost }) => (isShown(callee) ? sum + cost : sum), 0)
        const whole = own[caller]! + shown
        top.rate = whole === 0 ? 0 : top.cost / whole
        tree.costs[top.node] = top.rate * own[caller]!
        tree.steps += ownCalls.length
      }
      const call = ownCalls[top.next++]
      if (call === undefined) {
        path.pop()
        lastDepths[caller] = top.before
        occurrences[caller]!--
        tree.ends[top.node] = tree.parents.length
        continue
      }
      const cost = top.rate * call.cost
      const isNeeded = top.isNeeded && needed[call.callee] === call.edge
      const isLarge = cost >= smallest && tree.parents.length < maxNodes
      if (isNeeded || (isLarge && isShown(call.callee)))
        enter(call.callee, { parent: top.node, edge: call.edge, entrance }, { cost, isNeeded })
    }
  }
  return tree
}

/** Per function, the call by which it is first reached from the main entrance; -1 for that one. */
function neededCalls({ calls, entrances }: Circle): Int32Array {
  const needed = new Int32Array(calls.length).fill(-1)
  const start = entrances[0]!.function
  const reached = [start]
  for (let index = 0; index < reached.length; index++) {
    for (const { callee, edge } of calls[reached[index]!]!) {
      if (needed[callee] !== -1 || callee === start) continue
      needed[callee] = edge
      reached.push(callee)
    }
  }
  return needed
}

/**
 * Changes the costs of the nodes of a tree so that they add up to what is known. One sum after the other is made right by a
 * factor, many times, which comes as near to all of them as is possible (iterative proportional fitting:
 * https://doi.org/10.1214/aoms/1177731829). What functions cost themselves comes last and is exact. Of very large circles, only
 * the largest sums are looked at.
 */
export function fitCircle(
  tree: CircleTree,
  costs: Float64Array,
  { own, entrances, inclusive = [] }: CircleCosts,
): void {
  const { functions } = tree
  const outermost = inclusive.length === 0 ? [] : outermostNodes(tree, own.length)
  const most = Math.floor(mostWork / (fewestSweeps * costs.length))
  const regions = inclusive
    .flatMap((cost, callee) => (cost === undefined ? [] : [{ nodes: outermost[callee]!, cost }]))
    .toSorted((a, b) => b.cost - a.cost)
    .slice(0, most)
  // What begins at nothing would stay at nothing.
  for (let node = 0; node < costs.length; node++) costs[node]! += own[functions[node]!]! * 1e-9
  const sums = regions.length + entrances.length
  const sweeps =
    sums > 1 ? Math.min(mostSweeps, Math.ceil(mostWork / ((regions.length + 1) * costs.length))) : 1
  // Each node is below one entrance and of one function, so all of these sums are made right at once.
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const change = scaleSums(entrances, tree.entrances, costs)
    for (const region of regions) scaleRegion(region, tree, costs)
    scaleSums(own, functions, costs)
    // The first time it is not yet made right for functions.
    if (sweep > 0 && regions.length === 0 && change < leastChange) return
  }
}

/**
 * Makes the costs of nodes add up to what is wanted, for each of the sums that they are told to belong to. Gives the largest
 * change, as a part of what was.
 */
function scaleSums(wanted: ArrayLike<number>, sumOfNode: readonly number[], costs: Float64Array): number {
  const factors = new Float64Array(wanted.length)
  for (let node = 0; node < costs.length; node++) factors[sumOfNode[node]!]! += costs[node]!
  let change = 0
  for (let sum = 0; sum < factors.length; sum++) {
    const found = factors[sum]!
    factors[sum] = found === 0 ? 1 : wanted[sum]! / found
    change = Math.max(change, Math.abs(factors[sum]! - 1))
  }
  for (let node = 0; node < costs.length; node++) costs[node]! *= factors[sumOfNode[node]!]!
  return change
}

/** Per function, its nodes that are not below another one of it. */
function outermostNodes({ functions, ends }: CircleTree, functionCount: number): number[][] {
  const nodes = Array.from({ length: functionCount }, (): number[] => [])
  for (let node = 0; node < functions.length; node++) {
    const own = nodes[functions[node]!]!
    const last = own[own.length - 1]
    if (last === undefined || ends[last]! <= node) own.push(node)
  }
  return nodes
}

/** Everything below some nodes to what that costs, and everything else to the rest of it all. */
function scaleRegion(
  { nodes, cost }: { nodes: readonly number[]; cost: number },
  { ends }: CircleTree,
  costs: Float64Array,
): void {
  let inside = 0
  for (const node of nodes) for (let below = node; below < ends[node]!; below++) inside += costs[below]!
  if (inside === 0 || cost === 0) return
  const whole = costs.reduce((sum, value) => sum + value, 0)
  const outside = whole - inside
  const factor = cost / inside
  const rest = outside > 1e-9 * whole && cost < whole ? (whole - cost) / outside : 1
  if (rest !== 1) for (let node = 0; node < costs.length; node++) costs[node]! *= rest
  for (const node of nodes)
    for (let below = node; below < ends[node]!; below++) costs[below]! *= factor / rest
}
