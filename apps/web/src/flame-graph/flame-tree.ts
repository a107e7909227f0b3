/** A call tree as `generate_flamegraph` answers it: columns of equal length, parents before their children. */
export interface FlameColumns {
  total_value: number
  functions: readonly { name: string; file: string | null; origin: string }[]
  nodes: {
    parent: readonly number[]
    function: readonly number[]
    self: readonly number[]
    total: readonly number[]
  }
}

/**
 * A call tree that is laid out. Node 0 is the root of everything: the wire's own root, or one without a function
 * when the wire has several. Positions and widths are in the profile's unit, so that zooming is only a change of
 * scale.
 *
 *     depth 0   |all                         |      start 0, total 10
 *     depth 1   |main          |gc     |            start 0 and 6: the heaviest is first
 *     depth 2   |parse|render|                      what is missing at the right is self value
 */
export interface FlameTree {
  functions: FlameColumns['functions']
  /** Index into `functions`; -1 for a root that the wire does not have. */
  functionOf: Int32Array
  /** -1 for the root. */
  parent: Int32Array
  depth: Int32Array
  start: Float64Array
  self: Float64Array
  total: Float64Array
  /** Nodes of every depth from left to right. */
  rows: readonly Int32Array[]
}

/** Lays out a call tree: siblings from heavy to light, children from the left edge of their parent. */
export function layOutTree(columns: FlameColumns): FlameTree {
  const { nodes } = columns
  // Where the wire has one root, its nodes keep their numbers; else they move up by the root that is added.
  const added = nodes.parent.filter((parent) => parent < 0).length === 1 ? 0 : 1
  const count = nodes.parent.length + added
  const functionOf = new Int32Array(count).fill(-1)
  const parent = new Int32Array(count).fill(-1)
  const self = new Float64Array(count)
  const total = new Float64Array(count)
  functionOf.set(nodes.function, added)
  parent.set(
    nodes.parent.map((index) => index + added),
    added,
  )
  self.set(nodes.self, added)
  total.set(nodes.total, added)
  const children: number[][] = Array.from({ length: count }, () => [])
  for (let node = 1; node < count; node++) children[at(parent, node)]?.push(node)
  if (added === 1) {
    const roots = (children[0] ?? []).reduce((sum, node) => sum + at(total, node), 0)
    // Roots that were left out for their size still belong to the whole.
    total[0] = Math.max(roots, columns.total_value)
  }
  for (const siblings of children) siblings.sort((a, b) => at(total, b) - at(total, a))
  return { functions: columns.functions, functionOf, parent, self, total, ...place(children, total) }
}

/** Walks the tree row by row, so that every row comes out from left to right. */
function place(children: readonly number[][], total: Float64Array) {
  const depth = new Int32Array(children.length)
  const start = new Float64Array(children.length)
  const rows: Int32Array[] = []
  for (let row = [0]; row.length > 0;) {
    rows.push(Int32Array.from(row))
    const next: number[] = []
    for (const node of row) {
      let left = at(start, node)
      for (const child of children[node] ?? []) {
        depth[child] = rows.length
        start[child] = left
        left += at(total, child)
        next.push(child)
      }
    }
    row = next
  }
  return { depth, start, rows }
}

/** Whether a node stands for everything rather than for a function. */
export function isWhole(tree: FlameTree, node: number): boolean {
  return node === 0 && (tree.functions[at(tree.functionOf, node)]?.origin ?? '') === ''
}

/** The function's name, or `all` for what stands for everything. */
export function nodeName(tree: FlameTree, node: number): string {
  return isWhole(tree, node) ? 'all' : (tree.functions[at(tree.functionOf, node)]?.name ?? '')
}

/** The name as it is shown: functions without one are told apart by their file. */
export function nodeLabel(tree: FlameTree, node: number): string {
  const name = nodeName(tree, node)
  const file = tree.functions[at(tree.functionOf, node)]?.file ?? undefined
  return file !== undefined && /^\(?anonymous/.test(name)
    ? `${name} ${file.slice(file.lastIndexOf('/') + 1)}`
    : name
}

/** Nodes from the root to this one. */
export function pathTo(tree: FlameTree, node: number): number[] {
  const path: number[] = []
  for (let step = node; step >= 0; step = at(tree.parent, step)) path.unshift(step)
  return path
}

/** An element that is there because the columns have equal length. */
export function at(column: ArrayLike<number>, index: number): number {
  return column[index] ?? -1
}
