import type { ObjectClasses } from './object-classes.ts'

/**
 * The objects of a heap and what refers to what, as columns, in V8's words. Weak references are not there: they keep
 * nothing. The references of node n are those from `firstEdges[n]` up to, and without, `firstEdges[n + 1]`.
 */
export interface HeapObjects {
  /** `object`, `closure`, `native`, `synthetic`, …; at most 255. */
  nodeTypes: readonly string[]
  /** `property`, `element`, `internal`, `context`, …; at most 255. */
  edgeTypes: readonly string[]
  /** Of names and of the contents of strings, each cut to `limits.heapStringLength`. */
  strings: readonly string[]
  /** The node that stands for what the engine keeps alive. */
  root: number
  nodes: {
    types: Uint8Array
    /** Into `strings`. */
    names: Int32Array
    /** The same object has the same id in all snapshots of a process. */
    ids: Float64Array
    /** Bytes. */
    selfSizes: Float64Array
    /** Whether a node of the DOM is in the document: see `detachedness`. */
    detachedness: Uint8Array
  }
  firstEdges: Int32Array
  edges: {
    types: Uint8Array
    /** Into `strings`; of `element` and `hidden`, the index itself. */
    names: Uint32Array
    /** The node that is referred to. */
    targets: Int32Array
  }
}

/** Values of the column `detachedness`. */
export const detachedness = { unknown: 0, attached: 1, detached: 2 } as const

/** A heap with what follows from it. Per node. */
export interface HeapGraph extends HeapObjects {
  /** The nearest object without which this one would be freed; -1 for the root. */
  dominators: Int32Array
  /** Bytes that would be freed with the object: its own and those of all it dominates. */
  retainedSizes: Float64Array
  /** References from the nearest root to here; from `systemDistance` on when only the engine refers to it; -1 for none. */
  distances: Int32Array
  /** The last reference of such a shortest way; -1 for none. */
  pathEdges: Int32Array
  classes: ObjectClasses
}

/** As DevTools has it: far from all that the program itself refers to. */
export const systemDistance = 100_000_000

/** What the edge is called; of `element` and `hidden` its index. */
export function edgeName(heap: HeapObjects, edge: number): string {
  const type = heap.edgeTypes[heap.edges.types[edge]!]!
  const name = heap.edges.names[edge]!
  return type === 'element' || type === 'hidden' ? String(name) : heap.strings[name]!
}

/** The node that an edge belongs to. */
export function sourceOf({ firstEdges }: HeapObjects, edge: number): number {
  let low = 0
  let high = firstEdges.length - 1
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (firstEdges[middle]! <= edge) low = middle
    else high = middle
  }
  return low
}

/** Whether the program itself, and not only the engine, refers to it: not synthetic, or the documents of a page. */
function isUserRoot(heap: HeapObjects, node: number): boolean {
  const isSynthetic = heap.nodeTypes[heap.nodes.types[node]!] === 'synthetic'
  return !isSynthetic || heap.strings[heap.nodes.names[node]!] === '(Document DOM trees)'
}

/** The user roots among what the root refers to, each with the edge to it. Snapshots with internals have none. */
export function userRoots(heap: HeapObjects): { node: number; edge: number }[] {
  const found: { node: number; edge: number }[] = []
  for (let edge = heap.firstEdges[heap.root]!; edge < heap.firstEdges[heap.root + 1]!; edge++) {
    const node = heap.edges.targets[edge]!
    if (isUserRoot(heap, node)) found.push({ node, edge })
  }
  return found
}

/** Where a value of a WeakMap hangs, as V8 writes it into the name of both edges to it: that of its key, and of the table. */
interface WeakMapEntry {
  /** The same in both names. */
  pair: string
  tableId: number
}

/** `12 / part of key (Foo @3) -> value (Bar @5) pair in WeakMap (table @7)`; undefined for all other names. */
function weakMapEntry(name: string): WeakMapEntry | undefined {
  const tableId = / pair in WeakMap \(table @(\d{1,15})\)$/.exec(name.slice(-60))?.[1]
  const start = /^\d{1,15}(?= \/ part of key \()/.exec(name)?.[0].length
  if (tableId === undefined || start === undefined) return undefined
  return { pair: name.slice(start), tableId: Number(tableId) }
}

/** The names that are of entries of WeakMaps, by their index. */
export function weakMapEntries(strings: readonly string[]): ReadonlyMap<number, WeakMapEntry> {
  const entries = new Map<number, WeakMapEntry>()
  for (const [index, name] of strings.entries()) {
    if (!name.endsWith(')')) continue
    const entry = weakMapEntry(name)
    if (entry !== undefined) entries.set(index, entry)
  }
  return entries
}
