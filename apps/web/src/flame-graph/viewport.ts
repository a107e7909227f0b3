import { at, type FlameTree, rowCount } from './flame-tree.ts'

/** What takes the whole width, in the unit of the tree, from the left edge of the root. */
export interface Sight {
  left: number
  span: number
}

/** What of the tree is drawn: a stretch of it, as wide as the canvas, scrolled to some rows. */
export interface Viewport extends Sight {
  widthPx: number
  firstRow: number
  /** Not included. */
  endRow: number
  /** Frames narrower than this are drawn together: 1 pixel, unless it says more. */
  grainPx?: number
}

/** A rectangle: one node, or several of a row that are too narrow to be seen each by itself. */
export interface Frame {
  node: number
  /** After the last node in it. */
  endNode: number
  row: number
  leftPx: number
  widthPx: number
}

/** What is narrower than this even together with those beside it is not drawn. */
const narrowestPx = 0.4
/** Positions are doubles: what is more than this many times smaller than the root has no certain place. */
const closest = 2 ** 40

/** A node and all that is below it. */
export function sightOf(tree: FlameTree, node: number): Sight {
  return { left: at(tree.start, node), span: at(tree.total, node) }
}

/** The sight that is nearest to what is asked for, and shows nothing beside the root. */
export function within(tree: FlameTree, { left, span }: Sight): Sight {
  const whole = at(tree.total, 0)
  const possible = Math.min(whole, Math.max(span, whole / closest))
  return { left: Math.min(Math.max(0, left), whole - possible), span: possible }
}

/** Narrower by a factor, or wider when it is below 1, around a place: from 0, the left edge, to 1. */
export function zoomedBy(tree: FlameTree, { left, span }: Sight, factor: number, place: number): Sight {
  const next = within(tree, { left, span: span / factor })
  return within(tree, { left: left + place * (span - next.span), span: next.span })
}

/** The innermost caller of a node, or the node, that takes all of the width. */
export function outermostIn(tree: FlameTree, node: number, { left, span }: Sight): number {
  let step = node
  // What is lost by rounding is no reason to go up.
  const slack = span * 1e-9
  while (step > 0) {
    const start = at(tree.start, step)
    if (start <= left + slack && start + at(tree.total, step) >= left + span - slack) return step
    step = at(tree.parent, step)
  }
  return 0
}

/** The frames in sight, row by row from left to right. What takes more than the whole width is cut to it. */
export function framesInSight(tree: FlameTree, viewport: Viewport): Frame[] {
  const { left, span, widthPx, grainPx = 1 } = viewport
  const { start, total } = tree
  const scale = widthPx / span
  const frames: Frame[] = []
  for (let row = viewport.firstRow; row < Math.min(viewport.endRow, rowCount(tree)); row++) {
    const end = at(tree.rowStarts, row + 1)
    for (let node = firstInSight(tree, row, left); node < end;) {
      const leftPx = (at(start, node) - left) * scale
      if (leftPx >= widthPx) break
      const rightPx = leftPx + at(total, node) * scale
      if (rightPx - leftPx >= grainPx) {
        const fromPx = Math.max(0, leftPx)
        frames.push({
          node,
          endNode: node + 1,
          row,
          leftPx: fromPx,
          widthPx: Math.min(rightPx, widthPx) - fromPx,
        })
        node++
        continue
      }
      const grainEndPx = (Math.floor(leftPx / grainPx) + 1) * grainPx
      const next = narrowEnd(tree, node, end, left + grainEndPx / scale, grainPx / scale)
      const width = (at(start, next - 1) + at(total, next - 1) - left) * scale - leftPx
      if (width >= narrowestPx) frames.push({ node, endNode: next, row, leftPx, widthPx: width })
      node = next
    }
  }
  return frames
}

/** The node under a point of the drawing, whose top is the root's row; undefined where nothing is. */
export function nodeAt(
  tree: FlameTree,
  { left, span, widthPx }: Sight & { widthPx: number },
  row: number,
  xPx: number,
): number | undefined {
  if (xPx < 0 || xPx >= widthPx || row < 0 || row >= rowCount(tree)) return undefined
  const value = left + (xPx / widthPx) * span
  const node = firstInSight(tree, row, value)
  return node < at(tree.rowStarts, row + 1) && at(tree.start, node) <= value ? node : undefined
}

/** Whether some of a node is in sight, when all rows are. */
export function isInSight(tree: FlameTree, { left, span }: Sight, node: number): boolean {
  const start = at(tree.start, node)
  return start < left + span && start + at(tree.total, node) > left
}

/** The nodes of a row that begin in a stretch, as a range of numbers: the row of what is below a node. */
export function beginningIn(
  tree: FlameTree,
  row: number,
  { left, span }: Sight,
): [from: number, end: number] {
  const [from, end] = [at(tree.rowStarts, row), at(tree.rowStarts, row + 1)]
  const first = partition(from, end, (node) => at(tree.start, node) < left)
  return [first, partition(first, end, (node) => at(tree.start, node) < left + span)]
}

/** The first node of a row that ends behind a value. */
function firstInSight(tree: FlameTree, row: number, value: number): number {
  return partition(
    at(tree.rowStarts, row),
    at(tree.rowStarts, row + 1),
    (node) => at(tree.start, node) + at(tree.total, node) <= value,
  )
}

/**
 * After the last node that begins in the same grain as this narrow one, and before the first that is not narrow. Of nodes
 * that begin in one, only the last can be as wide as that.
 */
function narrowEnd(tree: FlameTree, node: number, end: number, grainEnd: number, narrow: number): number {
  // They are mostly few: in steps that double, then between the last two.
  let step = 1
  while (node + step < end && at(tree.start, node + step) < grainEnd) step *= 2
  const next = partition(
    node + Math.max(1, step >> 1),
    Math.min(end, node + step),
    (candidate) => at(tree.start, candidate) < grainEnd,
  )
  return next - 1 > node && at(tree.total, next - 1) >= narrow ? next - 1 : next
}

/** The first of a range of numbers that does not fulfil a condition, which those before it do. */
function partition(from: number, end: number, isBefore: (node: number) => boolean): number {
  let [low, high] = [from, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
