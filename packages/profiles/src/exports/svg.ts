import {
  sampleTypeOf,
  selfValuesOf,
  subtreeEnds,
  totalValues,
  type CallTreeNodes,
  type FunctionTable,
  type Profile,
} from '../profile.ts'
import { largestNodes } from '../questions/call-tree.ts'
import { formatPercent, formatValue, percentOf } from '../questions/format-value.ts'
import { functionOrigin } from '../questions/function-origin.ts'
import { ByteWriter } from './byte-writer.ts'
import { colorRules, differenceClass, originClass } from './svg-colors.ts'
import { svgScript } from './svg-script.ts'

/** As wide as it is where nothing says how wide it shall be. */
const widthPx = 1200
const rowPx = 18
/** Title, facts, search, and what the pointer is at. */
const headPx = 112
const footPx = 28
/** Frames that are narrower are left out. */
const narrowestPx = 0.1
/** Browsers are slow with more boxes than this. */
const mostFrames = 50_000
const characterPx = 7.25
const font = `ui-monospace,'SF Mono',Menlo,Consolas,'Liberation Mono',monospace`

/** A call tree to be drawn; nodes as in `Profile.nodes`. */
export interface DrawnTree {
  functions: FunctionTable
  nodes: Pick<CallTreeNodes, 'parents' | 'functionIndexes'>
  /** Of each node, with what it called. */
  self: Float64Array
  totals: Float64Array
  /** With these the colours are those of a difference, and a box is as wide as both sides together. */
  before?: { self: Float64Array; totals: Float64Array }
  unit: string
}

/** A value of a profile as an SVG picture, as `drawFlameGraph` draws it. */
export function exportSvg(
  profile: Profile,
  options: { name: string; sampleTypeIndex?: number },
): { bytes: Uint8Array; notes: string[] } {
  const { type, unit } = sampleTypeOf(profile, options.sampleTypeIndex)
  const self = selfValuesOf(profile, options.sampleTypeIndex)
  const totals = totalValues(profile.nodes.parents, self)
  const { functions, nodes } = profile
  return drawFlameGraph(
    { functions, nodes, self, totals, unit },
    { title: options.name, facts: [type, `${formatValue(totals[0]!, unit)} in all`, profile.format] },
  )
}

/**
 * A flame graph that can be read alone, in a browser or any program that shows SVG: callers above, what they call below,
 * the largest first. A click zooms; `/` searches and tells the share of what is found; the keyboard goes everywhere. Colours
 * tell where a function comes from, or, with `before`, what became more (red) and less (blue), on light and dark pages.
 *
 * Nothing is fetched, and names are only ever text. Without its script it is a plain picture with tooltips.
 */
export function drawFlameGraph(
  tree: DrawnTree,
  { title, facts }: { title: string; facts: readonly string[] },
): { bytes: Uint8Array; notes: string[] } {
  const { parents } = tree.nodes
  const widths =
    tree.before === undefined
      ? tree.totals
      : tree.totals.map((value, node) => Math.max(0, value) + Math.max(0, tree.before!.totals[node]!))
  const whole = widths[0]!
  const { isKept, keptCount, visibleCount } = largestNodes(
    { parents, totals: widths },
    { maxNodes: mostFrames, minTotal: (whole * narrowestPx) / widthPx },
  )
  const frames = whole > 0 ? placeFrames(tree, widths, isKept) : []
  const rows = frames.reduce((most, { row }) => Math.max(most, row + 1), 0)
  const words = new FrameWords(tree)
  const classes = new Set(frames.map(({ node }) => words.classOf(node)))
  const omitted = visibleCount - keptCount
  const note =
    omitted === 0
      ? ''
      : `${omitted.toLocaleString('en')} frames are left out, because they are narrower than ${narrowestPx} px${keptCount === mostFrames ? `, or more than ${mostFrames.toLocaleString('en')}` : ''}.`
  const heightPx = headPx + rows * rowPx + footPx
  const legend = tree.before === undefined ? [] : ['red: more than before', 'blue: less']

  const out = new ByteWriter()
  out.text(`<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" font-family="${font}" font-size="12">
<title>${escaped(title)}</title>
<style>${styleSheet(classes)}</style>
<rect class="page" width="100%" height="100%"/>
<text class="title" x="10" y="24">${escaped(title)}</text>
<text class="quiet-text" x="10" y="42">${escaped([...facts, ...legend].join(' · '))}</text>
<text class="details" x="10" y="100"></text>
`)
  for (const { node, row, x, width } of frames) {
    const label = fitted(words.nameOf(node), Math.floor((width * widthPx - 6) / characterPx))
    out.text(
      `<svg class="f ${words.classOf(node)}" data-row="${row}" x="${percent(x)}" y="${headPx + row * rowPx}" width="${percent(width)}" height="${rowPx}">` +
        `<title>${escaped(words.tooltip(node))}</title><rect width="100%" height="${rowPx - 1}" rx="1"/>` +
        `${label === '' ? '' : `<text x="4" y="13">${escaped(label)}</text>`}</svg>\n`,
    )
  }
  if (frames.length === 0)
    out.text(`<text x="10" y="${headPx + 12}">There is nothing of this to show.</text>\n`)
  out.text(`<text class="quiet-text" x="10" y="${heightPx - 10}">${escaped(note)}</text>\n`)
  if (frames.length > 0) out.text(`<script><![CDATA[${svgScript}]]></script>\n`)
  out.text('</svg>\n')
  return { bytes: out.finish(), notes: note === '' ? [] : [note] }
}

