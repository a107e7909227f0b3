import { SourceError } from '../importer.ts'
import { readXml, type XmlNode } from './read-xml.ts'

/** An element of a test plan of JMeter, with those below it in the tree. */
export interface JmxElement {
  /** Name of its class as it is written: `HTTPSamplerProxy`, `kg.apc.jmeter.threads.UltimateThreadGroup`. */
  kind: string
  /** The same without its package. */
  type: string
  guiClass: string
  name: string
  comment: string
  isEnabled: boolean
  properties: Properties
  children: JmxElement[]
  /** `Test Plan > Thread Group > Login` */
  place: string
  around: JmxElement | undefined
  /** How many elements are around it. */
  depth: number
}

/** Properties by name. What stands twice counts as JMeter reads it: the last. */
export type Properties = ReadonlyMap<string, XmlNode>

const depthMax = 60
const elementsMax = 200_000

/** Reads a test plan. Throws a SourceError where it is none. */
export function readPlan(text: string): JmxElement[] {
  const root = readXml(text)
  if (root.tag !== 'jmeterTestPlan')
    throw new SourceError(`The root element is <${root.tag.slice(0, 100)}>, not <jmeterTestPlan>.`)
  const trees = root.children.filter(({ tag }) => tag === 'hashTree')
  if (trees.length === 0) throw new SourceError('There is no hashTree in <jmeterTestPlan>.')
  const elements = trees.flatMap((tree) => readTree(tree, undefined))
  if ([...eachElement(elements)].length > elementsMax)
    throw new SourceError(`It has more than ${elementsMax} elements, the most that is read.`)
  return elements
}

/** In a hashTree an element comes before the hashTree of what is below it. */
function readTree(tree: XmlNode, around: JmxElement | undefined): JmxElement[] {
  const elements: JmxElement[] = []
  for (const node of tree.children) {
    if (node.tag !== 'hashTree') {
      elements.push(toElement(node, around))
      continue
    }
    const owner = elements.at(-1)
    if (owner === undefined)
      throw new SourceError('There is a hashTree without the element it belongs to.', around?.place)
    owner.children.push(...readTree(node, owner))
  }
  return elements
}

function toElement(node: XmlNode, around: JmxElement | undefined): JmxElement {
  const kind = node.attributes.get('testclass') || node.tag
  const name = node.attributes.get('testname') ?? ''
  const properties = propertiesOf(node)
  const depth = around === undefined ? 0 : around.depth + 1
  const label = (name.trim() === '' ? kind : name).slice(0, 80)
  const place = around === undefined ? label : `${around.place} > ${label}`
  if (depth > depthMax)
    throw new SourceError(`Elements are inside one another more than ${depthMax} times.`, place)
  if (holdsTree(node))
    throw new SourceError('A hashTree is inside of an element, where no other element is looked for.', place)
  return {
    kind,
    type: kind.slice(kind.lastIndexOf('.') + 1),
    guiClass: node.attributes.get('guiclass') ?? '',
    name,
    comment: properties.get('TestPlan.comments')?.text ?? '',
    isEnabled: node.attributes.get('enabled') !== 'false',
    properties,
    children: [],
    place,
    around,
    depth,
  }
}

function holdsTree({ children }: XmlNode): boolean {
  return children.some((child) => child.tag === 'hashTree' || holdsTree(child))
}

/** An element and all below it, in the order of the file. */
export function* eachElement(elements: readonly JmxElement[]): Generator<JmxElement> {
  for (const element of elements) {
    yield element
    yield* eachElement(element.children)
  }
}

export function propertiesOf(node: XmlNode): Properties {
  const properties = new Map<string, XmlNode>()
  for (const child of node.children) {
    // Fractions are written as <doubleProp><name>throughput</name><value>60.0</value></doubleProp>.
    const name = child.attributes.get('name') ?? inner(child, 'name')?.text
    const value = child.attributes.has('name') ? child : (inner(child, 'value') ?? child)
    if (name !== undefined) properties.set(name, value)
  }
  return properties
}

function inner(node: XmlNode, tag: string): XmlNode | undefined {
  return node.children.find((child) => child.tag === tag)
}

/** Text of a property; '' where there is none. */
export function textOf(properties: Properties, name: string): string {
  return properties.get(name)?.text ?? ''
}

/** Undefined where it is neither true nor false. */
export function flagOf(properties: Properties, name: string): boolean | undefined {
  const text = textOf(properties, name).trim().toLowerCase()
  return text === 'true' ? true : text === 'false' ? false : undefined
}

/** Undefined where it is no number. */
export function numberOf(text: string): number | undefined {
  return /^\s*[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : undefined
}

/** What is in a collection; nothing where there is none. Throws a SourceError where there is more than `max`. */
export function itemsOf(
  { properties, place }: Pick<JmxElement, 'properties' | 'place'>,
  name: string,
  max: number,
): XmlNode[] {
  const items = properties.get(name)?.children ?? []
  if (items.length > max) throw new SourceError(`It has more than ${max} of ${name}.`, place)
  return items
}
