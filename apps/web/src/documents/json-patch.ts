import { inside, isObject, namesOf, valueAt } from './json.ts'

/** The operations of RFC 6902 that the editor makes. */
export type Operation =
  | { op: 'add' | 'replace'; path: string; value: unknown }
  | { op: 'remove'; path: string }
  | { op: 'move'; from: string; path: string }

/** A patch did not fit the document: something that it names is not there. */
export class PatchMisfit extends Error {}

/** Applies operations one after the other; what they do not touch is shared with the document before. */
export function applyPatch(
  document: unknown,
  patch: readonly Operation[],
): { document: unknown; inverse: Operation[] } {
  let current = document
  const inverse: Operation[] = []
  for (const operation of patch) {
    const applied = applyOperation(current, operation)
    current = applied.document
    inverse.unshift(...applied.inverse)
  }
  return { document: current, inverse }
}

function applyOperation(
  document: unknown,
  operation: Operation,
): { document: unknown; inverse: Operation[] } {
  const { path } = operation
  switch (operation.op) {
    case 'remove': {
      const removed = taken(document, path)
      return { document: removed.document, inverse: [{ op: 'add', path, value: removed.value }] }
    }
    case 'move': {
      const { from } = operation
      const removed = taken(document, from)
      return {
        document: put(removed.document, path, removed.value),
        inverse: [{ op: 'move', from: path, path: from }],
      }
    }
    case 'replace': {
      const before = valueAt(document, path)
      if (before === undefined) throw misfit(path)
      return {
        document: replaced(document, namesOf(path), () => operation.value, path),
        inverse: [{ op: 'replace', path, value: before }],
      }
    }
    default:
      return { document: put(document, path, operation.value), inverse: [{ op: 'remove', path }] }
  }
}

/** The operation that makes a field have a value, whether it is there or not. */
export function setting(document: unknown, path: string, value: unknown): Operation {
  return { op: valueAt(document, path) === undefined ? 'add' : 'replace', path, value }
}

/**
 * The operations that move something, where `path` is told as if it were gone already. RFC 6902 allows no move to what begins
 * with the pointer of what moves, though a neighbour may stand there by then: that is to take it away and to put it there.
 */
export function moveOperations(document: unknown, from: string, path: string): Operation[] {
  if (!path.startsWith(`${from}/`)) return [{ op: 'move', from, path }]
  return [
    { op: 'remove', path: from },
    { op: 'add', path, value: valueAt(document, from) },
  ]
}

function taken(document: unknown, path: string): { document: unknown; value: unknown } {
  const value = valueAt(document, path)
  const { parents, last } = split(path)
  if (value === undefined || last === undefined) throw misfit(path)
  return {
    value,
    document: replaced(
      document,
      parents,
      (parent) => {
        if (Array.isArray(parent)) return parent.toSpliced(Number(last), 1)
        const { [last]: _gone, ...rest } = isObject(parent) ? parent : {}
        return rest
      },
      path,
    ),
  }
}

/** Puts a value into a list before what is at that index, or into an object that has no such field. */
function put(document: unknown, path: string, value: unknown): unknown {
  const { parents, last } = split(path)
  if (last === undefined) throw misfit(path)
  return replaced(
    document,
    parents,
    (parent) => {
      if (Array.isArray(parent)) {
        const index = Number(last)
        if (!Number.isInteger(index) || index < 0 || index > parent.length) throw misfit(path)
        return parent.toSpliced(index, 0, value)
      }
      if (!isObject(parent) || Object.hasOwn(parent, last)) throw misfit(path)
      return { ...parent, [last]: value }
    },
    path,
  )
}

function replaced(
  whole: unknown,
  names: readonly string[],
  change: (part: unknown) => unknown,
  path: string,
): unknown {
  const [name, ...rest] = names
  if (name === undefined) return change(whole)
  const part = valueAt(whole, inside('', name))
  if (part === undefined) throw misfit(path)
  const changed = replaced(part, rest, change, path)
  if (Array.isArray(whole)) return whole.with(Number(name), changed)
  return { ...(isObject(whole) ? whole : {}), [name]: changed }
}

function split(path: string): { parents: string[]; last: string | undefined } {
  const names = namesOf(path)
  return { parents: names.slice(0, -1), last: names.at(-1) }
}

function misfit(path: string): PatchMisfit {
  return new PatchMisfit(`There is no place ${path}`)
}
