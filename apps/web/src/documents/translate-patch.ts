import { inside, isObject, namesOf, partOf, valueAt } from './json.ts'
import { applyPatch, moveOperations, type Operation, PatchMisfit, setting } from './json-patch.ts'

/**
 * A patch of one document as it has to be for another version of it, where things may stand elsewhere. What has an id is found
 * by it, and a place in a list by what stands before it.
 * @throws PatchMisfit when something is not there any more
 */
export function translated(from: unknown, to: unknown, patch: readonly Operation[]): Operation[] {
  const result: Operation[] = []
  let [before, after] = [from, to]
  for (const operation of patch) {
    const moved = translate(before, after, operation)
    before = applyPatch(before, [operation]).document
    after = applyPatch(after, moved).document
    result.push(...moved)
  }
  return result
}

function translate(from: unknown, to: unknown, operation: Operation): Operation[] {
  switch (operation.op) {
    case 'remove':
      return [{ op: 'remove', path: placeOf(from, to, operation.path) }]
    case 'replace':
      return [setting(to, placeOf(from, to, operation.path), operation.value)]
    case 'add':
      return [{ ...operation, path: newPlaceOf(from, to, operation.path) }]
    default: {
      const source = placeOf(from, to, operation.from)
      // Where it goes is told as if it were gone already.
      const path = newPlaceOf(without(from, operation.from), without(to, source), operation.path)
      return moveOperations(to, source, path)
    }
  }
}

function without(document: unknown, path: string): unknown {
  return applyPatch(document, [{ op: 'remove', path }]).document
}

/** Where what is at a pointer stands by now. */
function placeOf(from: unknown, to: unknown, pointer: string): string {
  const names = namesOf(pointer)
  let value = from
  let place = ''
  for (const name of names) {
    value = partOf(value, name)
    const id = idOf(value)
    const found = id === undefined ? undefined : pointerOfId(to, id)
    if (id !== undefined && found === undefined) throw new PatchMisfit(`${id} is gone`)
    place = found ?? inside(place, name)
  }
  return place
}

/** Where something new that was to come to a pointer is to come by now. */
function newPlaceOf(from: unknown, to: unknown, pointer: string): string {
  const end = pointer.lastIndexOf('/')
  const [parent, last] = [pointer.slice(0, end), pointer.slice(end + 1)]
  const place = placeOf(from, to, parent)
  const [list, listNow] = [valueAt(from, parent), valueAt(to, place)]
  if (!Array.isArray(list) || !Array.isArray(listNow)) return inside(place, namesOf(pointer).at(-1) ?? '')
  const before = list
    .slice(0, Number(last))
    .findLast((each: unknown) =>
      listNow.some((one: unknown) => idOf(one) !== undefined && idOf(one) === idOf(each)),
    )
  const isIdentified = list.some((each: unknown) => idOf(each) !== undefined)
  const index = isIdentified
    ? listNow.findIndex((one: unknown) => idOf(one) !== undefined && idOf(one) === idOf(before)) + 1
    : Math.min(Number(last), listNow.length)
  return inside(place, index)
}

function idOf(value: unknown): string | undefined {
  const id = isObject(value) ? value['id'] : undefined
  return typeof id === 'string' ? id : undefined
}

function pointerOfId(value: unknown, id: string, pointer = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (idOf(value) === id) return pointer
  for (const [name, part] of Object.entries(value)) {
    const found = pointerOfId(part, id, inside(pointer, name))
    if (found !== undefined) return found
  }
  return undefined
}
