import type { AnswerOf, operations } from '@flamegate/contract'
import type { FlameColumns } from '../flame-graph/flame-tree.ts'

type Summary = Pick<AnswerOf<typeof operations.queryFlamegraph>, 'call_tree' | 'total_value'>

/** The call tree of `query_flamegraph`, which has the largest places only, as columns to draw. */
export function callTreeColumns({ call_tree, total_value }: Summary): FlameColumns {
  const functions: { name: string; file: string | null; origin: string }[] = []
  const places = new Map<string, number>()
  const nodes = {
    parent: [] as number[],
    function: [] as number[],
    self: [] as number[],
    total: [] as number[],
  }
  /** The nodes from the outermost to the one at hand, by depth. */
  const path: number[] = []
  for (const { depth, function_name: name, file, origin, self_value, total_value: total } of call_tree) {
    const key = JSON.stringify([name, file])
    const place = places.get(key) ?? functions.push({ name, file, origin }) - 1
    places.set(key, place)
    path.length = Math.min(depth, path.length)
    const parent = path.at(-1) ?? -1
    path.push(nodes.parent.push(parent) - 1)
    nodes.function.push(place)
    nodes.self.push(self_value)
    nodes.total.push(total)
  }
  return { total_value, functions, nodes }
}
