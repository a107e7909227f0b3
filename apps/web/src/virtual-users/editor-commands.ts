import type { ActionTree } from './action-tree.ts'
import { counted } from '../documents/counted.ts'
import { actionTitle } from './action-words.ts'
import {
  enabling,
  insertion,
  moving,
  neighbour,
  outermost,
  placeBeside,
  removal,
  withFreshIds,
} from './edit-actions.ts'
import type { JsonObject } from '../documents/json.ts'
import type { Operation } from '../documents/json-patch.ts'

/** Actions that wait to be pasted: copies, or the keys of those that move. */
export type Clipboard =
  | { kind: 'copied'; actions: readonly JsonObject[] }
  | { kind: 'cut'; keys: readonly string[] }

export interface EditorCommand {
  id: string
  label: string
  /** The keys that do the same in the tree, as people read them. */
  keys: string
  isPossible: boolean
  run: () => void
}

interface Situation {
  document: JsonObject
  tree: ActionTree
  chosen: readonly string[]
  clipboard: Clipboard | undefined
  change: (words: string, patch: readonly Operation[]) => void
  /** Chooses actions, and opens what they are in. */
  show: (keys: string[]) => void
  setClipboard: (clipboard: Clipboard | undefined) => void
}

/** What can be done with the chosen actions. */
export function editorCommands(situation: Situation): EditorCommand[] {
  const { document, tree, chosen, clipboard, change, show, setClipboard } = situation
  const nodes = outermost(tree, chosen)
  const keys = nodes.map(({ key }) => key)
  const [only] = nodes
  const what =
    nodes.length === 1 && only !== undefined
      ? `“${actionTitle(only.action)}”`
      : counted(nodes.length, 'action')
  const hasChosen = nodes.length > 0
  const areOff = nodes.every(({ isOff }) => isOff)
  const move = (way: 'up' | 'down' | 'in' | 'out', label: string, shortcut: string): EditorCommand => {
    const destination = neighbour(tree, keys, way)
    return {
      id: way,
      label,
      keys: shortcut,
      isPossible: hasChosen && destination !== undefined,
      run: () => {
        if (destination === undefined) return
        change(`Moved ${what}`, moving(document, keys, destination))
        show(keys)
      },
    }
  }
  const paste = () => {
    const destination = placeBeside(tree, chosen.at(-1))
    if (clipboard?.kind === 'cut') {
      change(
        `Moved ${counted(clipboard.keys.length, 'action')}`,
        moving(document, clipboard.keys, destination),
      )
      setClipboard(undefined)
      show([...clipboard.keys])
    } else if (clipboard !== undefined) {
      const copies = withFreshIds(clipboard.actions)
      change(`Pasted ${counted(copies.length, 'action')}`, insertion(tree, copies, destination))
      show(copies.map(({ id }) => String(id)))
    }
  }
  return [
    move('up', 'Move up', 'Alt ↑'),
    move('down', 'Move down', 'Alt ↓'),
    move('in', 'Move into the one above', 'Ctrl ]'),
    move('out', 'Move out', 'Ctrl ['),
    {
      id: 'cut',
      label: 'Cut',
      keys: 'Ctrl X',
      isPossible: hasChosen,
      run: () => setClipboard({ kind: 'cut', keys }),
    },
    {
      id: 'copy',
      label: 'Copy',
      keys: 'Ctrl C',
      isPossible: hasChosen,
      run: () => setClipboard({ kind: 'copied', actions: nodes.map(({ action }) => action) }),
    },
    {
      id: 'paste',
      label: 'Paste behind',
      keys: 'Ctrl V',
      isPossible: clipboard !== undefined,
      run: paste,
    },
    {
      id: 'duplicate',
      label: 'Duplicate',
      keys: 'Ctrl D',
      isPossible: hasChosen,
      run: () => {
        const copies = withFreshIds(nodes.map(({ action }) => action))
        change(`Duplicated ${what}`, insertion(tree, copies, placeBeside(tree, keys.at(-1))))
        show(copies.map(({ id }) => String(id)))
      },
    },
    {
      id: 'enable',
      label: areOff ? 'Enable' : 'Disable',
      keys: 'Ctrl E',
      isPossible: hasChosen,
      run: () => change(`${areOff ? 'Enabled' : 'Disabled'} ${what}`, enabling(document, tree, keys, areOff)),
    },
    {
      id: 'delete',
      label: 'Delete',
      keys: 'Del',
      isPossible: hasChosen,
      run: () => {
        change(`Deleted ${what}`, removal(tree, keys))
        show([])
      },
    },
  ]
}

const withCtrl: Readonly<Record<string, string>> = {
  x: 'cut',
  c: 'copy',
  v: 'paste',
  d: 'duplicate',
  e: 'enable',
  ']': 'in',
  '[': 'out',
}

/** The id of the command that a key means in the tree; also `undo`, `redo`. */
export function commandOfKey(event: {
  key: string
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
}): string | undefined {
  const { key, altKey, shiftKey } = event
  if (event.ctrlKey || event.metaKey) {
    const letter = key.toLowerCase()
    if (letter === 'z') return shiftKey ? 'redo' : 'undo'
    if (letter === 'y') return 'redo'
    return withCtrl[letter]
  }
  if (altKey && key === 'ArrowUp') return 'up'
  if (altKey && key === 'ArrowDown') return 'down'
  return key === 'Delete' || key === 'Backspace' ? 'delete' : undefined
}
