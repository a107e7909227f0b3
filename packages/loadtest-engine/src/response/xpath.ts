import { createRequire } from 'node:module'
import { DOMImplementation, DOMParser } from '@xmldom/xmldom'
import type { Document as XmlDocument, Element as XmlElement, Node as XmlNode } from '@xmldom/xmldom'
import { isTag, isText } from 'domhandler'
import type { ChildNode } from 'domhandler'
import { ActionFailure, wordsOf } from '../action-failure.ts'
import type { Received } from './received.ts'

/** What this needs of the package, whose own types would bring those of a browser into every file. */
interface XPathPackage {
  parse: (expression: string) => {
    evaluate: (options: { node: XmlNode; namespaces: Record<string, string> }) => XPathValue
  }
}

interface XPathValue {
  toString: () => string
  booleanValue: () => boolean
  /** Of a set of nodes, in the order of the document. */
  toArray?: () => XmlNode[]
}

const { parse }: XPathPackage = createRequire(import.meta.url)('xpath')

/** Nodes of HTML that are looked at. */
const nodesMax = 500_000

/**
 * Compiles an expression of XPath 1.0, and gives what it finds: the text of each node, or the one value that it has. Prefixes mean
 * what the document says they mean; in HTML all names are in lower case and in no namespace. In a test, what is false is nothing.
 * @throws Error for what is no XPath
 */
export function compileXPath(expression: string, isTest = false): (received: Received) => string[] {
  const compiled = parse(expression)
  return (received) => {
    try {
      const node = received.isXml ? readXml(received.text) : readHtml(received)
      const result = compiled.evaluate({ node, namespaces: received.isXml ? namespacesOf(node) : {} })
      if (result.toArray !== undefined) return result.toArray().map(textOf)
      return isTest && !result.booleanValue() ? [] : [result.toString()]
    } catch (error) {
      if (error instanceof ActionFailure) throw error
      throw new ActionFailure(`the XPath could not be evaluated: ${wordsOf(error)}`, { cause: error })
    }
  }
}

function textOf(node: XmlNode): string {
  return node.nodeType === node.ATTRIBUTE_NODE ? (node.nodeValue ?? '') : (node.textContent ?? '')
}

function readXml(text: string): XmlDocument {
  let problem: string | undefined
  const onError = (level: string, message: string) => {
    if (level !== 'warning') problem ??= message
  }
  let document: XmlDocument | undefined
  try {
    document = new DOMParser({ onError }).parseFromString(text, 'text/xml')
  } catch (error) {
    problem ??= wordsOf(error)
  }
  if (document === undefined || problem !== undefined)
    throw new ActionFailure(`the body is no valid XML: ${(problem ?? '').slice(0, 200)}`)
  return document
}

/** HTML, however broken, as a document that XPath can walk through. What stands around the one element is put into it. */
function readHtml(received: Received): XmlDocument {
  const made = new DOMImplementation().createDocument(null, '')
  const outermost = received.document.children.filter(isTag)
  const root = outermost.length === 1 && outermost[0] !== undefined ? outermost[0] : received.document
  const top = made.createElement('name' in root ? nameOr(root.name) : 'html')
  if ('attribs' in root) copyAttributes(root.attribs, top)
  made.appendChild(top)
  const waiting: { from: ChildNode; under: XmlElement }[] = root.children.map((from) => ({
    from,
    under: top,
  }))
  // It grows while it is walked through; children of one element stay in their order.
  for (const { from, under } of waiting) {
    if (isText(from)) under.appendChild(made.createTextNode(from.data))
    if (!isTag(from)) continue
    if (waiting.length > nodesMax) throw new ActionFailure(`the page has more than ${nodesMax} nodes`)
    const element = made.createElement(nameOr(from.name))
    copyAttributes(from.attribs, element)
    under.appendChild(element)
    for (const child of from.children) waiting.push({ from: child, under: element })
  }
  return made
}

function copyAttributes(attributes: Readonly<Record<string, string>>, element: XmlElement): void {
  for (const [name, value] of Object.entries(attributes)) if (isName(name)) element.setAttribute(name, value)
}

const isName = (name: string) => /^[A-Za-z_][\w.-]*$/.test(name)
const nameOr = (name: string) => (isName(name) ? name : 'unknown')

/** Prefixes that are declared anywhere in it; the outermost declaration counts. */
function namespacesOf(document: XmlNode): Record<string, string> {
  const namespaces: Record<string, string> = {}
  const waiting: XmlNode[] = [document]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isElement(node))
      for (const attribute of node.attributes)
        if (attribute.name.startsWith('xmlns:')) namespaces[attribute.name.slice(6)] ??= attribute.value
    for (let child = node.lastChild; child !== null; child = child.previousSibling) waiting.push(child)
  }
  return namespaces
}

function isElement(node: XmlNode): node is XmlElement {
  return node.nodeType === node.ELEMENT_NODE
}
