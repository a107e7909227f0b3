import type { AnswerOf, operations } from '@flamegate/contract'
import type { FlameColumns } from '../flame-graph/flame-tree.ts'

type Sandwich = AnswerOf<typeof operations.getFunctionCallers>

/** One side of a sandwich as columns to draw: the function is the root, entries hang below it by their depth. */
export function sideColumns(sandwich: Sandwich, side: 'callers' | 'callees'): FlameColumns {
  const { function_name, total_value, self_value } = sandwich
  const functions: { name: string; file: string | null; origin: string }[] = []
  const indexes = new Map<string, number>()
  const functionIndex = (name: string, file: string | null, origin: string) => {
    const key = `${name}\0${file}`
    const index = indexes.get(key) ?? functions.push({ name, file, origin }) - 1
    indexes.set(key, index)
    return index
  }
  const nodes = {
    parent: [-1],
    function: [functionIndex(function_name, null, 'Unknown')],
    self: [side === 'callees' ? self_value : 0],
    total: [total_value],
  }
  // The node at each depth that the next entries hang on.
  const path = [0]
  for (const entry of sandwich[side]) {
    const node = nodes.parent.length
    nodes.parent.push(path[entry.depth] ?? 0)
    nodes.function.push(functionIndex(entry.function_name, entry.file, entry.origin))
    nodes.self.push(entry.self_value)
    nodes.total.push(entry.total_value)
    path[entry.depth + 1] = node
  }
  return { total_value, functions, nodes }
}
