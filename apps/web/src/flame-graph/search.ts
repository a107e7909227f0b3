import { at, type FlameTree } from './flame-tree.ts'

/** Marks the functions whose name contains the words, whatever their case; none for empty words. */
export function matchFunctions(functions: FlameTree['functions'], words: string): Uint8Array {
  const search = words.trim().toLowerCase()
  return Uint8Array.from(functions, ({ name }) =>
    Number(search !== '' && name.toLowerCase().includes(search)),
  )
}

/**
 * The share of the zoomed node's total, from 0 to 1, that runs through a matching function. Recursion counts
 * once: only the topmost match of a call path adds to it.
 */
export function matchShare(tree: FlameTree, matches: Uint8Array, zoom: number): number {
  const whole = at(tree.total, zoom)
  if (whole === 0) return 0
  const isInside = new Uint8Array(tree.parent.length)
  isInside[zoom] = 1
  if (at(matches, at(tree.functionOf, zoom)) === 1) return 1
  let matched = 0
  for (let row = at(tree.depth, zoom) + 1; row < tree.rows.length; row++) {
    for (const node of tree.rows[row] ?? []) {
      if (isInside[at(tree.parent, node)] === 0) continue
      if (at(matches, at(tree.functionOf, node)) === 1) matched += at(tree.total, node)
      // What is below a match is not inside any more, so that it is not counted again.
      else isInside[node] = 1
    }
  }
  return matched / whole
}
