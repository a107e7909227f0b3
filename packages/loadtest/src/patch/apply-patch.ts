import { applyPatch as applyOperations } from 'rfc6902'
import { z } from 'zod'
import { isTooDeep } from '../json/json-depth.ts'
import { follow, pointerNames, type Place } from '../json/json-pointer.ts'
import { isSameJson } from '../json/same-json.ts'
import { documentLevelsMax } from '../model/action.ts'

/** Operations of one patch, at most. */
export const patchOperationsMax = 1000

/** Characters of a document as JSON, at most. */
export const documentCharactersMax = 50_000_000

/** Characters, as JSON, of all that the operations of a patch look at, replace or move: a large part may be moved to and fro. */
const weightMax = 100_000_000

const pointer = z.string().max(2000)
const value = z.json()
type Json = z.infer<typeof value>

/** One operation of a JSON patch (https://www.rfc-editor.org/rfc/rfc6902). */
export const patchOperation = z.discriminatedUnion('op', [
  z.object({ op: z.literal('add'), path: pointer, value }),
  z.object({ op: z.literal('remove'), path: pointer }),
  z.object({ op: z.literal('replace'), path: pointer, value }),
  z.object({ op: z.literal('move'), from: pointer, path: pointer }),
  z.object({ op: z.literal('copy'), from: pointer, path: pointer }),
  z.object({ op: z.literal('test'), path: pointer, value }),
])
export type PatchOperation = z.infer<typeof patchOperation>

/** An operation that cannot be done: which one of the patch, counted from 0, and what is wrong with it. */
export class PatchError extends Error {
  readonly index: number
  readonly op: string
  readonly path: string

  constructor(index: number, { op, path }: { op: string; path: string }, reason: string) {
    super(`Operation ${index} (${op} ${path === '' ? 'the whole document' : path}): ${reason}`)
    this.index = index
    this.op = op
    this.path = path
  }
}

export interface Patched {
  document: unknown
  /** The patch that makes the document before of this one. */
  inverse: PatchOperation[]
}

/**
 * Operations from outside, read.
 * @throws PatchError for the first one that is none
 */
export function parsePatch(operations: readonly Record<string, unknown>[]): PatchOperation[] {
  return operations.map((operation, index) => {
    const refuse = (reason: string) =>
      new PatchError(index, { op: String(operation['op']), path: String(operation['path']) }, reason)
    if (isTooDeep(operation, documentLevelsMax)) throw refuse('Its value is nested too deeply.')
    const { success, data, error } = patchOperation.safeParse(operation)
    if (success) return data
    const [issue] = error.issues
    throw refuse(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
  })
}

/** What moves and copies are made of, too. */
type Step = Extract<PatchOperation, { op: 'add' | 'remove' | 'replace' }>

/**
 * Does all operations of a patch on a copy of a document, one after the other. What comes of it is not valid by any schema yet.
 * @throws PatchError for the first operation that cannot be done
 */
export function applyPatch(document: unknown, patch: readonly PatchOperation[]): Patched {
  // In an object, so that the document as a whole has a place like everything in it.
  const root = { document: structuredClone(document) }
  const inverse: PatchOperation[] = []
  let characters = JSON.stringify(document).length
  let weight = 0
  for (const [index, operation] of patch.entries()) {
    const refuse = (reason: string) => new PatchError(index, operation, reason)
    /** A copy, because what is put into a document goes on changing with it. */
    const copyOf: Copy = (found) => {
      weight += JSON.stringify(found).length
      if (weight > weightMax)
        throw refuse('Together with those before it, it moves too much. Send them in parts.')
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- documents are JSON
      return structuredClone(found) as Json
    }
    if (index >= patchOperationsMax)
      throw refuse(`A patch has ${patchOperationsMax} operations at most. Send the rest in a second one.`)
    for (const step of stepsOf(root, operation, refuse, copyOf)) {
      if ('value' in step && operation.op !== 'move') characters += JSON.stringify(step.value).length
      if (characters > documentCharactersMax) throw refuse('The document would become too large.')
      inverse.unshift(take(root, step, refuse, copyOf))
    }
  }
  return { document: root.document, inverse }
}

/** The patch that undoes a patch, on what that made of the document. @throws PatchError */
export function inversePatch(document: unknown, patch: readonly PatchOperation[]): PatchOperation[] {
  return applyPatch(document, patch).inverse
}

type Refuse = (reason: string) => PatchError
type Copy = (found: unknown) => Json

function stepsOf(root: object, operation: PatchOperation, refuse: Refuse, copyOf: Copy): Step[] {
  const { path } = operation
  switch (operation.op) {
    case 'copy':
      return [{ op: 'add', path, value: copyOf(valueOf(root, operation.from, refuse)) }]
    case 'move': {
      const { from } = operation
      const moved = copyOf(valueOf(root, from, refuse))
      if (path === from) return []
      if (path.startsWith(`${from}/`)) throw refuse('Nothing can be moved into itself.')
      return [
        { op: 'remove', path: from },
        { op: 'add', path, value: moved },
      ]
    }
    case 'test': {
      const isSame = isSameJson(copyOf(valueOf(root, path, refuse)), operation.value)
      if (!isSame) throw refuse('There is another value than the one that was expected.')
      return []
    }
    default:
      return [operation]
  }
}

/** Takes a step, and gives the one that undoes it. */
function take(root: object, step: Step, refuse: Refuse, copyOf: Copy): Step {
  const { path } = step
  if (step.op === 'remove' && path === '') throw refuse('A document cannot be removed from itself.')
  const { parent, name, value: before } = placeOf(root, path, refuse)
  const undone = undoing(step, before === undefined ? undefined : copyOf(before), parent, name)
  if (undone === undefined) throw refuse(`There is nothing at ${path}.`)
  const [failure] = applyOperations(root, [{ ...step, path: `/document${path}` }])
  if (failure) throw refuse(failure.message)
  return undone
}

/** Undefined where there is nothing that could be replaced or removed. */
function undoing(
  { op, path }: Step,
  before: Json | undefined,
  parent: Place['parent'],
  name: string,
): Step | undefined {
  if (op === 'add') {
    if (!Array.isArray(parent))
      return before === undefined ? { op: 'remove', path } : { op: 'replace', path, value: before }
    return { op: 'remove', path: name === '-' ? path.replace(/-$/, String(parent.length)) : path }
  }
  if (before === undefined) return undefined
  return { op: op === 'remove' ? 'add' : 'replace', path, value: before }
}

function placeOf(root: object, path: string, refuse: Refuse): Place {
  const names = pointerNames(path)
  if (names === undefined) throw refuse(`${path} is no JSON pointer: write /actions/0/name.`)
  const place = follow(root, ['document', ...names])
  if (place === undefined) throw refuse(`${path} leads nowhere.`)
  return place
}

function valueOf(root: object, path: string, refuse: Refuse): unknown {
  const { value: found } = placeOf(root, path, refuse)
  if (found === undefined) throw refuse(`There is nothing at ${path}.`)
  return found
}
