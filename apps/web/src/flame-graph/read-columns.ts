import { layOut, type Layout } from './lay-out.ts'

/** A call tree out of a column file, with the functions that its nodes name by index. */
export interface ColumnTree {
  sampleType: string
  unit: string
  /** On what is not in it. */
  note: string | null
  functions: { name: string; file: string | null; origin: string }[]
  layout: Layout
}

const magic = 'FGFC'
const version = 1
const prefixLength = 12
/** Two million nodes, which is the most that a profile has, are 32 MB, besides names. */
const longestBody = 512 * 1024 * 1024

/**
 * Reads what `get_flamegraph_columns` answers (packages/profiles/src/exports/flame-columns.ts), and lays it out.
 * @throws RangeError when it is something else
 */
export async function readColumns(bytes: Uint8Array<ArrayBuffer>): Promise<ColumnTree> {
  const body = await inflate(bytes)
  const headEnd = 4 + new DataView(body).getUint32(0, true)
  const head = readHead(new Uint8Array(body, 4, headEnd - 4))
  const { names, nodeCount, scale } = head
  let position = headEnd
  const take = (byteLength: number) => {
    const start = Math.ceil(position / 8) * 8
    position = start + byteLength
    return start
  }
  const files = new Int32Array(body, take(names.length * 4), names.length)
  const origins = new Int32Array(body, take(names.length * 4), names.length)
  const distances = new Int32Array(body, take(nodeCount * 4), nodeCount)
  const functionOf = new Int32Array(body, take(nodeCount * 4), nodeCount)
  const self =
    scale === 0
      ? new Float64Array(body, take(nodeCount * 8), nodeCount)
      : Float64Array.from(new Uint32Array(body, take(nodeCount * 4), nodeCount), (value) => value * scale)

  const parent = distances.map((distance, node) => node - distance)
  const total = self.slice()
  // In depth-first order, what is below a node comes after it.
  for (let node = nodeCount - 1; node > 0; node--) {
    const above = parent[node] ?? 0
    total[above] = (total[above] ?? 0) + (total[node] ?? 0)
  }
  return {
    sampleType: head.sampleType,
    unit: head.unit,
    note: head.note,
    functions: names.map((name, index) => ({
      name,
      file: head.files[files[index] ?? -1] || null,
      origin: head.origins[origins[index] ?? -1] ?? 'Unknown',
    })),
    layout: layOut({ parent, function: functionOf, self, total }, total[0] ?? 0),
  }
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const prefix = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isOurs = bytes.length > prefixLength && new TextDecoder().decode(bytes.subarray(0, 4)) === magic
  if (!isOurs || bytes[4] !== version)
    throw new RangeError('The server answered something that this page cannot draw.')
  const length = prefix.getUint32(8, true)
  if (length > longestBody) throw new RangeError('This flame graph is too large for a browser.')
  const stream = new Blob([bytes.subarray(prefixLength)]).stream()
  const body = await new Response(stream.pipeThrough(new DecompressionStream('deflate'))).arrayBuffer()
  if (body.byteLength !== length)
    throw new RangeError('The flame graph came only in part. Load the page again.')
  return body
}

interface Head {
  sampleType: string
  unit: string
  scale: number
  nodeCount: number
  note: string | null
  names: string[]
  files: string[]
  origins: string[]
}

function readHead(bytes: Uint8Array): Head {
  // Our own API wrote it, and says so in its version.
  const head: Head = JSON.parse(new TextDecoder().decode(bytes))
  return head
}
