import type { Action } from '../../model/action.ts'
import type { JmxElement } from './jmx-element.ts'
import { roleOf } from './roles.ts'
import type { Scope } from './scope.ts'
import { containerOf, type Readers, type Work } from './work.ts'

const modulesDepthMax = 10

/** A copy of what the Module Controller names, with what applies to it here. */
export function toModule(
  work: Work,
  element: JmxElement,
  scope: Scope,
  depth: number,
  readers: Readers,
): Action | undefined {
  const names = (element.properties.get('ModuleController.node_path')?.children ?? []).map(({ text }) => text)
  let modules = 0
  for (let level: Scope | undefined = scope; level !== undefined; level = level.around)
    if (level.owner.type === 'ModuleController') modules++
  const target = modules > modulesDepthMax ? undefined : find(work.plan, names)
  for (const child of element.children)
    work.fates.droppedWhole(child, 'JMeter does nothing with what is below it.')
  if (target === undefined || isAround(scope, target)) {
    work.fates.dropped(
      element,
      `What it names is not in the plan, or contains itself: ${names.join(' > ').slice(0, 300)}.`,
    )
    return undefined
  }
  if (roleOf(target) === 'fragment') work.fates.mapped(target)
  work.fates.note(element, `It is a copy of ${target.place}: change both.`)
  return containerOf(
    work,
    element,
    readers.readActions(work, { owner: target, around: scope.around }, depth + 1),
  )
}

function isAround(scope: Scope, target: JmxElement): boolean {
  for (let level: Scope | undefined = scope; level !== undefined; level = level.around)
    if (level.owner === target) return true
  return false
}

/** The path begins with what JMeter's window calls the root. */
function find(plan: readonly JmxElement[], names: readonly string[]): JmxElement | undefined {
  for (let skipped = 0; skipped < Math.min(names.length, 3); skipped++) {
    let found: JmxElement | undefined
    let among = plan
    for (const name of names.slice(skipped)) {
      found = among.find((element) => element.name === name)
      if (found === undefined) break
      among = found.children
    }
    if (found !== undefined) return found
  }
  return undefined
}
