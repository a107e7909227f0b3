import { ByteWriter } from './byte-writer.ts'
import type { FlameDrawing } from './drawn-tree.ts'
import { colorRules } from './flame-colors.ts'
import { fittedName, FrameWords, layOutFrames, printable } from './flame-layout.ts'
import { svgScript } from './svg-script.ts'

/** As wide as it is where nothing says how wide it shall be. */
const widthPx = 1200
const rowPx = 18
/** Title, facts, search, and what the pointer is at. */
const headPx = 112
const footPx = 28
/** In browsers one zooms. */
const narrowestPx = 0.1
const characterPx = 7.25
const font = `ui-monospace,'SF Mono',Menlo,Consolas,'Liberation Mono',monospace`

/**
 * A flame graph that can be read alone, in a browser or any program that shows SVG: callers above, what they call below,
 * the largest first. A click zooms; `/` searches and tells the share of what is found; the keyboard goes everywhere. Colours
 * tell where a function comes from, or which class objects are of, or, with `before`, what became more (red) and less (blue),
 * on light and dark pages.
 *
 * Nothing is fetched, and names are only ever text. Without its script it is a plain picture with tooltips.
 */
export function drawFlameGraph({ tree, title, facts }: FlameDrawing): {
  bytes: Uint8Array
  notes: string[]
} {
  const { frames, rowCount: rows, note } = layOutFrames(tree, { widthPx, narrowestPx })
  const words = new FrameWords(tree)
  const classes = new Set(frames.map(({ node }) => words.classOf(node)))
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
    const label = fittedName(words.nameOf(node), Math.floor((width * widthPx - 6) / characterPx))
    out.text(
      `<svg class="f ${words.classOf(node)}" data-row="${row}" x="${percent(x)}" y="${headPx + row * rowPx}" width="${percent(width)}" height="${rowPx}">` +
        `<title>${escaped(words.tooltip(node))}</title><rect width="100%" height="${rowPx - 1}" rx="1"/>` +
        `${label === '' ? '' : `<text x="4" y="13">${escaped(label)}</text>`}</svg>\n`,
    )
  }
  if (frames.length === 0)
    out.text(`<text x="10" y="${headPx + 12}">There is nothing of this to show.</text>\n`)
  out.text(`<text class="quiet-text" x="10" y="${heightPx - 10}">${escaped(note ?? '')}</text>\n`)
  if (frames.length > 0) out.text(`<script><![CDATA[${svgScript}]]></script>\n`)
  out.text('</svg>\n')
  return { bytes: out.finish(), notes: note === undefined ? [] : [note] }
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

function percent(share: number): string {
  return `${Number((share * 100).toFixed(5))}%`
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return printable(text).replaceAll(/[&<>"]/g, (character) => names[character]!)
}
