import { layOut, type Layout } from './lay-out.ts'

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
  /**
   * Where two profiles are drawn as one, what each of them has, node by node; `self` and `total` are both together. Such a
   * tree has one root.
   */
  sides?: ColumnSides
}

interface ColumnSides {
  baseSelf: ArrayLike<number>
  baseTotal: ArrayLike<number>
  headSelf: ArrayLike<number>
  headTotal: ArrayLike<number>
}

/** A call tree that is laid out, with the functions that its nodes name by index. */
export interface FlameTree extends Layout {
  functions: FlameColumns['functions']
  sides?: ColumnSides
}

export function layOutTree({ functions, nodes, total_value, sides }: FlameColumns): FlameTree {
  const layout = layOut(nodes, total_value)
  return { ...layout, functions, ...(sides === undefined ? {} : { sides: sidesOf(layout, sides) }) }
}

function sidesOf({ wireOf }: Layout, sides: ColumnSides): ColumnSides {
  const inPlace = (column: ArrayLike<number>) => Float64Array.from(wireOf, (node) => column[node] ?? 0)
  return {
    baseSelf: inPlace(sides.baseSelf),
    baseTotal: inPlace(sides.baseTotal),
    headSelf: inPlace(sides.headSelf),
    headTotal: inPlace(sides.headTotal),
  }
}

export function rowCount({ rowStarts }: FlameTree): number {
  return rowStarts.length - 1
}

/** The node with that number on the wire; the root when there is none, or it has no place. */
export function nodeOfWire({ wireOf }: FlameTree, number: number): number {
  return Math.max(0, wireOf.indexOf(number))
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
  for (let step = node; step >= 0; step = at(tree.parent, step)) path.push(step)
  return path.toReversed()
}

/** An element that is there because the columns have equal length. */
export function at(column: ArrayLike<number>, index: number): number {
  return column[index] ?? -1
}
