import { changeColor, changeOf } from './change-colors.ts'
import { familyOf, frameColor, frameTextColor } from './colors.ts'
import { at, type FlameTree, isWhole, nodeLabel, rowCount } from './flame-tree.ts'
import { frameLabel } from './frame-label.ts'
import { hasMatch, type Matches } from './search.ts'
import { type Frame, framesInSight, type Viewport } from './viewport.ts'

export const rowHeightPx = 20
const gapPx = 1
const fontSizePx = 12
/** Narrower frames have the colour of their origin, so that those beside each other are drawn at once. */
const tellablePx = 4

/** While the drawing moves, half as many narrow frames are enough for the eye, and labels grow by so many characters. */
const movingGrainPx = 2
const movingRoom = 6

/** What the colour of a frame says: where its function comes from, how it changed, or only which one it is. */
export type ColorMeaning = 'origin' | 'change' | 'name'

/** What the drawing shows beside the frames themselves. */
export interface Highlights {
  /** The innermost node that was chosen; its callers are pale. */
  zoom: number
  /** Node under the pointer. */
  hovered: number | undefined
  /** Node that the keyboard is at; drawn with a ring. */
  focused: number | undefined
  /** What a search found; undefined when there is no search. */
  matches: Matches | undefined
}

/** Colours of the page that a canvas cannot inherit. */
export interface CanvasColors {
  isDark: boolean
  background: string
  /** Behind the root, and frames that a search did not find. */
  quiet: string
  quietText: string
  ring: string
  meaning: ColorMeaning
}

/** Where a row is in the whole drawing: the root's at the top, or at the bottom. */
export function rowTopPx(tree: FlameTree, row: number, isUpsideDown: boolean): number {
  return (isUpsideDown ? rowCount(tree) - 1 - row : row) * rowHeightPx
}

/** The row at a height of the whole drawing. */
export function rowAt(tree: FlameTree, topPx: number, isUpsideDown: boolean): number {
  const row = Math.floor(topPx / rowHeightPx)
  return isUpsideDown ? rowCount(tree) - 1 - row : row
}

/**
 * Draws the frames in sight. The context's origin is the canvas's left upper corner in CSS pixels; `scrollTopPx`
 * of the whole drawing lie above it. While it moves by itself, it is drawn
 * more coarsely: the page has other things to do when something was chosen.
 */
export function drawFrames(
  context: CanvasRenderingContext2D,
  tree: FlameTree,
  viewport: Viewport,
  scrollTopPx: number,
  highlights: Highlights,
  colors: CanvasColors,
  isUpsideDown: boolean,
  isMoving: boolean,
): void {
  context.font = `${fontSizePx}px ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace`
  context.textBaseline = 'middle'
  const characterPx = characterWidth(context)
  const fills = fillsOf(tree, colors)
  const zoomRow = at(tree.depth, highlights.zoom)
  const frames = framesInSight(tree, isMoving ? { ...viewport, grainPx: movingGrainPx } : viewport)
  const topOf = ({ row }: Frame) => rowTopPx(tree, row, isUpsideDown) - scrollTopPx

  for (let index = 0; index < frames.length; index++) {
    const frame = frames[index]!
    const { leftPx, row } = frame
    const fill = fills.of(frame, isQuiet(tree, frame, highlights.matches))
    let boxPx = Math.max(frame.widthPx - (frame.widthPx > 3 ? gapPx : 0), 0.5)
    if (isNarrow(frame)) {
      // Beside each other and of the same colour, what is too narrow to be told apart is one rectangle.
      for (let next = frames[index + 1]; next !== undefined; next = frames[index + 1]) {
        const isBeside = next.row === row && isNarrow(next) && next.leftPx <= leftPx + boxPx + 1
        if (!isBeside || fills.of(next, isQuiet(tree, next, highlights.matches)) !== fill) break
        boxPx = next.leftPx + next.widthPx - leftPx
        index++
      }
    }
    context.fillStyle = fill
    context.globalAlpha = frame.node === highlights.hovered ? 0.75 : row < zoomRow ? 0.6 : 1
    context.fillRect(leftPx, topOf(frame), boxPx, rowHeightPx - gapPx)
  }
  context.globalAlpha = 1

  let textFill = ''
  for (const frame of frames) {
    const exactRoom = Math.floor((frame.widthPx - gapPx - 6) / characterPx)
    const room = isMoving ? exactRoom - (exactRoom % movingRoom) : exactRoom
    if (room < 3) continue
    const fill = isQuiet(tree, frame, highlights.matches) ? colors.quietText : frameTextColor(colors.isDark)
    if (fill !== textFill) context.fillStyle = textFill = fill
    context.fillText(
      frameLabel(nodeLabel(tree, frame.node), room),
      frame.leftPx + 4,
      topOf(frame) + rowHeightPx / 2,
    )
  }

  const ringed = frames.find(({ node, endNode }) => node === highlights.focused && endNode === node + 1)
  if (ringed === undefined) return
  context.strokeStyle = colors.ring
  context.lineWidth = 2
  const insidePx = Math.max(ringed.widthPx - gapPx - 2, 1)
  context.strokeRect(ringed.leftPx + 1, topOf(ringed) + 1, insidePx, rowHeightPx - gapPx - 2)
}

function isNarrow({ widthPx, node, endNode }: Frame): boolean {
  return widthPx < tellablePx || endNode > node + 1
}

function isQuiet(tree: FlameTree, { node, endNode }: Frame, matches: Matches | undefined): boolean {
  return isWhole(tree, node) || (matches !== undefined && !hasMatch(matches, node, endNode))
}

const characterWidths = new Map<string, number>()

/** All characters are as wide as each other, so that one is measured for all labels. */
function characterWidth(context: CanvasRenderingContext2D): number {
  const known = characterWidths.get(context.font)
  if (known !== undefined) return known
  const width = context.measureText('m').width
  characterWidths.set(context.font, width)
  return width
}

/** Colours of a tree, each made when it is first needed; looked up by number, since there are thousands in a drawing. */
class Fills {
  readonly #tree: FlameTree
  readonly colors: CanvasColors
  /** By function. */
  readonly #wide: string[] = []
  readonly #narrow: string[] = []

  constructor(tree: FlameTree, colors: CanvasColors) {
    this.#tree = tree
    this.colors = colors
  }

  of(frame: Frame, isQuietFrame: boolean): string {
    const { isDark, quiet, meaning } = this.colors
    if (isQuietFrame) return quiet
    const { sides, functionOf } = this.#tree
    if (sides !== undefined && meaning === 'change') {
      return changeColor(changeOf(at(sides.baseTotal, frame.node), at(sides.headTotal, frame.node)), isDark)
    }
    const index = at(functionOf, frame.node)
    return isNarrow(frame)
      ? (this.#narrow[index] ??= this.#colorOf(index, true))
      : (this.#wide[index] ??= this.#colorOf(index, false))
  }

  #colorOf(index: number, isNarrowFrame: boolean): string {
    const { isDark, meaning } = this.colors
    const { name, origin } = this.#tree.functions[index] ?? { name: 'all', origin: 'Unknown' }
    return isNarrowFrame
      ? frameColor('', familyOf(origin), isDark)
      : frameColor(name, meaning === 'name' ? 'any' : familyOf(origin), isDark)
  }
}

const fillsByTree = new WeakMap<FlameTree, Fills>()

function fillsOf(tree: FlameTree, colors: CanvasColors): Fills {
  const known = fillsByTree.get(tree)
  if (known?.colors === colors) return known
  const fills = new Fills(tree, colors)
  fillsByTree.set(tree, fills)
  return fills
}
