/** An opening tag of HTML. */
export interface HtmlTag {
  /** Lower case. */
  name: string
  /** Names in lower case, values decoded. */
  attributes: ReadonlyMap<string, string>
  /** Where it begins and ends in the text. */
  start: number
  end: number
}

/** Tags that carry values which are sent later. */
const carriers = new Set([
  'input',
  'meta',
  'form',
  'a',
  'button',
  'body',
  'html',
  'div',
  'option',
  'iframe',
  'param',
])

/**
 * The opening tags of a page that may carry values, in their order. It is no parser: it knows comments and scripts, in which it
 * sees no tags, and takes time that grows with the length of the text only.
 */
export function* tagsOf(html: string): Generator<HtmlTag> {
  let at = 0
  for (;;) {
    const start = html.indexOf('<', at)
    if (start < 0) return
    if (html.startsWith('<!--', start)) {
      at = html.indexOf('-->', start)
      if (at < 0) return
      continue
    }
    const end = html.indexOf('>', start)
    if (end < 0) return
    at = end + 1
    const name = /^[a-z][a-z0-9-]*/i.exec(html.slice(start + 1, start + 31))?.[0].toLowerCase()
    if (name === 'script' || name === 'style' || name === 'textarea') {
      at = html.indexOf(`</${name}`, end)
      if (at < 0) return
    } else if (name !== undefined && carriers.has(name))
      yield { name, attributes: attributesOf(html.slice(start + 1 + name.length, end)), start, end: end + 1 }
  }
}

const attribute = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', double, single, bare] of text.matchAll(attribute)) {
    if (!attributes.has(name.toLowerCase()))
      attributes.set(name.toLowerCase(), decodeEntities(double ?? single ?? bare ?? ''))
  }
  return attributes
}

const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Reads the character references of HTML that pages escape values by. */
export function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/gi,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return names[name.toLowerCase()] ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0x10_ff_ff ? whole : String.fromCodePoint(code)
    },
  )
}
