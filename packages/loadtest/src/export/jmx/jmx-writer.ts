/** An element of XML as it is written: children, or a text. */
export interface XmlElement {
  tag: string
  attributes: readonly (readonly [name: string, value: string])[]
  content: readonly XmlElement[] | string
}

export function writeXml(root: XmlElement): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>']
  write(root, '', lines)
  return `${lines.join('\n')}\n`
}

function write({ tag, attributes, content }: XmlElement, indent: string, lines: string[]): void {
  const opening = [tag, ...attributes.map(([name, value]) => `${name}="${escapeAttribute(value)}"`)].join(' ')
  if (typeof content === 'string') lines.push(`${indent}<${opening}>${escapeText(content)}</${tag}>`)
  else if (content.length === 0) lines.push(`${indent}<${opening}/>`)
  else {
    lines.push(`${indent}<${opening}>`)
    for (const child of content) write(child, `${indent}  `, lines)
    lines.push(`${indent}</${tag}>`)
  }
}

const names: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' }

/** XML has no place for most control characters, nor for halves of characters. */
const unwritable = /[^\P{Cc}\t\n\r\x7f-\x9f]|[\ufffe\uffff]/gu

function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(unwritable, '\ufffd')
    .replaceAll(/[<>&"]/g, (character) => names[character]!)
    .replaceAll('\r', '&#xd;')
}

function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('\n', '&#xa;').replaceAll('\t', '&#x9;')
}

/** A property of an element of JMeter. */
export function property(
  kind: 'string' | 'bool' | 'int' | 'long',
  name: string,
  value: string | number | boolean,
): XmlElement {
  return { tag: `${kind}Prop`, attributes: [['name', name]], content: String(value) }
}

export function fraction(name: string, value: number): XmlElement {
  return {
    tag: 'doubleProp',
    attributes: [],
    content: [
      { tag: 'name', attributes: [], content: name },
      { tag: 'value', attributes: [], content: String(value) },
      { tag: 'savedValue', attributes: [], content: '0.0' },
    ],
  }
}

export function collection(name: string, items: readonly XmlElement[]): XmlElement {
  return { tag: 'collectionProp', attributes: [['name', name]], content: items }
}

export function item(name: string, elementType: string, properties: readonly XmlElement[]): XmlElement {
  return {
    tag: 'elementProp',
    attributes: [
      ['name', name],
      ['elementType', elementType],
    ],
    content: properties,
  }
}

/** An element of a test plan, and the hashTree with those below it. */
export interface TestElement {
  type: string
  guiClass: string
  name: string
  isEnabled: boolean
  comment: string
  properties: readonly XmlElement[]
  below: readonly TestElement[]
}

export function testElement(
  type: string,
  guiClass: string,
  name: string,
  properties: readonly XmlElement[],
  below: readonly TestElement[] = [],
): TestElement {
  return { type, guiClass, name, isEnabled: true, comment: '', properties, below }
}

export function hashTree(elements: readonly TestElement[]): XmlElement {
  const content = elements.flatMap(({ type, guiClass, name, isEnabled, comment, properties, below }) => [
    {
      tag: type,
      attributes: [
        ['guiclass', guiClass],
        ['testclass', type],
        ['testname', name],
        ['enabled', String(isEnabled)],
      ] as const,
      content: [...(comment === '' ? [] : [property('string', 'TestPlan.comments', comment)]), ...properties],
    },
    hashTree(below),
  ])
  return { tag: 'hashTree', attributes: [], content }
}