/** A box: `x` and `width` are shares of the whole. */
interface Frame {
  node: number
  row: number
  x: number
  width: number
}

/** The kept nodes in depth-first order, the widest of siblings first, from the left edge of their parent. */
function placeFrames({ nodes: { parents } }: DrawnTree, widths: Float64Array, isKept: Uint8Array): Frame[] {
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
class FrameWords {
  private readonly tree: DrawnTree
  private readonly origins: (string | undefined)[] = []

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
    return this.isWhole(node) ? 'same' : originClass(this.nameOf(node), this.originOf(node))
  }

  /** The name on the first line, then what else is known. */
  tooltip(node: number): string {
    const { functions, nodes, self, totals, before } = this.tree
    const index = nodes.functionIndexes[node]!
    const file = functions.files[index] ?? ''
    const line = functions.startLines[index] ?? 0
    const lines = [
      this.nameOf(node).replaceAll('\n', ' '),
      ...(this.isWhole(node) ? [] : [this.originOf(node)]),
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

  private originOf(node: number): string {
    const { functions, nodes } = this.tree
    const index = nodes.functionIndexes[node]!
    return (this.origins[index] ??= functionOrigin(
      functions.names[index]!,
      functions.files[index]!,
      functions.originRules,
    ))
  }
}

function styleSheet(classes: ReadonlySet<string>): string {
  return [
    ':root{color-scheme:light dark;background:#fdfcfa}',
    '.page{fill:#fdfcfa}text{fill:#1d1b18}.title{font-size:16px;font-weight:600}.quiet-text{fill:#57524a}',
    'svg.f{cursor:pointer;overflow:hidden}.f>text{pointer-events:none}.f:hover>rect,.caller>rect{opacity:.7}',
    '.quiet>rect{fill:#e2ddd5!important}.quiet>text{fill:#57524a}',
    '.current>rect{stroke:#1d1b18;stroke-width:3}',
    'input,button,output{font:inherit;margin-right:10px}input{width:230px}',
    'div{color:#1d1b18}',
    colorRules(classes, false),
    '@media (prefers-color-scheme:dark){',
    ':root{background:#1b1917}.page{fill:#1b1917}text,div{fill:#f7f4ef;color:#f7f4ef}.quiet-text{fill:#c5beb3}',
    '.quiet>rect{fill:#35322e!important}.quiet>text{fill:#c5beb3}.current>rect{stroke:#fff}',
    colorRules(classes, true),
    '}',
  ].join('')
}

/** As the web pages do it: all of it, else the part after its package path, else its beginning. */
function fitted(name: string, room: number): string {
  if (name.length <= room) return name
  if (room < 3) return ''
  const short = name.slice(name.lastIndexOf('/') + 1) || name
  return short.length <= room ? short : `${short.slice(0, room - 1)}…`
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(5))}%`
}

/** Without what XML 1.0 has no way to write: https://www.w3.org/TR/xml/#charsets */
function printable(text: string): string {
  return text.toWellFormed().replaceAll(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return printable(text).replaceAll(/[&<>"]/g, (character) => names[character]!)
}
