import type { HeapObjects } from './heap-graph.ts'

/** Objects by class. Per class, of the objects that have a size. */
export interface ObjectClasses {
  /** Per node, its class. */
  indexes: Int32Array
  names: readonly string[]
  /** Shapes of plain objects that were made classes of their own. */
  shapes: readonly ObjectShape[]
}

/** Plain objects that have these properties, and perhaps more. */
export interface ObjectShape {
  /** `{id, name, …}`, cut. */
  name: string
  properties: readonly string[]
}

const shapesMax = 1000
/** A name may be longer only when its first property is. */
const shapeNameLength = 120
/** Comparisons of properties with shapes; real heaps need far fewer. */
const stepsMax = 2 ** 28

/**
 * The class of every object, as DevTools names them: that of its constructor; `Function` for closures, `(string)`,
 * `(array)`, … for what has none, `(system)` for what is hidden. Plain objects are told apart by their properties, where at
 * least two have the same: `{id, name}`. `shapes`: take those of another snapshot, to compare with it.
 */
export function classifyObjects(
  heap: HeapObjects,
  shapes: readonly ObjectShape[] = commonShapes(heap),
): ObjectClasses {
  const { nodes, nodeTypes, strings } = heap
  const object = nodeTypes.indexOf('object')
  const native = nodeTypes.indexOf('native')
  const names: string[] = []
  const indexes = new Map<string, number>()
  const classIndex = (name: string): number => {
    const known = indexes.get(name)
    if (known !== undefined) return known
    indexes.set(name, names.length)
    return names.push(name) - 1
  }
  const classOfName = new Int32Array(strings.length).fill(-1)
  const classOfType = nodeTypes.map((name) => classIndex(`(${name})`))
  const fixed = new Map([
    [nodeTypes.indexOf('hidden'), classIndex('(system)')],
    [nodeTypes.indexOf('code'), classIndex('(compiled code)')],
    [nodeTypes.indexOf('closure'), classIndex('Function')],
    [nodeTypes.indexOf('regexp'), classIndex('RegExp')],
  ])
  const matcher = new ShapeMatcher(heap, shapes)
  const classes = new Int32Array(nodes.types.length)
  for (let node = 0; node < classes.length; node++) {
    const nodeType = nodes.types[node]!
    if (nodeType !== object && nodeType !== native) {
      classes[node] = fixed.get(nodeType) ?? classOfType[nodeType]!
      continue
    }
    const shape = isPlainObject(heap, node, object) ? matcher.match(node) : undefined
    if (shape !== undefined) {
      classes[node] = classIndex(shape.name)
      continue
    }
    const name = nodes.names[node]!
    if (classOfName[name] === -1) classOfName[name] = classIndex(withoutAttributes(strings[name]!))
    classes[node] = classOfName[name]!
  }
  return { indexes: classes, names, shapes }
}

/** `<div id="a">` is of the class `<div>`, also with `Detached ` before it. */
function withoutAttributes(name: string): string {
  const start = name.startsWith('<') ? 0 : name.startsWith('Detached <') ? 10 : -1
  const space = start === -1 ? -1 : name.indexOf(' ', start)
  return space === -1 ? name : `${name.slice(0, space)}>`
}

function isPlainObject({ nodes, strings }: HeapObjects, node: number, objectType: number): boolean {
  return nodes.types[node] === objectType && strings[nodes.names[node]!] === 'Object'
}

/** The first properties of plain objects, those of most objects first. */
function commonShapes(heap: HeapObjects): ObjectShape[] {
  const { edges, firstEdges, nodes, strings } = heap
  const object = heap.nodeTypes.indexOf('object')
  const property = heap.edgeTypes.indexOf('property')
  const candidates = new Map<string, ObjectShape & { count: number }>()
  for (let node = 0; node < nodes.types.length; node++) {
    if (!isPlainObject(heap, node, object)) continue
    let name = '{'
    const properties: string[] = []
    for (let edge = firstEdges[node]!; edge < firstEdges[node + 1]!; edge++) {
      const own = strings[edges.names[edge]!]!
      if (edges.types[edge] !== property || own === '__proto__') continue
      const shown = propertyName(own)
      if (properties.length > 0 && name.length + shown.length > shapeNameLength) break
      name += properties.length === 0 ? shown : `, ${shown}`
      properties.push(own)
    }
    if (properties.length === 0) continue
    name += '}'
    const candidate = candidates.get(name)
    if (candidate === undefined) candidates.set(name, { name, properties, count: 1 })
    else candidate.count++
  }
  return [...candidates.values()]
    .filter(({ count }) => count > 1)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, shapesMax)
    .map(({ name, properties }) => ({ name, properties }))
}

/** What could be mistaken for the commas and braces around it is quoted. */
function propertyName(name: string): string {
  return /[,'"{}]/.test(name) ? JSON.stringify(name) : name
}

/** Finds the shape with most properties that an object has all of; of several, the first. */
class ShapeMatcher {
  private readonly heap: HeapObjects
  private readonly shapes: readonly ObjectShape[]
  private readonly propertyType: number
  /** Per index of a string, the shapes that have a property of this name. */
  private readonly shapesWith: ReadonlyMap<number, readonly number[]>
  /** By the names of an object's properties: most objects have the same as one before. */
  private readonly known = new Map<string, ObjectShape | undefined>()
  private steps = 0

  constructor(heap: HeapObjects, shapes: readonly ObjectShape[]) {
    this.heap = heap
    this.shapes = shapes
    this.propertyType = heap.edgeTypes.indexOf('property')
    const byProperty = new Map<string, number[]>()
    for (const [index, { properties }] of shapes.entries()) {
      for (const name of new Set(properties)) {
        const users = byProperty.get(name)
        if (users === undefined) byProperty.set(name, [index])
        else users.push(index)
      }
    }
    const shapesWith = new Map<number, readonly number[]>()
    for (const [index, text] of heap.strings.entries()) {
      const users = byProperty.get(text)
      if (users !== undefined) shapesWith.set(index, users)
    }
    this.shapesWith = shapesWith
  }

  match(node: number): ObjectShape | undefined {
    const { edges, firstEdges } = this.heap
    const properties: number[] = []
    for (let edge = firstEdges[node]!; edge < firstEdges[node + 1]!; edge++) {
      const name = edges.names[edge]!
      if (edges.types[edge] === this.propertyType && this.shapesWith.has(name)) properties.push(name)
    }
    const key = properties.join(' ')
    if (this.known.has(key)) return this.known.get(key)
    const shape = this.largestOf(new Set(properties))
    this.known.set(key, shape)
    return shape
  }

  private largestOf(properties: ReadonlySet<number>): ObjectShape | undefined {
    const counts = new Map<number, number>()
    for (const name of properties) {
      const users = this.shapesWith.get(name)!
      this.steps += users.length
      if (this.steps > stepsMax) return undefined
      for (const shape of users) counts.set(shape, (counts.get(shape) ?? 0) + 1)
    }
    let best = -1
    for (const [index, count] of counts) {
      const size = this.shapes[index]!.properties.length
      if (count < size) continue
      const bestSize = best === -1 ? 0 : this.shapes[best]!.properties.length
      if (size > bestSize || (size === bestSize && index < best)) best = index
    }
    return this.shapes[best]
  }
}
