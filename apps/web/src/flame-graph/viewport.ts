import { at, type FlameTree, pathTo } from './flame-tree.ts'

/** What of the tree is in sight: zoomed to one node, as wide as the canvas, scrolled to some rows. */
export interface Viewport {
  /** The node that takes the whole width. */
  zoom: number
  widthPx: number
  firstRow: number
  /** Not included. */
  endRow: number
}

/** A node as a rectangle: its row, and left edge and width in pixels. */
export interface Frame {
  node: number
  row: number
  leftPx: number
  widthPx: number
}

/** Frames narrower than this are not drawn. */
const narrowestPx = 0.4

/** The frames in sight, row by row from left to right. The callers of the zoomed node take the whole width. */
export function framesInSight(tree: FlameTree, viewport: Viewport): Frame[] {
  const { zoom, widthPx } = viewport
  const path = pathTo(tree, zoom)
  const left = at(tree.start, zoom)
  const scale = widthPx / at(tree.total, zoom)
  const frames: Frame[] = []
  for (let row = viewport.firstRow; row < Math.min(viewport.endRow, tree.rows.length); row++) {
    const caller = path[row]
    if (caller !== undefined) {
      frames.push({ node: caller, row, leftPx: 0, widthPx })
      continue
    }
    const nodes = tree.rows[row] ?? new Int32Array()
    for (let index = firstNodeFrom(tree, nodes, left); index < nodes.length; index++) {
      const node = at(nodes, index)
      const leftPx = (at(tree.start, node) - left) * scale
      if (leftPx >= widthPx) break
      const width = at(tree.total, node) * scale
      if (width >= narrowestPx) frames.push({ node, row, leftPx, widthPx: width })
    }
  }
  return frames
}

/** The node under a point of the drawing, whose top is the root's row; undefined where nothing is. */
export function nodeAt(
  tree: FlameTree,
  { zoom, widthPx }: Pick<Viewport, 'zoom' | 'widthPx'>,
  row: number,
  xPx: number,
): number | undefined {
  if (xPx < 0 || xPx >= widthPx) return undefined
  const caller = pathTo(tree, zoom)[row]
  if (caller !== undefined) return caller
  const nodes = tree.rows[row]
  if (nodes === undefined) return undefined
  const value = at(tree.start, zoom) + (xPx / widthPx) * at(tree.total, zoom)
  // The last node that begins at or before the point.
  const node = nodes[firstNodeAfter(tree, nodes, value) - 1]
  return node !== undefined && value < at(tree.start, node) + at(tree.total, node) ? node : undefined
}

/** Whether a node is drawn when the view is zoomed to `zoom`: one of its callers, itself, or something below. */
export function isInZoom(tree: FlameTree, zoom: number, node: number): boolean {
  return pathTo(tree, node).includes(zoom) || pathTo(tree, zoom).includes(node)
}

/** Position in a row of the first node that starts at `value` or later. */
function firstNodeFrom(tree: FlameTree, nodes: Int32Array, value: number): number {
  return partition(nodes, (node) => at(tree.start, node) < value)
}

function firstNodeAfter(tree: FlameTree, nodes: Int32Array, value: number): number {
  return partition(nodes, (node) => at(tree.start, node) <= value)
}

/** How many nodes at the beginning of a row fulfil a condition that the rest does not. */
function partition(nodes: Int32Array, isBefore: (node: number) => boolean): number {
  let low = 0
  let high = nodes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(at(nodes, middle))) low = middle + 1
    else high = middle
  }
  return low
}
