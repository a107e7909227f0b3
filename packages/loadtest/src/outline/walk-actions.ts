import type { Action } from '../model/action.ts'
import type { VirtualUser } from '../model/virtual-user.ts'

/** An action where it stands. */
export interface ActionPlace {
  action: Action
  /** JSON pointer from the document on: `/actions/0/actions/3`. */
  pointer: string
  /** 1 for those that are in no other. */
  depth: number
  /** The list that it is in: id of the action that holds it and path from there, `act_1/else_actions`; empty for the outermost. */
  list: string
  /** What holds it says of it: `else`, or the choice that it belongs to; null for most. */
  branch: string | null
}

/** Every action of a virtual user in the order in which they are written, those in others after these. */
export function walkActions({ actions }: Pick<VirtualUser, 'actions'>): Generator<ActionPlace> {
  return walk(actions, { pointer: '/actions', depth: 1, list: '', branch: null })
}

function* walk(actions: readonly Action[], at: Omit<ActionPlace, 'action'>): Generator<ActionPlace> {
  for (const [index, action] of actions.entries()) {
    const pointer = `${at.pointer}/${index}`
    yield { ...at, action, pointer }
    for (const { path, branch, actions: inside } of listsOf(action)) {
      yield* walk(inside, {
        pointer: `${pointer}/${path}`,
        depth: at.depth + 1,
        list: `${action.id}/${path}`,
        branch,
      })
    }
  }
}

/** The lists of actions that an action holds, with their path from it on. */
export function listsOf(action: Action): { path: string; branch: string | null; actions: Action[] }[] {
  switch (action.type) {
    case 'container':
    case 'while':
    case 'loop':
    case 'for_each':
    case 'once':
      return [{ path: 'actions', branch: null, actions: action.actions }]
    case 'if':
      return [
        { path: 'actions', branch: null, actions: action.actions },
        { path: 'else_actions', branch: 'else', actions: action.else_actions },
      ]
    case 'random':
      return action.choices.map(({ weight, name, actions }, index) => ({
        path: `choices/${index}/actions`,
        branch: `choice ${index}${name === '' ? '' : ` “${name}”`}, weight ${weight}`,
        actions,
      }))
    default:
      return []
  }
}
