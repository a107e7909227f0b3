import { edgeName, sourceOf, type HeapGraph } from '../heap/heap-graph.ts'
import { heapClasses } from './heap-classes.ts'

/** An object as it is shown. Sizes in bytes. */
export interface HeapObject {
  id: number
  /** The constructor of an object, the name of a function, the beginning of a string. */
  name: string
  className: string
  shallowSize: number
  /** What would be freed with it. */
  retainedSize: number
}

/** A reference that keeps the object before it alive. */
export interface RetainerStep {
  /** `property`, `element`, `context` (a variable of a closure), `internal`, … */
  edgeType: string
  edgeName: string
  /** The object that has the reference. */
  holder: HeapObject
}

/** From the object outwards to a root. Of very long ones the middle is left out. */
export interface RetainingPath {
  steps: RetainerStep[]
  /** How many steps are left out, after `leftOutAfter` of those that are there. */
  leftOutCount: number
  leftOutAfter: number
}

export interface RetainedObject extends HeapObject {
  /** The shortest first, each by another one of the objects that refer to it; none of what is a root itself. */
  paths: RetainingPath[]
}

export interface RetainersOptions {
  /** An object, or those of a class that keep most: its name, or a part that only one class has. */
  of: { objectId: number } | { className: string; limit: number }
  /** How many of the shortest ways from a root to each object. */
  pathCount: number
}

/** Why objects are alive, or why these are none. */
export type Retainers =
  | { refused: 'no_object' | 'no_class' }
  /** Some of their names. */
  | { refused: 'several_classes'; classCount: number; classNames: string[] }
  | {
      className: string
      /** Of the class. Bytes. */
      objectCount: number
      retainedSize: number
      objects: RetainedObject[]
    }

const innerSteps = 20
const outerSteps = 5
const nameLength = 100
/** Objects that refer to one: those that are looked at when the ways to them lead through the one itself. */
const holdersMax = 1000

/** Why an object is alive, or the largest of a class, with what the class has in all. */
export function retainersOf(graph: HeapGraph, { of, pathCount }: RetainersOptions): Retainers {
  const found = 'objectId' in of ? objectOfId(graph, of.objectId) : largestNamed(graph, of)
  if ('refused' in found) return found
  const row = heapClasses(graph).find(({ name }) => name === found.className)
  return {
    className: found.className,
    objectCount: row?.objectCount ?? 0,
    retainedSize: row?.retainedSize ?? 0,
    objects: retainingPaths(graph, found.nodes, pathCount),
  }
}

type Found = { className: string; nodes: number[] } | Extract<Retainers, { refused: string }>

function largestNamed(graph: HeapGraph, { className, limit }: { className: string; limit: number }): Found {
  const { names } = graph.classes
  const matching = names.includes(className) ? [className] : names.filter((name) => name.includes(className))
  const [only, ...others] = matching
  if (only === undefined) return { refused: 'no_class' }
  if (others.length > 0) {
    return { refused: 'several_classes', classCount: matching.length, classNames: matching.slice(0, 10) }
  }
  return { className: only, nodes: largestOfClass(graph, only, limit) }
}

function objectOfId(graph: HeapGraph, id: number): Found {
  const node = nodeOfId(graph, id)
  if (node === undefined) return { refused: 'no_object' }
  return { className: graph.classes.names[graph.classes.indexes[node]!]!, nodes: [node] }
}

/** The nodes of a class that have a size, those that keep most first. */
export function largestOfClass(graph: HeapGraph, className: string, limit: number): number[] {
  const { classes, nodes, retainedSizes } = graph
  const classIndex = classes.names.indexOf(className)
  const found: number[] = []
  for (let node = 0; node < nodes.ids.length; node++) {
    if (classes.indexes[node] === classIndex && nodes.selfSizes[node] !== 0) found.push(node)
  }
  return found.toSorted((a, b) => retainedSizes[b]! - retainedSizes[a]! || a - b).slice(0, limit)
}

/** The node of an object; undefined when there is no such id. */
export function nodeOfId(graph: HeapGraph, id: number): number | undefined {
  const node = graph.nodes.ids.indexOf(id)
  return node === -1 ? undefined : node
}

/** Why objects are alive: up to `pathCount` of the shortest ways from a root to each. */
export function retainingPaths(
  graph: HeapGraph,
  nodes: readonly number[],
  pathCount: number,
): RetainedObject[] {
  const references = referencesTo(graph, new Set(nodes))
  return nodes.map((node) => {
    const paths: RetainingPath[] = []
    const holders = new Set<number>()
    const byDistance = references
      .get(node)!
      .toSorted((a, b) => graph.distances[a.holder]! - graph.distances[b.holder]! || a.edge - b.edge)
    for (const { edge, holder } of byDistance) {
      if (paths.length === pathCount || holders.size === holdersMax) break
      if (holders.has(holder) || graph.distances[holder] === -1) continue
      holders.add(holder)
      const path = pathFrom(graph, edge, node)
      if (path !== undefined) paths.push(path)
    }
    return { ...heapObject(graph, node), paths }
  })
}

interface Reference {
  edge: number
  holder: number
}

/** The references to some nodes, in one pass; not those of the root, which are no reason, nor those to themselves. */
function referencesTo(graph: HeapGraph, wanted: ReadonlySet<number>): ReadonlyMap<number, Reference[]> {
  const found = new Map<number, Reference[]>([...wanted].map((node) => [node, []]))
  const { targets } = graph.edges
  for (let edge = 0; edge < targets.length; edge++) {
    const target = targets[edge]!
    if (!wanted.has(target)) continue
    const holder = sourceOf(graph, edge)
    if (holder !== target && holder !== graph.root) found.get(target)!.push({ edge, holder })
  }
  return found
}

/** The way by an edge and then the shortest one; undefined when that goes through the object itself. */
function pathFrom(graph: HeapGraph, firstEdge: number, object: number): RetainingPath | undefined {
  const edges: number[] = []
  for (let edge = firstEdge; edge !== -1 && edges.length <= graph.nodes.ids.length;) {
    const holder = sourceOf(graph, edge)
    if (holder === object) return undefined
    if (holder === graph.root) break
    edges.push(edge)
    edge = graph.pathEdges[holder]!
  }
  const leftOutCount = Math.max(0, edges.length - innerSteps - outerSteps)
  const shown = leftOutCount === 0 ? edges : [...edges.slice(0, innerSteps), ...edges.slice(-outerSteps)]
  return {
    steps: shown.map((edge) => ({
      edgeType: graph.edgeTypes[graph.edges.types[edge]!]!,
      edgeName: clipped(edgeName(graph, edge)),
      holder: heapObject(graph, sourceOf(graph, edge)),
    })),
    leftOutCount,
    leftOutAfter: leftOutCount === 0 ? shown.length : innerSteps,
  }
}

function heapObject(graph: HeapGraph, node: number): HeapObject {
  const { nodes, strings, classes } = graph
  return {
    id: nodes.ids[node]!,
    name: clipped(strings[nodes.names[node]!]!),
    className: clipped(classes.names[classes.indexes[node]!]!),
    shallowSize: nodes.selfSizes[node]!,
    retainedSize: graph.retainedSizes[node]!,
  }
}

function clipped(text: string): string {
  return text.length > nameLength ? `${text.slice(0, nameLength - 1)}…` : text
}
