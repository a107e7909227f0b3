/** A node as `type name id size`, and its edges as `type name targetId`; of elements and hidden edges the name is an index. */
export interface HeapNode {
  is: string
  edges?: string[]
  detachedness?: number
}

/** As in the file. */
export interface HeapSnapshotDocument {
  snapshot: {
    meta: Record<'node_fields' | 'node_types' | 'edge_fields' | 'edge_types', unknown[]>
    node_count: number
    edge_count: number
  }
  nodes: unknown[]
  edges: unknown[]
  strings: unknown[]
  [key: string]: unknown
}

const nodeTypes = [
  'hidden',
  'array',
  'string',
  'object',
  'code',
  'closure',
  'regexp',
  'number',
  'native',
  'synthetic',
]
const edgeTypes = ['context', 'element', 'property', 'internal', 'hidden', 'shortcut', 'weak']

/** The JSON of a heap snapshot with these nodes; the first one is the root. Names are without spaces, `_` stands for one. */
export function heapSnapshot(
  nodes: HeapNode[],
  { nodeFields = ['type', 'name', 'id', 'self_size', 'edge_count', 'detachedness'], more = {} } = {},
): HeapSnapshotDocument {
  const strings: string[] = ['<dummy>']
  const string = (text: string) => {
    const name = text.replaceAll('_', ' ')
    const known = strings.indexOf(name)
    return known === -1 ? strings.push(name) - 1 : known
  }
  const ids = nodes.map(({ is }) => is.split(' ')[2])
  const rows = nodes.map(({ is, edges = [], detachedness = 0 }) => {
    const [type = '', name = '', id, size] = is.split(' ')
    const values: Record<string, number> = {
      type: nodeTypes.indexOf(type),
      name: string(name),
      id: Number(id),
      self_size: Number(size),
      edge_count: edges.length,
      detachedness,
      trace_node_id: 0,
    }
    return nodeFields.map((field) => values[field])
  })
  const edges = nodes.flatMap(({ edges: own = [] }) =>
    own.flatMap((edge) => {
      const [type = '', name = '', target = ''] = edge.split(' ')
      const isIndex = type === 'element' || type === 'hidden'
      return [
        edgeTypes.indexOf(type),
        isIndex ? Number(name) : string(name),
        ids.indexOf(target) * nodeFields.length,
      ]
    }),
  )
  return {
    snapshot: {
      meta: {
        node_fields: nodeFields,
        node_types: nodeFields.map((field) => (field === 'type' ? nodeTypes : 'number')),
        edge_fields: ['type', 'name_or_index', 'to_node'],
        edge_types: [edgeTypes, 'string_or_number', 'node'],
      },
      node_count: nodes.length,
      edge_count: edges.length / 3,
      ...more,
    },
    nodes: rows.flat(),
    edges,
    trace_function_infos: [],
    trace_tree: [],
    samples: [],
    locations: [],
    strings,
  }
}

export function toBytes(document: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(document))
}
