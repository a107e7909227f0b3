import type { ActionOf } from '../../model/action.ts'
import { virtualUser, type VirtualUser } from '../../model/virtual-user.ts'
import { type Identified, SourceError } from '../importer.ts'
import { readActions, readAround } from './actions.ts'
import { eachElement, flagOf, type JmxElement, propertiesOf, textOf } from './jmx-element.ts'
import { userAgentOf } from './headers.ts'
import { roleOf } from './roles.ts'
import type { Scope } from './scope.ts'
import type { Work } from './work.ts'

/** The virtual user that a thread group is; how many there are of it, and for how long, belongs to a scenario. */
export function readThreadGroup(
  work: Work,
  group: JmxElement,
  plan: JmxElement,
  name: string,
): Identified<VirtualUser> {
  const scope: Scope = { owner: group, around: { owner: plan, around: undefined } }
  const managers = [...plan.children, ...eachElement(group.children)].filter(({ isEnabled }) => isEnabled)
  const cookies = managers.findLast(({ type }) => type === 'CookieManager')
  const cache = managers.findLast(({ type }) => type === 'CacheManager')
  const id = work.context.newId('virtualUser')
  tellManagers(work, managers)
  work.unset.clear()
  const read = [...readAround(work, plan, group), ...readActions(work, scope, 0)]
  const actions = [...startOf(work), ...read].map((action) =>
    group.isEnabled ? action : { ...action, enabled: false },
  )
  const document = virtualUser.safeParse({
    name,
    description: group.comment.slice(0, 2000),
    tags: tagsOf(group),
    user_agent: userAgentOf(work, scope),
    cookies: { keep: cookies !== undefined, clear_each_iteration: clears(group, cookies, 'CookieManager') },
    cache: { keep: cache !== undefined, clear_each_iteration: clears(group, cache, 'CacheManager') },
    actions,
  })
  if (!document.success) {
    const [issue] = document.error.issues
    throw new SourceError(
      `It is more than a virtual user can hold: ${issue?.path.join('.')}: ${issue?.message}`,
      group.place,
    )
  }
  work.fates.approximated(group, loadOf(group))
  if (!group.isEnabled) work.fates.note(group, 'It is disabled in the plan: all its actions are.')
  return { id, document: document.data }
}

/** Sets what extractors keep where they find nothing. */
function startOf({ unset, context }: Work): ActionOf<'once'>[] {
  if (unset.size === 0) return []
  const common = () => ({ id: context.newId('action'), comment: '', enabled: true })
  const actions = [...unset].map((variable) => ({
    type: 'set_variable' as const,
    ...common(),
    name: `No ${variable} yet`.slice(0, 200),
    variable,
    value: '',
  }))
  return [{ type: 'once', ...common(), name: 'Before anything is extracted', actions }]
}

function tagsOf({ type }: JmxElement): string[] {
  if (type === 'SetupThreadGroup') return ['setup']
  return type === 'PostThreadGroup' ? ['teardown'] : []
}

/** Whether a new iteration begins without the cookies or files of the last; without a manager none are kept. */
function clears(group: JmxElement, manager: JmxElement | undefined, prefix: string): boolean {
  if (manager === undefined) return true
  if (flagOf(manager.properties, `${prefix}.controlledByThreadGroup`) === true)
    return flagOf(group.properties, 'ThreadGroup.same_user_on_next_iteration') === false
  const name = prefix === 'CookieManager' ? 'CookieManager.clearEachIteration' : 'clearEachIteration'
  return flagOf(manager.properties, name) === true
}

function tellManagers(work: Work, managers: readonly JmxElement[]): void {
  for (const manager of managers) {
    if (manager.type !== 'CookieManager' && manager.type !== 'CacheManager') continue
    work.fates.mapped(manager)
    if (manager.around !== undefined && !/ThreadGroup$|^TestPlan$/.test(manager.around.type))
      work.fates.note(manager, 'It is for the whole virtual user.')
    const cookies = manager.properties.get('CookieManager.cookies')?.children.length ?? 0
    if (cookies > 0)
      work.fates.note(
        manager,
        `${cookies} cookies that are there from the start are not set: send them as a Cookie header.`,
      )
  }
}

const labels: readonly [property: string, label: string][] = [
  ['ThreadGroup.num_threads', 'users'],
  ['ThreadGroup.ramp_time', 'seconds to start them'],
  ['ThreadGroup.duration', 'seconds in all'],
  ['ThreadGroup.delay', 'seconds before the first'],
  ['TargetLevel', 'users'],
  ['RampUp', 'to start them'],
  ['Hold', 'held'],
]

function loadOf(group: JmxElement): string {
  const numbers = labels.flatMap(([property, label]) => {
    const text = textOf(group.properties, property).trim()
    return text === '' ? [] : [`${text.slice(0, 60)} ${label}`]
  })
  const controller = group.properties.get('ThreadGroup.main_controller')
  const loops =
    controller === undefined ? '' : textOf(propertiesOf(controller), 'LoopController.loops').trim()
  if (loops !== '' && loops !== '1')
    numbers.push(loops === '-1' ? 'for ever' : `${loops.slice(0, 60)} iterations`)
  const onError = textOf(group.properties, 'ThreadGroup.on_sample_error')
  if (onError !== '' && onError !== 'continue') numbers.push(`${onError.slice(0, 40)} when a sampler fails`)
  return `Its load belongs to a scenario: ${numbers.join(', ') || 'as the plan tells'}.`
}

export function isThreadGroup(element: JmxElement): boolean {
  return roleOf(element) === 'thread_group'
}
