import type { HeapObjects } from '../heap/heap-graph.ts'
import { limits } from '../limits.ts'
import { JsonReader, type JsonObject } from './json.ts'
import { JsonScanner } from './json-scanner.ts'

/** What the file says of itself, before its objects. Of a field, where in a row it is. */
interface Header {
  nodeWidth: number
  nodeFields: {
    type: number
    name: number
    id: number
    selfSize: number
    edgeCount: number
    /** -1 in older files. */
    detachedness: number
  }
  edgeWidth: number
  edgeFields: { type: number; name: number; target: number }
  nodeTypes: readonly string[]
  edgeTypes: readonly string[]
  nodeCount: number
  edgeCount: number
  rootIndex: number
  extraNativeBytes: number
}

export interface HeapSnapshotFile {
  heap: HeapObjects
  /** Bytes of the embedder that are of no object. */
  extraNativeBytes: number
  /** Whether it was taken while allocations were recorded, so that it holds more than objects. */
  hasAllocationStacks: boolean
  hasAllocationTimes: boolean
}

const format = 'heapsnapshot'
const json = new JsonReader(format)

/** Reads the lists of the file into columns, in one pass. @throws FormatError with the byte, or the path in the header */
export function readHeapSnapshotFile(bytes: Uint8Array): HeapSnapshotFile {
  const scanner: JsonScanner = new JsonScanner(bytes, format)
  const strings: string[] = []
  const found: { header?: Header; nodes?: Nodes; edges?: Edges; times?: number } = {}
  let hasStrings = false
  let traceCount = 0
  scanner.readObject((key) => {
    if (key === 'snapshot') {
      const snapshot = json.object(scanner.readSmall(), '$.snapshot')
      found.header = readHeader(snapshot)
      traceCount = json.number(snapshot['trace_function_count'] ?? 0, '$.snapshot.trace_function_count')
    } else if (key === 'nodes') {
      found.nodes = readNodes(scanner, found.header ?? scanner.fail('expected "snapshot" before "nodes"'))
    } else if (key === 'edges') {
      const { header, nodes } = found
      if (header === undefined || nodes === undefined) scanner.fail('expected "nodes" before "edges"')
      found.edges = readEdges(scanner, header, nodes)
    } else if (key === 'samples') found.times = scanner.readRows(1, () => {})
    else if (key === 'strings') {
      hasStrings = true
      scanner.readStrings((text) => {
        if (strings.length >= limits.tableEntries) scanner.fail(`more than ${limits.tableEntries} strings`)
        strings.push(text.slice(0, limits.heapStringLength))
      })
    } else scanner.skip()
  })
  scanner.finish()
  const { header, nodes, edges } = found
  if (header === undefined || nodes === undefined || edges === undefined || !hasStrings) {
    return scanner.fail('expected "snapshot", "nodes", "edges" and "strings"')
  }
  checkNames({ nodes, edges, header }, strings.length)
  const root = header.rootIndex / header.nodeWidth
  if (!Number.isInteger(root) || root >= header.nodeCount)
    json.fail('there is no such node', '$.snapshot.root_index')
  const { edgeEnds: _edgeEnds, ...nodeColumns } = nodes
  return {
    heap: {
      nodeTypes: header.nodeTypes,
      edgeTypes: header.edgeTypes,
      strings,
      root,
      nodes: nodeColumns,
      firstEdges: edges.firstEdges,
      edges: { types: edges.types, names: edges.names, targets: edges.targets },
    },
    extraNativeBytes: header.extraNativeBytes,
    hasAllocationStacks: traceCount > 0,
    hasAllocationTimes: (found.times ?? 0) > 0,
  }
}

function readHeader(snapshot: JsonObject): Header {
  const meta = json.object(snapshot['meta'], '$.snapshot.meta')
  const node = fieldsOf(meta['node_fields'], '$.snapshot.meta.node_fields')
  const edge = fieldsOf(meta['edge_fields'], '$.snapshot.meta.edge_fields')
  return {
    nodeWidth: node.names.length,
    nodeFields: {
      type: node.place('type'),
      name: node.place('name'),
      id: node.place('id'),
      selfSize: node.place('self_size'),
      edgeCount: node.place('edge_count'),
      detachedness: node.names.indexOf('detachedness'),
    },
    edgeWidth: edge.names.length,
    edgeFields: {
      type: edge.place('type'),
      name: edge.place('name_or_index'),
      target: edge.place('to_node'),
    },
    nodeTypes: typesOf(meta['node_types'], node.place('type'), '$.snapshot.meta.node_types'),
    edgeTypes: typesOf(meta['edge_types'], edge.place('type'), '$.snapshot.meta.edge_types'),
    nodeCount: countOf(snapshot['node_count'], limits.heapNodes, '$.snapshot.node_count'),
    edgeCount: countOf(snapshot['edge_count'], limits.heapEdges, '$.snapshot.edge_count'),
    rootIndex: json.number(snapshot['root_index'] ?? 0, '$.snapshot.root_index'),
    extraNativeBytes: json.number(snapshot['extra_native_bytes'] ?? 0, '$.snapshot.extra_native_bytes'),
  }
}

