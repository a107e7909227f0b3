import { SourceError } from '../import/importer.ts'
import { textPieces } from './text-lines.ts'

/** Longest tag, and longest text of an element that is kept, in characters. */
const tagMax = 1_000_000
const textMax = 20_000

export interface XmlEvents {
  open: (tag: string, attributes: ReadonlyMap<string, string>) => void
  /** With the text that is in the element itself, or its beginning. */
  close: (tag: string, text: string) => void
}

/** Kinds of markup that hold no element, with how they end. */
const skipped: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<?', '?>'],
]
const cdata = '<![CDATA['

/**
 * Goes through XML as it comes, and holds no more of it than one tag: without document type declarations, and as its writer left
 * it, so a file that is cut off gives what was complete.
 */
export async function readXmlTags(content: AsyncIterable<Uint8Array>, events: XmlEvents): Promise<void> {
  const scanner = new Scanner(events)
  for await (const piece of textPieces(content)) scanner.feed(piece)
}

class Scanner {
  readonly #events: XmlEvents
  #rest = ''
  /** Characters before those that are left. */
  #before = 0
  /** Text of the element whose tag came last. */
  #text = ''

  constructor(events: XmlEvents) {
    this.#events = events
  }

  feed(piece: string): void {
    const text = this.#rest + piece
    let at = 0
    for (;;) {
      const start = text.indexOf('<', at)
      if (start < 0) {
        this.#keep(text.slice(at))
        at = text.length
        break
      }
      if (start > at) this.#keep(text.slice(at, start))
      const end = this.#markup(text, start)
      if (end < 0) {
        at = start
        break
      }
      at = end
    }
    this.#before += at
    this.#rest = text.slice(at)
    if (this.#rest.length > tagMax)
      throw new SourceError(`A tag is longer than ${tagMax / 1e6} MB.`, `character ${this.#before}`)
  }

  /** Where the markup that begins here ends; -1 when it is not all there yet. */
  #markup(text: string, start: number): number {
    // Not enough to tell what it is.
    if (text.length - start < cdata.length && !text.includes('>', start)) return -1
    for (const [opening, closing] of skipped)
      if (text.startsWith(opening, start)) return endOf(text, closing, start + opening.length)
    if (text.startsWith(cdata, start)) {
      const end = endOf(text, ']]>', start + cdata.length)
      if (end >= 0) this.#keepPlain(text.slice(start + cdata.length, end - 3))
      return end
    }
    if (text.startsWith('<!', start))
      throw new SourceError(
        'XML with a document type declaration (<!DOCTYPE) is not read.',
        `character ${this.#before + start}`,
      )
    const end = endOfTag(text, start + 1)
    if (end < 0) return -1
    this.#tag(text.slice(start + 1, end), start)
    return end + 1
  }

  #tag(inside: string, start: number): void {
    if (inside.startsWith('/')) {
      this.#events.close(inside.slice(1).trim(), this.#text.trim())
      this.#text = ''
      return
    }
    const isEmpty = inside.endsWith('/')
    const name = /^[^\s/]+/.exec(inside)?.[0]
    if (name === undefined)
      throw new SourceError('It is no well-formed XML.', `character ${this.#before + start}`)
    const attributes = new Map<string, string>()
    for (const [, key = '', quoted = ''] of inside.matchAll(/\s([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g))
      attributes.set(key, decoded(quoted.slice(1, -1)))
    this.#text = ''
    this.#events.open(name, attributes)
    if (isEmpty) this.#events.close(name, '')
  }

  #keep(text: string): void {
    if (this.#text.length < textMax) this.#keepPlain(decoded(text.slice(0, textMax)))
  }

  #keepPlain(text: string): void {
    if (this.#text.length < textMax) this.#text += text.slice(0, textMax)
  }
}

function endOf(text: string, closing: string, from: number): number {
  const at = text.indexOf(closing, from)
  return at < 0 ? -1 : at + closing.length
}

/** Place of the `>` that ends a tag: one in a value does not. */
function endOfTag(text: string, from: number): number {
  let at = from
  for (;;) {
    const end = text.indexOf('>', at)
    if (end < 0) return -1
    const quote = /["']/.exec(text.slice(at, end))
    if (quote === null) return end
    const closed = text.indexOf(quote[0], at + quote.index + 1)
    if (closed < 0) return -1
    at = closed + 1
  }
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** What is no character that XML knows stays as it is written. */
function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? all
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0x10ffff ? all : String.fromCodePoint(code)
  })
}
