import { analyzeHeap } from '../heap/analyze-heap.ts'
import type { HeapGraph } from '../heap/heap-graph.ts'
import { limits } from '../limits.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile } from '../profile.ts'
import { readHeapSnapshotFile } from './heapsnapshot-reader.ts'

/**
 * A snapshot of V8's heap: `.heapsnapshot` of Chrome DevTools and of Node.js (`v8.writeHeapSnapshot`,
 * `--heapsnapshot-signal`), and `.heaptimeline`. Written by
 * https://github.com/v8/v8/blob/main/src/profiler/heap-snapshot-generator.cc; what the numbers mean is as DevTools shows
 * them, see `analyzeHeap`. Read with any list of fields that has those of 2013: `trace_node_id`, `detachedness` and what
 * may come are optional. The file is not parsed as JSON, because it may have hundreds of megabytes.
 *
 * As a call tree it is the tree of dominators: below a class is what its objects alone keep alive. Self values are shallow
 * sizes, so totals are retained sizes. Objects of one class below the same node are one node, and so are those of one
 * class that keep each other, such as the links of a list. Objects without a size are not counted.
 *
 * The objects themselves are in `heapGraph`. Weak references are left out, and the places in scripts (`locations`), since
 * the file does not name the scripts.
 */
export const heapsnapshot: Importer = {
  format: 'heapsnapshot',
  recognizes: ({ head }) => /^\s*\{\s*"snapshot"\s*:\s*\{/.test(head) && head.includes('"node_fields"'),
  read: ({ bytes }, options) => readHeapSnapshot(bytes, options),
}

/** Deeper down, objects count to the node above. */
const deepestNode = 500

function readHeapSnapshot(bytes: Uint8Array, options: ImportOptions): ImportedProfile {
  const file = readHeapSnapshotFile(bytes)
  const { graph, order } = analyzeHeap(file.heap)
  const warnings: string[] = []
  if (file.extraNativeBytes > 0)
    warnings.push(`${file.extraNativeBytes} bytes more were in use that are of no object of the heap.`)
  if (file.hasAllocationStacks) warnings.push('The stacks of allocations in the file were not read.')
  if (file.hasAllocationTimes) warnings.push('The times of allocations in the file were not read.')
  return { ...dominatorProfile(graph, order, { ...options, warnings }), heapGraph: graph }
}

function dominatorProfile(
  graph: HeapGraph,
  order: Int32Array,
  { maxNodes = limits.nodes, warnings }: ImportOptions & { warnings: string[] },
): ImportedProfile {
  const builder = new ProfileBuilder({
    format: 'heapsnapshot',
    sampleTypes: [
      { type: 'inuse_objects', unit: 'count' },
      { type: 'inuse_space', unit: 'bytes' },
    ],
    defaultSampleTypeIndex: 1,
    maxNodes,
  })
  const { nodes, nodeTypes, strings, classes, dominators, retainedSizes } = graph
  const functionOfClass = classes.names.map((name) => builder.functions.intern(name))
  const synthetic = nodeTypes.indexOf('synthetic')
  const places = new Int32Array(order.length)
  // Of the nodes of the tree: their functions and depths.
  const functions: number[] = [-1]
  const depths: number[] = [0]
  let foldedCount = 0
  const values = [0, 0]
  for (const node of order) {
    if (retainedSizes[node] === 0) continue
    if (node !== graph.root) {
      const parent = places[dominators[node]!]!
      const functionIndex =
        nodes.types[node] === synthetic
          ? builder.functions.intern(strings[nodes.names[node]!]! || '(synthetic)')
          : functionOfClass[classes.indexes[node]!]!
      const isFolded = depths[parent]! >= deepestNode || depths.length >= maxNodes
      if (isFolded) foldedCount++
      const place =
        isFolded || functions[parent] === functionIndex ? parent : builder.child(parent, functionIndex)
      places[node] = place
      if (place === functions.length) {
        functions.push(functionIndex)
        depths.push(depths[parent]! + 1)
      }
    }
    const size = nodes.selfSizes[node]!
    if (size === 0) continue
    values[0] = 1
    values[1] = size
    builder.add(places[node]!, values)
  }
  if (foldedCount > 0)
    warnings.push(
      `${foldedCount} objects, deep down, are counted to what keeps them, since the tree is too large.`,
    )
  return builder.finish({ warnings })
}
