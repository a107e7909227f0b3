import { type FlameTree, nodeName, pathTo } from '../flame-graph/flame-tree.ts'
import { nodeWords } from '../flame-graph/node-words.ts'

/** So many of the callers nearest to a frame. */
const callersMax = 8

/** What a person has zoomed to, for the model. `whose` is what the graph is of. */
export function selectionWords(tree: FlameTree, node: number, unit: string, whose: string): string {
  if (node === 0) return `In the view, the person looks at all of ${whose}.`
  const { name, total, self } = nodeWords(tree, node, unit)
  const path = pathTo(tree, node).map((step) => nodeName(tree, step))
  const shown = path.length > callersMax ? ['…', ...path.slice(-callersMax)] : path
  return `In the view, the person has zoomed to ${name} in ${whose}: total ${total}, self ${self}. Its place: ${shown.join(' › ')}.`
}