function fieldsOf(value: unknown, path: string): { names: string[]; place: (name: string) => number } {
  const names = json.array(value, path).map((name) => json.string(name, path))
  const place = (name: string) => {
    const position = names.indexOf(name)
    return position === -1 ? json.fail(`expected a field ${name}`, path) : position
  }
  return { names, place }
}

/** The names of types, as they are given for the field with the type. */
function typesOf(value: unknown, typeField: number, path: string): string[] {
  const ofField = `${path}[${typeField}]`
  const types = json.array(json.array(value, path)[typeField], ofField)
  if (types.length === 0 || types.length > 255) json.fail('expected 1 to 255 types', ofField)
  return types.map((name) => json.string(name, ofField))
}

function countOf(value: unknown, max: number, path: string): number {
  const count = json.number(value, path)
  if (!Number.isInteger(count) || count < 0) json.fail('expected a count', path)
  return count <= max ? count : json.fail(`more than ${max} are not read`, path)
}

type Nodes = HeapObjects['nodes'] & {
  /** Per node, the index after its last edge in the file. */
  edgeEnds: Int32Array
}

function readNodes(scanner: JsonScanner, header: Header): Nodes {
  const { nodeFields: field, nodeTypes, nodeCount } = header
  const nodes: Nodes = {
    types: new Uint8Array(nodeCount),
    names: new Int32Array(nodeCount),
    ids: new Float64Array(nodeCount),
    selfSizes: new Float64Array(nodeCount),
    detachedness: new Uint8Array(nodeCount),
    edgeEnds: new Int32Array(nodeCount),
  }
  let edgeEnd = 0
  const rowCount = scanner.readRows(header.nodeWidth, (row, node) => {
    if (node >= nodeCount) scanner.fail(`more nodes than the ${nodeCount} that were announced`)
    const type = row[field.type]!
    if (type >= nodeTypes.length) scanner.fail('there is no such type of node')
    nodes.types[node] = type
    nodes.names[node] = Math.min(row[field.name]!, limits.tableEntries)
    nodes.ids[node] = row[field.id]!
    nodes.selfSizes[node] = row[field.selfSize]!
    nodes.detachedness[node] = field.detachedness === -1 ? 0 : Math.min(row[field.detachedness]!, 255)
    edgeEnd += row[field.edgeCount]!
    if (edgeEnd > header.edgeCount) scanner.fail(`the nodes have more than ${header.edgeCount} edges`)
    nodes.edgeEnds[node] = edgeEnd
  })
  if (rowCount < nodeCount) scanner.fail(`${rowCount} nodes where ${nodeCount} were announced`)
  if (nodeCount === 0) scanner.fail('the heap holds no objects')
  if (edgeEnd < header.edgeCount) scanner.fail(`the nodes have ${edgeEnd} edges, not ${header.edgeCount}`)
  return nodes
}

type Edges = HeapObjects['edges'] & { firstEdges: Int32Array }

/** Edges come in the order of their nodes. Weak ones are left out. */
function readEdges(scanner: JsonScanner, header: Header, { edgeEnds }: Nodes): Edges {
  const { edgeFields: field, edgeTypes, nodeWidth, nodeCount, edgeCount } = header
  const weak = edgeTypes.indexOf('weak')
  const types = new Uint8Array(edgeCount)
  const names = new Uint32Array(edgeCount)
  const targets = new Int32Array(edgeCount)
  const firstEdges = new Int32Array(nodeCount + 1)
  let node = 0
  let kept = 0
  const rowCount = scanner.readRows(header.edgeWidth, (row, edge) => {
    if (edge >= edgeCount) scanner.fail(`more edges than the ${edgeCount} that were announced`)
    while (edge >= edgeEnds[node]!) firstEdges[++node] = kept
    const type = row[field.type]!
    const target = row[field.target]! / nodeWidth
    if (type >= edgeTypes.length) scanner.fail('there is no such type of edge')
    if (!Number.isInteger(target) || target >= nodeCount) scanner.fail('an edge leads to no node')
    if (type === weak) return
    types[kept] = type
    names[kept] = Math.min(row[field.name]!, 2 ** 32 - 1)
    targets[kept++] = target
  })
  if (rowCount < edgeCount) scanner.fail(`${rowCount} edges where ${edgeCount} were announced`)
  firstEdges.fill(kept, node + 1)
  return {
    types: types.subarray(0, kept),
    names: names.subarray(0, kept),
    targets: targets.subarray(0, kept),
    firstEdges,
  }
}

/** Names are indexes into strings, which come last; of elements and hidden edges they are the index itself. */
function checkNames(
  { nodes, edges, header }: { nodes: Nodes; edges: Edges; header: Header },
  stringCount: number,
): void {
  const isIndex = header.edgeTypes.map((type) => type === 'element' || type === 'hidden')
  for (let node = 0; node < nodes.names.length; node++) {
    if (nodes.names[node]! >= stringCount) json.fail('the name of a node is not there', '$.strings')
  }
  for (let edge = 0; edge < edges.names.length; edge++) {
    if (!isIndex[edges.types[edge]!] && edges.names[edge]! >= stringCount)
      json.fail('the name of an edge is not there', '$.strings')
  }
}
