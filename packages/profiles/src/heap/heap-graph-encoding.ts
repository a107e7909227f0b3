import { commonScale, damaged, readColumnFile, scaledDown, writeColumnFile } from '../column-file.ts'
import type { JsonReader } from '../formats/json.ts'
import type { HeapGraph } from './heap-graph.ts'
import type { ObjectShape } from './object-classes.ts'

/**
 * How the objects of a heap snapshot are stored, as a column file:
 *
 *     per node  type u8, detachedness u8, name i32, class i32, edge count i32, distance to the dominator i32,
 *               distance i32, path edge i32, and as values id, self size, retained size
 *     per edge  type u8, name u32, distance to the target i32
 *
 * What is stored as a distance from the node itself is mostly small, which deflate likes.
 */
const magic = 'FGHG'

/** The objects as compact bytes, for `decodeHeapGraph`. */
export function encodeHeapGraph(graph: HeapGraph): Uint8Array {
  const { nodes, edges, firstEdges, classes } = graph
  const valueColumns = [nodes.ids, nodes.selfSizes, graph.retainedSizes]
  const scales = valueColumns.map(commonScale)
  const head = {
    nodeTypes: graph.nodeTypes,
    edgeTypes: graph.edgeTypes,
    strings: graph.strings,
    root: graph.root,
    classNames: classes.names,
    shapes: classes.shapes,
    nodeCount: nodes.types.length,
    edgeCount: edges.types.length,
    scales,
  }
  return writeColumnFile(magic, head, [
    nodes.types,
    nodes.detachedness,
    nodes.names,
    classes.indexes,
    firstEdges.subarray(0, -1).map((first, node) => firstEdges[node + 1]! - first),
    graph.dominators.map((dominator, node) => node - dominator),
    graph.distances,
    graph.pathEdges,
    ...valueColumns.map((values, index) => scaledDown(values, scales[index]!)),
    edges.types,
    edges.names,
    relativeTargets(edges.targets, firstEdges),
  ])
}

/** The objects that `encodeHeapGraph` stored. Throws FormatError when the bytes are something else, or damaged. */
export function decodeHeapGraph(bytes: Uint8Array): HeapGraph {
  const { json, head, columns } = readColumnFile(magic, bytes)
  const nodeCount = count(json, head['nodeCount'], '$.nodeCount')
  const edgeCount = count(json, head['edgeCount'], '$.edgeCount')
  const root = count(json, head['root'], '$.root')
  const strings = texts(json, head['strings'], '$.strings')
  const nodeTypes = texts(json, head['nodeTypes'], '$.nodeTypes')
  const edgeTypes = texts(json, head['edgeTypes'], '$.edgeTypes')
  const classNames = texts(json, head['classNames'], '$.classNames')
  const scales = json.numbers(head['scales'], '$.scales')
  if (root >= nodeCount) throw damaged('it has no root')

  const types = within(columns.bytes(nodeCount), nodeTypes.length)
  const detachedness = columns.bytes(nodeCount)
  const names = within(columns.int32(nodeCount), strings.length)
  const indexes = within(columns.int32(nodeCount), classNames.length)
  const firstEdges = sums(columns.int32(nodeCount), edgeCount)
  const dominators = columns.int32(nodeCount).map((distance, node) => node - distance)
  const distances = columns.int32(nodeCount)
  const pathEdges = within(columns.int32(nodeCount), edgeCount, -1)
  const [ids, selfSizes, retainedSizes] = [0, 1, 2].map((index) =>
    columns.values(nodeCount, scales[index] ?? 0),
  )
  const edgesTypes = within(columns.bytes(edgeCount), edgeTypes.length)
  const edgesNames = columns.uint32(edgeCount)
  const targets = absoluteTargets(columns.int32(edgeCount), firstEdges)
  columns.finish()
  if (dominators[root] !== -1 || within(dominators, nodeCount, -1).filter((node) => node === -1).length > 1)
    throw damaged('it has several roots')
  within(targets, nodeCount)
  const isIndex = edgeTypes.map((type) => type === 'element' || type === 'hidden')
  if (edgesNames.some((name, edge) => name >= strings.length && !isIndex[edgesTypes[edge]!]))
    throw damaged('an edge has no name')
  return {
    nodeTypes,
    edgeTypes,
    strings,
    root,
    nodes: { types, names, ids: ids!, selfSizes: selfSizes!, detachedness },
    firstEdges,
    edges: { types: edgesTypes, names: edgesNames, targets },
    dominators,
    retainedSizes: retainedSizes!,
    distances,
    pathEdges,
    classes: { indexes, names: classNames, shapes: shapesOf(json, head['shapes']) },
  }
}

function relativeTargets(targets: Int32Array, firstEdges: Int32Array): Int32Array {
  const relative = new Int32Array(targets.length)
  for (let node = 0; node < firstEdges.length - 1; node++) {
    for (let edge = firstEdges[node]!; edge < firstEdges[node + 1]!; edge++)
      relative[edge] = targets[edge]! - node
  }
  return relative
}

function absoluteTargets(relative: Int32Array, firstEdges: Int32Array): Int32Array {
  const targets = new Int32Array(relative.length)
  for (let node = 0; node < firstEdges.length - 1; node++) {
    for (let edge = firstEdges[node]!; edge < firstEdges[node + 1]!; edge++)
      targets[edge] = relative[edge]! + node
  }
  return targets
}

/** Where the edges of each node start, from how many each has. */
function sums(counts: Int32Array, total: number): Int32Array {
  const starts = new Int32Array(counts.length + 1)
  for (let node = 0; node < counts.length; node++) {
    if (counts[node]! < 0 || counts[node]! > total - starts[node]!) throw damaged('it has other edges')
    starts[node + 1] = starts[node]! + counts[node]!
  }
  if (starts[counts.length] !== total) throw damaged('it has other edges')
  return starts
}

function within<A extends Uint8Array | Int32Array>(indexes: A, end: number, least = 0): A {
  for (const index of indexes) if (index < least || index >= end) throw damaged('it names what is not there')
  return indexes
}

function count(json: JsonReader, value: unknown, path: string): number {
  const number = json.number(value, path)
  return Number.isInteger(number) && number >= 0 ? number : json.fail('expected a count', path)
}

function texts(json: JsonReader, value: unknown, path: string): string[] {
  return json.array(value, path).map((text) => json.string(text, path))
}

function shapesOf(json: JsonReader, value: unknown): ObjectShape[] {
  return json.array(value, '$.shapes').map((shape) => {
    const { name, properties } = json.object(shape, '$.shapes')
    return {
      name: json.string(name, '$.shapes.name'),
      properties: texts(json, properties, '$.shapes.properties'),
    }
  })
}
