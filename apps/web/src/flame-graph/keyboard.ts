import { at, type FlameTree, rowCount } from './flame-tree.ts'
import { beginningIn, isInSight, type Sight, sightOf } from './viewport.ts'

export type Direction = 'up' | 'down' | 'left' | 'right'

/**
 * The node that an arrow key leads to: up to the caller, down to the heaviest callee, left and right to the
 * neighbours in the row as far as they are in sight. The same node where there is no way on.
 */
export function moveFrom(tree: FlameTree, sight: Sight, node: number, direction: Direction): number {
  const row = at(tree.depth, node)
  if (direction === 'up') return Math.max(0, at(tree.parent, node))
  if (direction === 'down') {
    if (row + 1 === rowCount(tree)) return node
    // The heaviest callee begins where its caller does.
    const [first] = beginningIn(tree, row + 1, sightOf(tree, node))
    return at(tree.parent, first) === node ? first : node
  }
  const neighbour = node + (direction === 'left' ? -1 : 1)
  return at(tree.depth, neighbour) === row && isInSight(tree, sight, neighbour) ? neighbour : node
}
