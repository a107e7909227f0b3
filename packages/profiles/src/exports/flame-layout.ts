import { subtreeEnds } from '../profile.ts'
import { largestNodes } from '../questions/call-tree.ts'
import { formatPercent, formatValue, percentOf } from '../questions/format-value.ts'
import type { DrawnTree } from './drawn-tree.ts'
import { differenceClass, nameClass, originClass } from './flame-colors.ts'

/** More boxes than this nobody sees, and browsers are slow with them. */
const mostFrames = 50_000

/** A box: `x` and `width` are shares of the whole. Row 0 is the root. */
export interface Frame {
  node: number
  row: number
  x: number
  width: number
}

/** Frames in depth-first order, and what is to be said of those that are left out. */
export interface FlameLayout {
  frames: Frame[]
  rowCount: number
  note: string | undefined
}

/**
 * Where the boxes of a tree are: the widest of siblings first, from the left edge of their parent. Those that are narrower
 * than `narrowestPx` of `widthPx`, or in more than `mostRows` rows, are left out.
 */
export function layOutFrames(
  tree: DrawnTree,
  { widthPx, narrowestPx, mostRows }: { widthPx: number; narrowestPx: number; mostRows?: number },
): FlameLayout {
  const { parents } = tree.nodes
  const widths =
    tree.before === undefined
      ? tree.totals
      : tree.totals.map((value, node) => Math.max(0, value) + Math.max(0, tree.before!.totals[node]!))
  const whole = widths[0]!
  const { isKept, keptCount, visibleCount } = largestNodes(
    { parents, totals: widths },
    {
      maxNodes: mostFrames,
      minTotal: (whole * narrowestPx) / widthPx,
      ...(mostRows === undefined ? {} : { maxDepth: mostRows - 1 }),
    },
  )
  const frames = whole > 0 ? placeFrames(parents, widths, isKept) : []
  const reasons = [
    `narrower than ${narrowestPx} px`,
    ...(mostRows === undefined ? [] : [`deeper than ${mostRows} rows`]),
    ...(keptCount === mostFrames ? [`more than ${mostFrames.toLocaleString('en')}`] : []),
  ]
  const omitted = visibleCount - keptCount
  return {
    frames,
    rowCount: frames.reduce((most, { row }) => Math.max(most, row + 1), 0),
    note:
      omitted === 0
        ? undefined
        : `${omitted.toLocaleString('en')} frames are left out, because they are ${reasons.join(', or ')}.`,
  }
}

function placeFrames(parents: Int32Array, widths: Float64Array, isKept: Uint8Array): Frame[] {
  const ends = subtreeEnds(parents)
  const whole = widths[0]!
  const frames: Frame[] = []
  const pending: Frame[] = [{ node: 0, row: 0, x: 0, width: 1 }]
  for (let frame = pending.pop(); frame !== undefined; frame = pending.pop()) {
    frames.push(frame)
    const { node, row } = frame
    const children: number[] = []
    for (let child = node + 1; child < ends[node]!; child = ends[child]!)
      if (isKept[child] === 1 && widths[child]! > 0) children.push(child)
    children.sort((a, b) => widths[b]! - widths[a]!)
    let { x } = frame
    const placed = children.map((child): Frame => {
      const place = { node: child, row: row + 1, x, width: widths[child]! / whole }
      x += place.width
      return place
    })
    // The last one pushed is the first one drawn.
    pending.push(...placed.toReversed())
  }
  return frames
}

/** What the boxes of a tree say, and how they look. */
export class FrameWords {
  private readonly tree: DrawnTree

  constructor(tree: DrawnTree) {
    this.tree = tree
  }

  nameOf(node: number): string {
    const { functions, nodes } = this.tree
    return printable(functions.names[nodes.functionIndexes[node]!] ?? 'all') || '(unknown)'
  }

  classOf(node: number): string {
    const { before, totals } = this.tree
    if (before !== undefined) return differenceClass(before.totals[node]!, totals[node]!)
    if (this.isWhole(node)) return 'same'
    const [name, origin] = [this.nameOf(node), this.originOf(node)]
    return origin === undefined ? nameClass(name) : originClass(name, origin)
  }

  /** The name on the first line, then what else is known. */
  tooltip(node: number): string {
    const { functions, nodes, self, totals, before } = this.tree
    const index = nodes.functionIndexes[node]!
    const file = functions.files[index] ?? ''
    const line = functions.startLines[index] ?? 0
    const origin = this.originOf(node)
    const lines = [
      this.nameOf(node).replaceAll('\n', ' '),
      ...(origin === undefined ? [] : [origin]),
      ...(file === '' ? [] : [printable(line === 0 ? file : `${file}:${line}`)]),
    ]
    if (before === undefined) lines.push(`${this.value(totals, node)}, self ${this.value(self, node)}`)
    else lines.push(`before ${this.value(before.totals, node)}, now ${this.value(totals, node)}`)
    return lines.join('\n')
  }

  private value(column: Float64Array, node: number): string {
    const whole = column === this.tree.before?.totals ? column[0]! : this.tree.totals[0]!
    return `${formatValue(column[node]!, this.tree.unit)} (${formatPercent(percentOf(column[node]!, whole))})`
  }

  private isWhole(node: number): boolean {
    return this.tree.nodes.functionIndexes[node] === -1
  }

  private originOf(node: number): string | undefined {
    return this.tree.origins?.[this.tree.nodes.functionIndexes[node]!]
  }
}

/** What of a name fits, as the web pages do it: all of it, else the part after its package path, else its beginning. */
export function fittedName(name: string, characters: number): string {
  if (name.length <= characters) return name
  if (characters < 3) return ''
  const short = name.slice(name.lastIndexOf('/') + 1).trimStart() || name
  return short.length <= characters ? short : `${short.slice(0, characters - 1)}…`
}

/** Without what XML 1.0 has no way to write: https://www.w3.org/TR/xml/#charsets */
export function printable(text: string): string {
  return text.toWellFormed().replaceAll(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
}
