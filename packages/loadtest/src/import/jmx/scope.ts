import { SourceError } from '../importer.ts'
import type { JmxElement } from './jmx-element.ts'
import { type Role, roleOf } from './roles.ts'
import type { Work } from './work.ts'

/** An element whose children apply to the samplers below it, inside of those around it. */
export interface Scope {
  owner: JmxElement
  around: Scope | undefined
}

const appliedMax = 500
const appliedInAllMax = 1_000_000

/**
 * The elements of a role that apply to a sampler: outermost first, its own last. Of those that are disabled only its own are
 * told of: they stay with it, disabled.
 */
export function appliedTo(work: Work, scope: Scope, role: Role): JmxElement[] {
  const levels: (readonly JmxElement[])[] = []
  for (let level: Scope | undefined = scope; level !== undefined; level = level.around)
    levels.unshift(ofRole(level.owner, role))
  const applied = levels.flat().filter((element) => element.isEnabled || isOwn(scope, element))
  work.count.applied += applied.length
  if (applied.length > appliedMax || work.count.applied > appliedInAllMax)
    throw new SourceError('Too many elements apply to its samplers.', scope.owner.place)
  return applied
}

/** Whether an element stands right below the sampler. */
export function isOwn(scope: Scope, element: JmxElement): boolean {
  return element.around === scope.owner
}

const byRole = new WeakMap<JmxElement, ReadonlyMap<Role, readonly JmxElement[]>>()

function ofRole(owner: JmxElement, role: Role): readonly JmxElement[] {
  let known = byRole.get(owner)
  if (known === undefined) {
    known = Map.groupBy(owner.children, roleOf)
    byRole.set(owner, known)
  }
  return known.get(role) ?? []
}
