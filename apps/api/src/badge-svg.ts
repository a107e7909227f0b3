import type { Badge } from '@flamegate/operations'

/** Dark enough for white text at 4.5 to 1. */
const colors: Record<Badge['mood'], string> = { good: '#1a7f37', bad: '#b3261e', neutral: '#57606a' }

const height = 20
const padding = 6
const charactersMax = 60

/** A badge as an SVG picture: a label on grey and a message on the colour of its mood. */
export function badgeSvg({ label, message, mood }: Badge): string {
  const [left, right] = [shortened(label), shortened(message)]
  const [leftWidth, rightWidth] = [widthOf(left), widthOf(right)]
  const width = leftWidth + rightWidth
  const title = `${escaped(left)}: ${escaped(right)}`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img" aria-label="${title}">` +
    `<title>${title}</title>` +
    `<clipPath id="r"><rect width="${width}" height="${height}" rx="3"/></clipPath>` +
    `<g clip-path="url(#r)"><rect width="${leftWidth}" height="${height}" fill="#3d444d"/>` +
    `<rect x="${leftWidth}" width="${rightWidth}" height="${height}" fill="${colors[mood]}"/></g>` +
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">` +
    `${text(left, padding, leftWidth)}${text(right, leftWidth + padding, rightWidth)}</g></svg>\n`
  )
}

/** Fitted into its place, whatever font there is. */
function text(words: string, x: number, width: number): string {
  return `<text x="${x}" y="14" textLength="${width - 2 * padding}" lengthAdjust="spacingAndGlyphs">${escaped(words)}</text>`
}

/** About as wide as Verdana at 11 pixels. */
function widthOf(words: string): number {
  const pixels = Array.from(words).reduce((sum, each) => sum + (/[ijlIt.,:;' ]/.test(each) ? 4 : 7.2), 0)
  return Math.round(pixels) + 2 * padding
}

function shortened(words: string): string {
  const characters = Array.from(words)
  return characters.length > charactersMax ? `${characters.slice(0, charactersMax - 1).join('')}…` : words
}

/** Also without what XML has no place for. */
function escaped(words: string): string {
  return words
    .toWellFormed()
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
