import { detachedness, type HeapGraph } from '../heap/heap-graph.ts'
import { PairTable } from '../pair-table.ts'
import { classifyObjects, type ObjectClasses } from '../heap/object-classes.ts'

/** The objects of a class that have a size. Sizes in bytes. */
export interface HeapClass {
  name: string
  objectCount: number
  shallowSize: number
  /** What would be freed with all of them; what one keeps through another of the class counts once. */
  retainedSize: number
  /** Nodes of the DOM that are in no document any more. */
  detachedCount: number
}

/** A class of two snapshots; objects are the same when id and class are. */
export interface HeapClassChange extends HeapClass {
  baseline: Pick<HeapClass, 'objectCount' | 'shallowSize' | 'retainedSize'>
  addedCount: number
  addedSize: number
  removedCount: number
  removedSize: number
}

/** Every class with an object that has a size, in no order; the numbers are those of DevTools' summary. */
export function heapClasses(graph: HeapGraph, classes = graph.classes): HeapClass[] {
  const { nodes } = graph
  const rows = classes.names.map((name): HeapClass => ({
    name,
    objectCount: 0,
    shallowSize: 0,
    retainedSize: 0,
    detachedCount: 0,
  }))
  for (let node = 0; node < nodes.types.length; node++) {
    const size = nodes.selfSizes[node]!
    if (size === 0) continue
    const row = rows[classes.indexes[node]!]!
    row.objectCount++
    row.shallowSize += size
    if (nodes.detachedness[node] === detachedness.detached) row.detachedCount++
  }
  forEachOutermost(graph, classes, (node, classIndex) => {
    rows[classIndex]!.retainedSize += graph.retainedSizes[node]!
  })
  return rows.filter((row) => row.objectCount > 0)
}

/** As `heapClasses`, with how each class changed since a baseline; also of classes of which nothing is left. */
export function compareHeapClasses(head: HeapGraph, baseline: HeapGraph): HeapClassChange[] {
  // Shapes of plain objects are those of the head on both sides, or the same object would be of two classes.
  const baseClasses = classifyObjects(baseline, head.classes.shapes)
  const changes = new Map<string, HeapClassChange>()
  const changeOf = (name: string): HeapClassChange => {
    const known = changes.get(name)
    if (known !== undefined) return known
    const nothing = { objectCount: 0, shallowSize: 0, retainedSize: 0 }
    const change = {
      name,
      ...nothing,
      detachedCount: 0,
      baseline: nothing,
      addedCount: 0,
      addedSize: 0,
      removedCount: 0,
      removedSize: 0,
    }
    changes.set(name, change)
    return change
  }
  for (const row of heapClasses(head)) Object.assign(changeOf(row.name), row)
  for (const row of heapClasses(baseline, baseClasses)) {
    const { objectCount, shallowSize, retainedSize } = row
    changeOf(row.name).baseline = { objectCount, shallowSize, retainedSize }
  }
  forEachDifference(
    { graph: head, classes: head.classes },
    { graph: baseline, classes: baseClasses },
    {
      onAdded: (name, size) => {
        const change = changeOf(name)
        change.addedCount++
        change.addedSize += size
      },
      onRemoved: (name, size) => {
        const change = changeOf(name)
        change.removedCount++
        change.removedSize += size
      },
    },
  )
  return [...changes.values()]
}

interface Classified {
  graph: HeapGraph
  classes: ObjectClasses
}

/** Calls for each object that only one of two snapshots has in its class, with the name of the class and the size. */
function forEachDifference(
  head: Classified,
  baseline: Classified,
  { onAdded, onRemoved }: Record<'onAdded' | 'onRemoved', (className: string, size: number) => void>,
): void {
  const indexes = new Map(baseline.classes.names.map((name, index) => [name, index]))
  const indexesInBaseline = head.classes.names.map((name) => indexes.get(name) ?? -1)
  const nodeCount = baseline.graph.nodes.ids.length
  const known = new PairTable({
    valueWidth: 0,
    maxCount: nodeCount + 1,
    overflow: () => new RangeError('More objects than there are nodes'),
    capacity: Math.max(1024, nodeCount + 1),
  })
  const nodesOfEntries = new Int32Array(nodeCount + 1)
  forEachSized(baseline, (id, classIndex, node) => {
    nodesOfEntries[known.intern(id, classIndex)] = node
  })
  const isInBoth = new Uint8Array(known.count)
  forEachSized(head, (id, classIndex, node) => {
    const entry = known.find(id, indexesInBaseline[classIndex]!)
    if (entry > 0) isInBoth[entry] = 1
    else onAdded(head.classes.names[classIndex]!, head.graph.nodes.selfSizes[node]!)
  })
  for (let entry = 1; entry < known.count; entry++) {
    if (isInBoth[entry] === 1) continue
    const node = nodesOfEntries[entry]!
    const classIndex = baseline.classes.indexes[node]!
    onRemoved(baseline.classes.names[classIndex]!, baseline.graph.nodes.selfSizes[node]!)
  }
}

/** Calls for each object that has a size. Ids of V8 have 32 bits. */
function forEachSized(
  { graph, classes }: Classified,
  visit: (id: number, classIndex: number, node: number) => void,
): void {
  const { ids, selfSizes } = graph.nodes
  for (let node = 0; node < ids.length; node++) {
    if (selfSizes[node] !== 0) visit(ids[node]! | 0, classes.indexes[node]!, node)
  }
}

/** Calls for each object with a size that no other of its class dominates, going down the tree of dominators. */
function forEachOutermost(
  graph: HeapGraph,
  classes: ObjectClasses,
  onOutermost: (node: number, classIndex: number) => void,
): void {
  const { dominators, root } = graph
  const { selfSizes } = graph.nodes
  const firstChild = new Int32Array(dominators.length).fill(-1)
  const nextSibling = new Int32Array(dominators.length).fill(-1)
  for (let node = 0; node < dominators.length; node++) {
    const dominator = dominators[node]!
    if (dominator === -1) continue
    nextSibling[node] = firstChild[dominator]!
    firstChild[dominator] = node
  }
  const openCounts = new Int32Array(classes.names.length)
  const open = (node: number) => {
    if (selfSizes[node] === 0) return
    const classIndex = classes.indexes[node]!
    if (openCounts[classIndex]!++ === 0) onOutermost(node, classIndex)
  }
  const close = (node: number) => {
    if (selfSizes[node] !== 0) openCounts[classes.indexes[node]!]!--
  }
  for (let node = root; ;) {
    open(node)
    if (firstChild[node] !== -1) {
      node = firstChild[node]!
      continue
    }
    close(node)
    while (node !== root && nextSibling[node] === -1) {
      node = dominators[node]!
      close(node)
    }
    if (node === root) return
    node = nextSibling[node]!
  }
}
