import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { asList, asObject, asText, type JsonObject } from '../../json/json-values.ts'
import { SourceError } from '../importer.ts'

/** An element of XML: its text is that of itself, without its children's. */
export interface XmlNode {
  tag: string
  attributes: ReadonlyMap<string, string>
  children: XmlNode[]
  text: string
}

/** Most tags that are read: beyond it the tree would not fit into memory. */
const tagsMax = 2_000_000
const depthMax = 250

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  cdataPropName: '#cdata',
  parseTagValue: false,
  trimValues: false,
  // Characters are decoded here: the five names of XML, and numbers. There are no others without a DTD.
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: depthMax,
})

/**
 * Reads XML without document type declarations, so that nothing in it can be expanded or fetched. Throws a SourceError with
 * the line of what is wrong.
 */
export function readXml(text: string): XmlNode {
  refuseDeclarations(text)
  const validity = XMLValidator.validate(text)
  if (validity !== true) {
    const { msg, line, col } = validity.err
    // It may quote a name as long as the source.
    throw new SourceError(
      `It is no well-formed XML: ${msg.slice(0, 200)}`,
      `line ${line}, column ${col ?? 1}`,
    )
  }
  const roots = parse(text).filter((item) => tagOf(item) !== undefined)
  if (roots.length !== 1) throw new SourceError('It is no XML document with one root element.')
  return toNode(roots[0]!)
}

function refuseDeclarations(text: string): void {
  let tags = 0
  for (const { 0: found, index } of text.matchAll(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<!|</g)) {
    if (found === '<!') {
      const line = text.slice(0, index).split('\n').length
      throw new SourceError('XML with a document type declaration (<!DOCTYPE) is not read.', `line ${line}`)
    }
    if (found === '<' && ++tags > tagsMax)
      throw new SourceError(`It has more than ${tagsMax / 2} elements, the most that is read.`)
  }
}

function parse(text: string): JsonObject[] {
  try {
    const items: unknown = parser.parse(text)
    return asList(items).map(asObject)
  } catch (cause) {
    const isDeep = cause instanceof Error && cause.message.includes('nested')
    throw new SourceError(
      isDeep
        ? `Its elements are inside one another more than ${depthMax} times.`
        : 'It is XML with names that cannot be read.',
    )
  }
}

function tagOf(item: JsonObject): string | undefined {
  return Object.keys(item).find((key) => key !== ':@' && !key.startsWith('#') && !key.startsWith('?'))
}

function toNode(item: JsonObject): XmlNode {
  const tag = tagOf(item) ?? ''
  const node: XmlNode = { tag, attributes: attributesOf(item), children: [], text: '' }
  for (const child of asList(item[tag]).map(asObject)) {
    node.text += decodeCharacters(asText(child['#text']))
    // A section of CDATA is as it is written.
    for (const part of asList(child['#cdata'])) node.text += asText(asObject(part)['#text'])
    if (tagOf(child) !== undefined) node.children.push(toNode(child))
  }
  return node
}

function attributesOf(item: JsonObject): ReadonlyMap<string, string> {
  const attributes = Object.entries(asObject(item[':@']))
  return new Map(attributes.map(([name, value]) => [name, decodeCharacters(asText(value))]))
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decodeCharacters(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]\w*));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) {
      const character = named[name]
      if (character === undefined)
        throw new SourceError(`${all} is no character that XML without a DTD knows.`)
      return character
    }
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    if (code > 0x10ffff) throw new SourceError(`${all} is no character.`)
    return String.fromCodePoint(code)
  })
}
