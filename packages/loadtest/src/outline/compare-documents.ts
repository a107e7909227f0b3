import type { Action } from '../model/action.ts'
import type { VirtualUser } from '../model/virtual-user.ts'
import { changedFields, type FieldChange } from './changed-fields.ts'
import { longestRise } from './longest-rise.ts'
import { walkActions, type ActionPlace } from './walk-actions.ts'

/** One difference between two virtual users. */
export interface DocumentChange {
  change: 'added' | 'removed' | 'moved' | 'changed'
  /** Null: of the virtual user itself. */
  actionId: string | null
  type: string | null
  name: string
  /** JSON pointer of the action; in the later document where it is there, in the earlier one where it was removed. */
  pointer: string
  /** Of `changed`: which fields, from the action on, with their values as JSON, shortened. */
  fields: FieldChange[]
}

/** How the later of two virtual users differs from the earlier one; actions are known by their ids. */
export function compareDocuments(before: VirtualUser, after: VirtualUser): DocumentChange[] {
  const earlier = placesById(before)
  const later = placesById(after)
  const own = changedFields(ownOf(before), ownOf(after))
  const moved = movedIds(earlier, later)
  const changes: DocumentChange[] =
    own.length === 0
      ? []
      : [{ change: 'changed', actionId: null, type: null, name: after.name, pointer: '', fields: own }]
  for (const place of later.values()) {
    const was = earlier.get(place.action.id)
    if (was === undefined) changes.push(told('added', place))
    else {
      if (moved.has(place.action.id)) changes.push(told('moved', place))
      const fields = changedFields(ownOf(was.action), ownOf(place.action))
      if (fields.length > 0) changes.push({ ...told('changed', place), fields })
    }
  }
  for (const place of earlier.values()) {
    if (!later.has(place.action.id)) changes.push(told('removed', place))
  }
  return changes
}

function placesById(document: VirtualUser): Map<string, ActionPlace> {
  return new Map(Array.from(walkActions(document), (place) => [place.action.id, place]))
}

function told(change: DocumentChange['change'], { action, pointer }: ActionPlace): DocumentChange {
  return { change, actionId: action.id, type: action.type, name: action.name, pointer, fields: [] }
}

/** What is in another list than before, or on the other side of neighbours that stayed. */
function movedIds(
  earlier: ReadonlyMap<string, ActionPlace>,
  later: ReadonlyMap<string, ActionPlace>,
): Set<string> {
  const positions = new Map([...earlier.keys()].map((id, position) => [id, position]))
  const moved = new Set<string>()
  const stayed: ActionPlace[] = []
  for (const [id, place] of later) {
    const was = earlier.get(id)
    if (was?.list === place.list) stayed.push(place)
    else if (was !== undefined) moved.add(id)
  }
  for (const places of Map.groupBy(stayed, ({ list }) => list).values()) {
    const ids = places.map(({ action }) => action.id)
    const inOrder = longestRise(ids.map((id) => positions.get(id) ?? 0))
    for (const [index, id] of ids.entries()) if (!inOrder.has(index)) moved.add(id)
  }
  return moved
}

/** An action, or a virtual user, without the actions inside it. */
function ownOf(whole: Action | VirtualUser): Record<string, unknown> {
  const { actions: _actions, else_actions: _else, choices, ...own }: Record<string, unknown> = { ...whole }
  if (!Array.isArray(choices)) return own
  return {
    ...own,
    choices: choices.map(({ weight, name }: { weight: number; name: string }) => ({ weight, name })),
  }
}
