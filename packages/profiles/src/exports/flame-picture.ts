import type { FlameDrawing } from './drawn-tree.ts'
import { colorOf, legendOf } from './flame-colors.ts'
import { fittedName, FrameWords, layOutFrames, printable } from './flame-layout.ts'

/** What to paint, in this order, in whole pixels of one size: nothing that a painter would have to decide. */
export interface Picture {
  widthPx: number
  heightPx: number
  /** Colours are `#rrggbb`. */
  background: string
  boxes: { x: number; y: number; width: number; height: number; color: string }[]
  /** From `x` on, upon the line `y`, in the monospaced font that `characterShare` and `drawable` are about. */
  texts: { x: number; y: number; text: string; sizePx: number; isBold: boolean; color: string }[]
}

/** Makes a PNG file of a picture. */
export type PaintPng = (picture: Picture) => Uint8Array

/** Limits of a picture's width. */
export const pictureWidthPx = { least: 400, default: 1600, most: 4000 } as const
const rowPx = 18
/** 4,000 pixels wide, this many rows are 120 MB while they are painted. */
const mostRows = 400
/** In a picture nobody zooms. */
const narrowestPx = 0.5
const edgePx = 10
const footPx = 28
const textPx = 12
const titlePx = 16

/** Every character of Roboto Mono is as wide as this share of its size. */
const characterShare = 0.6001
/** Roboto Mono has Latin, Greek and Cyrillic letters; what else is asked of it, it draws as nothing at all. */
const undrawable =
  /[^ -~\u00a0-\u00ac\u00ae-\u017f\u0386-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u0482\u048a-\u0513\u1ea0-\u1ef9\u2013-\u2015\u2017-\u201e\u2020-\u2022\u2025\u2026\u20ac\u2122\u2212\u2264\u2265\ufffd]/gu

const page = '#fdfcfa'
const ink = '#1d1b18'
const quietInk = '#57524a'

/**
 * A flame graph as a picture of nothing but boxes and text, on light ground: callers above, what they call below, the widest
 * first, with a title and what the colours mean. As tall as its rows need, of which there are 400 at most.
 */
export function pictureOf(
  { tree, title, facts }: FlameDrawing,
  widthPx: number,
): { picture: Picture; notes: string[] } {
  const { frames, rowCount, note } = layOutFrames(tree, { widthPx, narrowestPx, mostRows })
  const words = new FrameWords(tree)
  const boxes: Picture['boxes'] = []
  const texts: Picture['texts'] = []
  let hasUndrawable = false

  function write(x: number, y: number, text: string, style: Partial<Picture['texts'][number]> = {}) {
    const drawn = printable(text).replaceAll(undrawable, '\ufffd')
    hasUndrawable ||= drawn !== text
    texts.push({ x, y, text: drawn, sizePx: textPx, isBold: false, color: ink, ...style })
  }
  const roomPx = widthPx - 2 * edgePx

  write(edgePx, 26, beginningOf(title, charactersIn(roomPx, titlePx)), { sizePx: titlePx, isBold: true })
  write(edgePx, 46, beginningOf(facts.join(' · '), charactersIn(roomPx)), { color: quietInk })

  const classes = new Set(frames.map(({ node }) => words.classOf(node)))
  let [x, y] = [edgePx, 66]
  for (const { label, example } of legendOf(classes)) {
    const takesPx = 18 + label.length * textPx * characterShare + 18
    if (x > edgePx && x + takesPx > widthPx) [x, y] = [edgePx, y + rowPx]
    boxes.push({ x, y: y - 10, width: 12, height: 12, color: colorOf(example) })
    write(x + 18, y, label, { color: quietInk })
    x += takesPx
  }

  const topPx = y + 16
  for (const frame of frames) {
    const [left, width, top] = [frame.x * widthPx, frame.width * widthPx, topPx + frame.row * rowPx]
    // Neighbours stand apart, if that leaves something of them.
    const gap = width > 3 ? 1 : 0
    const color = colorOf(words.classOf(frame.node))
    boxes.push({ x: left, y: top, width: width - gap, height: rowPx - 1, color })
    const label = fittedName(words.nameOf(frame.node), charactersIn(width - 8))
    if (label !== '') write(left + 4, top + 13, label)
  }
  const bottomPx = topPx + Math.max(1, rowCount) * rowPx
  if (frames.length === 0) write(edgePx, topPx + 13, 'There is nothing of this to show.')
  if (note !== undefined)
    write(edgePx, bottomPx + 17, beginningOf(note, charactersIn(roomPx)), { color: quietInk })
  const letters = 'The picture’s font has Latin, Greek and Cyrillic letters: others are drawn as \ufffd.'
  return {
    picture: { widthPx, heightPx: bottomPx + footPx, background: page, boxes, texts },
    notes: [...(note === undefined ? [] : [note]), ...(hasUndrawable ? [letters] : [])],
  }
}

function charactersIn(px: number, sizePx = textPx): number {
  return Math.floor(px / (sizePx * characterShare))
}

function beginningOf(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1)}…`
}
