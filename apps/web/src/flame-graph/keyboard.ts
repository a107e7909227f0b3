import { at, type FlameTree } from './flame-tree.ts'
import { isInZoom } from './viewport.ts'

export type Direction = 'up' | 'down' | 'left' | 'right'

/**
 * The node that an arrow key leads to: up to the caller, down to the heaviest callee, left and right to the
 * neighbours in the row as far as they are in the zoom. The same node where there is no way on.
 */
export function moveFrom(tree: FlameTree, zoom: number, node: number, direction: Direction): number {
  const row = at(tree.depth, node)
  if (direction === 'up') return Math.max(0, at(tree.parent, node))
  if (direction === 'down') {
    // Callees of a node lie side by side in the next row; the first is the heaviest.
    return tree.rows[row + 1]?.find((candidate) => at(tree.parent, candidate) === node) ?? node
  }
  const nodes = tree.rows[row]
  const neighbour = nodes?.[nodes.indexOf(node) + (direction === 'left' ? -1 : 1)]
  return neighbour !== undefined && isInZoom(tree, zoom, neighbour) ? neighbour : node
}
