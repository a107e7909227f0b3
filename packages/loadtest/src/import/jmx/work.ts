import type { Action, ActionOf } from '../../model/action.ts'
import type { ImportContext, ImportOptions } from '../importer.ts'
import type { ServerDrafts } from '../server-drafts.ts'
import type { Fates } from './fates.ts'
import type { JmxElement } from './jmx-element.ts'
import type { Scope } from './scope.ts'
import type { Texts } from './texts.ts'

/** What all parts of the import of one plan share. */
export interface Work {
  context: ImportContext
  options: ImportOptions
  fates: Fates
  texts: Texts
  servers: ServerDrafts
  /** The whole plan: Test Plan and, in old ones, WorkBench. */
  plan: readonly JmxElement[]
  /** Names of all variables that stand somewhere in the plan. */
  referenced: ReadonlySet<string>
  /** Variables that keep the value they have where an extractor finds nothing: they need one from the start. */
  unset: Set<string>
  /** Config elements that were read. */
  told: Set<JmxElement>
  /** Actions that were made so far. */
  count: { actions: number; applied: number }
}

/** Says of an element that something of it is not as it was. */
export function noteOf({ fates }: Work, element: JmxElement): (text: string) => void {
  return (text) => fates.note(element, text)
}

/** What every action has of the element that it was. */
export function commonOf(
  { context }: Work,
  { name, comment, isEnabled }: JmxElement,
): {
  id: string
  name: string
  comment: string
  enabled: boolean
} {
  return {
    id: context.newId('action'),
    name: name.slice(0, 200),
    comment: comment.slice(0, 2000),
    enabled: isEnabled,
  }
}

/** How controllers read what is in them, of which they are a part themselves. */
export interface Readers {
  readActions: (work: Work, scope: Scope, depth: number) => Action[]
  readOne: (work: Work, element: JmxElement, scope: Scope, depth: number) => Action[]
}

export function containerOf(work: Work, element: JmxElement, actions: Action[]): ActionOf<'container'> {
  return { type: 'container', ...commonOf(work, element), actions }
}
