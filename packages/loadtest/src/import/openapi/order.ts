import type { Operation } from './operation.ts'
import { madeBy, pathIds, resourceOf } from './resource-ids.ts'

/**
 * Puts operations into an order in which they can be done: what makes something before what uses its id, and what deletes it
 * after them. Otherwise those of a tag stay together, in the order of the document. Links say which comes before which, too.
 */
export function inOrder(
  operations: readonly Operation[],
  links: readonly (readonly [before: Operation, after: Operation])[],
): Operation[] {
  const after = new Map<Operation, Set<Operation>>(operations.map((each) => [each, new Set()]))
  const waits = new Map<Operation, number>(operations.map((each) => [each, 0]))
  const precede = (first: Operation, second: Operation): void => {
    const followers = after.get(first)!
    if (first === second || followers.has(second)) return
    followers.add(second)
    waits.set(second, waits.get(second)! + 1)
  }
  const makers = groupBy(operations, (each) => [madeBy(each)])
  const users = groupBy(operations, ({ path }) => pathIds(path).map(({ resource }) => resource))
  for (const [resource, using] of users) {
    const ends = using.filter((each) => each.method === 'DELETE' && resourceOf(each.path) === resource)
    for (const user of using) {
      for (const maker of makers.get(resource) ?? []) precede(maker, user)
      if (!ends.includes(user)) for (const end of ends) precede(user, end)
    }
  }
  for (const [before, later] of links) precede(before, later)
  return sorted(operations, after, waits)
}

/** Takes what waits for nothing, those of the same tag first; where all wait in a circle, the first of them. */
function sorted(
  operations: readonly Operation[],
  after: ReadonlyMap<Operation, ReadonlySet<Operation>>,
  waits: Map<Operation, number>,
): Operation[] {
  const left = new Set(operations)
  const order: Operation[] = []
  let tag: string | undefined
  while (left.size > 0) {
    let next: Operation | undefined
    for (const each of left) {
      if (waits.get(each)! > 0) continue
      if (each.tag === tag) {
        next = each
        break
      }
      next ??= each
    }
    next ??= left.values().next().value!
    left.delete(next)
    order.push(next)
    tag = next.tag
    for (const follower of after.get(next)!) waits.set(follower, waits.get(follower)! - 1)
  }
  return order
}

function groupBy(
  operations: readonly Operation[],
  keysOf: (operation: Operation) => readonly (string | undefined)[],
): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>()
  for (const operation of operations)
    for (const key of keysOf(operation)) {
      if (key === undefined) continue
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [operation])
      else group.push(operation)
    }
  return groups
}
