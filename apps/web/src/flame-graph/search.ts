import { at, type FlameTree, rowCount } from './flame-tree.ts'
import { beginningIn, sightOf } from './viewport.ts'

/** What a search found. */
export interface Matches {
  /** 1 for each function whose name matches. */
  functions: Uint8Array
  /** How many of the nodes before each match, so that a range of nodes tells how many it has. */
  before: Int32Array
}

/** Names, and nodes, that are looked at before there may be a pause. */
const namesAtOnce = 4096
const nodesAtOnce = 65_536

/** Finds functions whose name contains the words, whatever their case; none for empty words. */
export function* findMatches(tree: FlameTree, words: string): Generator<void, Matches> {
  const functions = yield* matchFunctions(tree.functions, words)
  const before = new Int32Array(tree.functionOf.length + 1)
  let count = 0
  for (let node = 0; node < tree.functionOf.length; node++) {
    count += functions[at(tree.functionOf, node)] ?? 0
    before[node + 1] = count
    if (node % nodesAtOnce === 0) yield
  }
  return { functions, before }
}

export function* matchFunctions(
  functions: FlameTree['functions'],
  words: string,
): Generator<void, Uint8Array> {
  const search = words.trim().toLowerCase()
  const matches = new Uint8Array(functions.length)
  if (search === '') return matches
  for (const [index, { name }] of functions.entries()) {
    if (name.toLowerCase().includes(search)) matches[index] = 1
    if (index % namesAtOnce === 0) yield
  }
  return matches
}

/** Whether one of these nodes matches: from the first up to and without the last. */
export function hasMatch({ before }: Matches, node: number, endNode: number): boolean {
  return at(before, endNode) > at(before, node)
}

/**
 * The share of the zoomed node's total, from 0 to 1, that runs through a matching function. Recursion counts
 * once: only the topmost match of a call path adds to it.
 */
export function* matchShare(tree: FlameTree, matches: Matches, zoom: number): Generator<void, number> {
  const whole = at(tree.total, zoom)
  if (whole <= 0) return 0
  if (hasMatch(matches, zoom, zoom + 1)) return 1
  // What is below a match is not open any more, so that it is not counted again.
  const isOpen = new Uint8Array(tree.parent.length)
  isOpen[zoom] = 1
  const sight = sightOf(tree, zoom)
  let matched = 0
  for (let row = at(tree.depth, zoom) + 1; row < rowCount(tree); row++) {
    const [from, end] = beginningIn(tree, row, sight)
    for (let node = from; node < end; node++) {
      if (node % nodesAtOnce === 0) yield
      if (isOpen[at(tree.parent, node)] === 0) continue
      if (hasMatch(matches, node, node + 1)) matched += at(tree.total, node)
      else isOpen[node] = 1
    }
    yield
  }
  return matched / whole
}
