import { operations, Problem, type OutputOf } from '@flamegate/contract'
import {
  heapClasses,
  largestOfClass,
  nodeOfId,
  retainingPaths,
  type HeapGraph,
  type HeapObject,
  type RetainedObject,
} from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { openHeapGraph } from './heap-graphs.ts'

/** The first says why an object lives; others show what else would have to let go of it. */
const pathsOfEach = 3

type Answer = OutputOf<typeof operations.getHeapRetainers>

export const getHeapRetainers = implement(operations.getHeapRetainers)(async (input, context) => {
  const { class_name: className, object_id: objectId } = input
  const { record, graph } = await openHeapGraph(context, input.profile_id, 'profile_id')
  const found =
    className !== undefined && objectId === undefined
      ? largestNamed(graph, className, input.top_n)
      : className === undefined && objectId !== undefined
        ? objectOfId(graph, objectId)
        : undefined
  if (found === undefined) throw invalid('class_name', 'Give either class_name or object_id.')
  const row = heapClasses(graph).find(({ name }) => name === found.className)
  return {
    profile_id: record.id,
    class_name: found.className,
    object_count: row?.objectCount ?? 0,
    retained_size: row?.retainedSize ?? 0,
    objects: retainingPaths(graph, found.nodes, pathsOfEach).map(retainedOnWire),
  }
})

interface Found {
  className: string
  nodes: number[]
}

/** The name of a class, or a part that only one class has. @throws Problem `invalid_input` */
function largestNamed(graph: HeapGraph, wanted: string, limit: number): Found {
  const { names } = graph.classes
  const matching = names.includes(wanted) ? [wanted] : names.filter((name) => name.includes(wanted))
  const [className, ...others] = matching
  if (className === undefined) throw invalid('class_name', 'No class of this snapshot has that in its name.')
  if (others.length > 0) {
    const some = matching.slice(0, 10).join(', ')
    throw invalid('class_name', `${matching.length} classes have that in their names: ${some}.`)
  }
  return { className, nodes: largestOfClass(graph, className, limit) }
}

/** @throws Problem `invalid_input` */
function objectOfId(graph: HeapGraph, id: number): Found {
  const node = nodeOfId(graph, id)
  if (node === undefined) throw invalid('object_id', 'No object of this snapshot has that id.')
  return { className: graph.classes.names[graph.classes.indexes[node]!]!, nodes: [node] }
}

function invalid(field: string, message: string): Problem {
  return new Problem('invalid_input', message, {
    errors: [{ field, message }],
    hint: [operations.getHeapSnapshotClasses, 'shows the classes there are'],
  })
}

function retainedOnWire(object: RetainedObject): Answer['objects'][number] {
  return {
    ...objectOnWire(object),
    paths: object.paths.map(({ steps, leftOutCount }) => ({
      steps: steps.map(({ edgeType, edgeName, holder }) => ({
        edge_type: edgeType,
        edge_name: edgeName,
        ...objectOnWire(holder),
      })),
      omitted_steps: leftOutCount,
    })),
  }
}

function objectOnWire(object: HeapObject): Omit<Answer['objects'][number], 'paths'> {
  return {
    object_id: object.id,
    name: object.name,
    class_name: object.className,
    shallow_size: object.shallowSize,
    retained_size: object.retainedSize,
  }
}
