import type { VirtualUser } from '../model/virtual-user.ts'
import { walkActions } from '../outline/walk-actions.ts'
import type { PatchOperation } from '../patch/apply-patch.ts'
import { DocumentEditor, type Replacement } from './document-editor.ts'
import { findUses } from './find-uses.ts'
import type { CorrelationSuggestion } from './suggest-correlations.ts'

/** One value that is correlated now: where it is taken from, and where it is sent. */
export interface AppliedCorrelation {
  /** Id of the suggestion, or name of the rule. */
  by: string
  actionId: string
  variable: string
  value: string
  replacements: Replacement[]
}

export interface Correlated {
  document: VirtualUser
  /** Makes the document of the one there was; its inverse undoes all. */
  patch: PatchOperation[]
  applied: AppliedCorrelation[]
}

export interface ApplyOptions {
  /** Ids of new actions and extractors. */
  newId: () => string
  /** Names of variables that are taken outside of the document. */
  taken?: Iterable<string>
}

/** Takes suggested values from answers. Those of which the action or all uses are gone are left out. */
export function applySuggestions(
  document: VirtualUser,
  suggestions: readonly CorrelationSuggestion[],
  { newId, taken }: ApplyOptions,
): Correlated {
  const editor = new DocumentEditor(document, newId, taken)
  const orders = new Map([...walkActions(document)].map(({ action }, order) => [action.id, order]))
  const applied: AppliedCorrelation[] = []
  // The longest first, so that no part of a value is replaced before the whole.
  for (const suggestion of suggestions.toSorted((a, b) => b.value.length - a.value.length)) {
    const { source, value, finder, decode } = suggestion
    const after = orders.get(source.actionId)
    if (after === undefined) continue
    const uses = findUses(editor.slots, value, { after, ownNames: [source.name.toLowerCase()] })
    if (uses.length === 0) continue
    const variable = editor.reserve(suggestion.variable)
    const replacements = editor.correlate(source.actionId, finder, decode, variable, uses)
    applied.push({ by: suggestion.id, actionId: source.actionId, variable, value, replacements })
  }
  return { ...editor.finish(), applied }
}
