import { familyOf, frameColor, frameTextColor } from './colors.ts'
import { at, type FlameTree, isWhole, nodeLabel } from './flame-tree.ts'
import { frameLabel } from './frame-label.ts'
import { framesInSight, type Viewport } from './viewport.ts'

export const rowHeightPx = 20
const gapPx = 1
const fontSizePx = 12

/** What the drawing shows beside the frames themselves. */
export interface Highlights {
  /** Node under the pointer. */
  hovered: number | undefined
  /** Node that the keyboard is at; drawn with a ring. */
  focused: number | undefined
  /** Marks functions that a search found; undefined when there is no search. */
  matches: Uint8Array | undefined
}

/** Colours of the page that a canvas cannot inherit. */
export interface CanvasColors {
  isDark: boolean
  /** Behind callers of the zoomed node, and frames that a search did not find. */
  quiet: string
  quietText: string
  ring: string
}

/**
 * Draws the frames in sight. The context's origin is the canvas's left upper corner in CSS pixels; `scrollTopPx`
 * of the whole drawing lie above it.
 */
export function drawFrames(
  context: CanvasRenderingContext2D,
  tree: FlameTree,
  viewport: Viewport,
  scrollTopPx: number,
  highlights: Highlights,
  colors: CanvasColors,
): void {
  // One width for all characters, so that a label need not be measured.
  context.font = `${fontSizePx}px ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace`
  context.textBaseline = 'middle'
  const characterPx = context.measureText('m').width
  for (const { node, row, leftPx, widthPx } of framesInSight(tree, viewport)) {
    const topPx = row * rowHeightPx - scrollTopPx
    const boxPx = Math.max(widthPx - (widthPx > 3 ? gapPx : 0), 0.5)
    const isQuiet = isQuietFrame(tree, node, highlights.matches)
    context.fillStyle = isQuiet ? colors.quiet : fillOf(tree, node, colors.isDark)
    context.globalAlpha = node === highlights.hovered ? 0.75 : isCaller(tree, viewport.zoom, node) ? 0.6 : 1
    context.fillRect(leftPx, topPx, boxPx, rowHeightPx - gapPx)
    context.globalAlpha = 1
    const label = frameLabel(nodeLabel(tree, node), Math.floor((boxPx - 6) / characterPx))
    if (label !== '') {
      context.fillStyle = isQuiet ? colors.quietText : frameTextColor(colors.isDark)
      context.fillText(label, leftPx + 4, topPx + rowHeightPx / 2)
    }
    if (node === highlights.focused) {
      context.strokeStyle = colors.ring
      context.lineWidth = 2
      context.strokeRect(leftPx + 1, topPx + 1, Math.max(boxPx - 2, 1), rowHeightPx - gapPx - 2)
    }
  }
}

function isQuietFrame(tree: FlameTree, node: number, matches: Uint8Array | undefined): boolean {
  return isWhole(tree, node) || (matches !== undefined && at(matches, at(tree.functionOf, node)) === 0)
}

function isCaller(tree: FlameTree, zoom: number, node: number): boolean {
  return node !== zoom && at(tree.depth, node) < at(tree.depth, zoom)
}

function fillOf(tree: FlameTree, node: number, isDark: boolean): string {
  const { name, origin } = tree.functions[at(tree.functionOf, node)] ?? { name: 'all', origin: 'Unknown' }
  return frameColor(name, familyOf(origin), isDark)
}
