import type { Action } from '../model/action.ts'
import { variablesReadBy, variablesWrittenBy } from '../model/script-variables.ts'
import { variablesOf } from '../model/template-text.ts'
import type { VirtualUser } from '../model/virtual-user.ts'
import { walkActions } from './walk-actions.ts'

/** Texts that are no templates, and lists of other actions. */
const passedOver = new Set([
  'id',
  'pattern',
  'source',
  'comment',
  'disabled_reason',
  'expression',
  'selector',
  'actions',
  'else_actions',
  'choices',
])

/** Names of the variables that an action itself needs, each once; not those that actions inside it need. */
export function variablesNamedBy(action: Action): Set<string> {
  const names = new Set(variablesIn(action))
  if (action.type === 'for_each') names.add(action.list)
  if (action.type === 'script') for (const name of variablesReadBy(action.source)) names.add(name)
  return names
}

/** Names of the variables in all templates of a value. */
export function variablesIn(value: unknown): string[] {
  if (typeof value === 'string') return variablesOf(value)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => (passedOver.has(key) ? [] : variablesIn(member)))
}

/** Names of the variables that actions give values to, also disabled ones. */
export function variablesSetBy(document: Pick<VirtualUser, 'actions'>): Set<string> {
  return new Set(walkActions(document).flatMap(({ action }) => variablesSetByAction(action)))
}

/** Names of the variables that an action itself gives values to. */
export function* variablesSetByAction(action: Action): Generator<string> {
  if ('extractors' in action) for (const { variable } of action.extractors) yield variable
  if (action.type === 'set_variable' || action.type === 'for_each') yield action.variable
  if (action.type === 'script') yield* variablesWrittenBy(action.source)
  if (action.type === 'page')
    for (const step of action.steps) if (step.type === 'extract') yield step.variable
}
