import type { ActionTree, TreeNode } from './action-tree.ts'
import { rowsAround } from './action-tree.ts'
import { actionHaystack } from './action-words.ts'

export interface FilteredKeys {
  /** Rows that are shown: those that fit, what is around them, and what is in them. */
  shown: ReadonlySet<string>
  /** Rows that have to be open for those that fit to be seen. */
  open: ReadonlySet<string>
  fitCount: number
}

/** The rows whose action has all words of a filter. */
export function filteredKeys(
  tree: ActionTree,
  filter: string,
  serverNames: ReadonlyMap<string, string>,
): FilteredKeys {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const shown = new Set<string>()
  const open = new Set<string>()
  let fitCount = 0
  for (const node of tree.byKey.values()) {
    if (node.kind === 'branch' || !fits(node, words, serverNames)) continue
    fitCount++
    show(node, shown)
    for (const around of rowsAround(tree, node)) {
      shown.add(around.key)
      open.add(around.key)
    }
  }
  return { shown, open, fitCount }
}

function fits({ action }: TreeNode, words: readonly string[], serverNames: ReadonlyMap<string, string>) {
  const haystack = actionHaystack(action, serverNames)
  return words.every((word) => haystack.includes(word))
}

function show(node: TreeNode, shown: Set<string>): void {
  if (shown.has(node.key)) return
  shown.add(node.key)
  for (const child of node.children) show(child, shown)
}
