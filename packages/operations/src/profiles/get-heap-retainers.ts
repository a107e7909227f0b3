import { operations, Problem, type InputOf, type OutputOf } from '@flamegate/contract'
import type { HeapObject, QuestionAnswer, QuestionParams, RetainedObject } from '@flamegate/profiles'
import { implement } from '../implement.ts'
import { askSeveral } from './asking.ts'
import { getHeapSnapshot } from './heap-snapshots.ts'

/** The first says why an object lives; others show what else would have to let go of it. */
const pathsOfEach = 3

type Input = InputOf<typeof operations.getHeapRetainers>
type Answer = OutputOf<typeof operations.getHeapRetainers>
type Refusal = Extract<QuestionAnswer<'heapRetainers'>, { refused: string }>

export const getHeapRetainers = implement(operations.getHeapRetainers)(async (input, context) => {
  const record = await getHeapSnapshot(context, input.profile_id, 'profile_id')
  const found = await askSeveral(context, [record], 'heapRetainers', {
    of: asked(input),
    pathCount: pathsOfEach,
  })
  if ('refused' in found) throw notFound(found)
  return {
    profile_id: record.id,
    class_name: found.className,
    object_count: found.objectCount,
    retained_size: found.retainedSize,
    objects: found.objects.map(retainedOnWire),
  }
})

/** @throws Problem `invalid_input` */
function asked(input: Input): QuestionParams<'heapRetainers'>['of'] {
  const { class_name: className, object_id: objectId } = input
  if (className !== undefined && objectId === undefined) return { className, limit: input.top_n }
  if (className === undefined && objectId !== undefined) return { objectId }
  throw invalid('class_name', 'Give either class_name or object_id.')
}

function notFound(refusal: Refusal): Problem {
  switch (refusal.refused) {
    case 'no_object':
      return invalid('object_id', 'No object of this snapshot has that id.')
    case 'no_class':
      return invalid('class_name', 'No class of this snapshot has that in its name.')
    default: {
      const { classCount, classNames } = refusal
      return invalid(
        'class_name',
        `${classCount} classes have that in their names: ${classNames.join(', ')}.`,
      )
    }
  }
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
