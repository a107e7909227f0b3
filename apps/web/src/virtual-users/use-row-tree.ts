import { useEffect, useState } from 'react'
import type { ActionTree, TreeNode } from './action-tree.ts'
import { actionDetail, actionHaystack, actionTitle } from './action-words.ts'

/** So long nobody has typed, before rows are told their new words. */
const pauseMs = 300

/**
 * The tree that rows are made of: the same one while only what actions say changes, and what they say a moment later. To make the rows
 * of thousands of actions anew takes longer than a key may. What a row shows is drawn from the tree as it is by now, at once.
 */
export function useRowTree(tree: ActionTree, serverNames: ReadonlyMap<string, string>): ActionTree {
  const [kept, setKept] = useState(tree)
  useEffect(() => {
    const timer = setTimeout(
      () => setKept((before) => (hasSameWords(before, tree, serverNames) ? before : tree)),
      pauseMs,
    )
    return () => clearTimeout(timer)
  }, [tree, serverNames])
  return hasSameRows(kept, tree) ? kept : tree
}

/** Whether the rows of two trees are the same, whatever they say. */
export function hasSameRows(left: ActionTree, right: ActionTree): boolean {
  return every(left.roots, right.roots, () => true)
}

/** Whether two trees say the same in their rows, and to a filter. */
export function hasSameWords(
  left: ActionTree,
  right: ActionTree,
  serverNames: ReadonlyMap<string, string>,
): boolean {
  const wordsOf = ({ action, words }: TreeNode) =>
    [words, actionTitle(action), actionDetail(action, serverNames), actionHaystack(action, serverNames)].join(
      '\n',
    )
  return every(left.roots, right.roots, (one, other) => wordsOf(one) === wordsOf(other))
}

/** Whether rows correspond one to one, and each two are alike. Those that are the same object are not looked into. */
function every(
  left: readonly TreeNode[],
  right: readonly TreeNode[],
  isAlike: (left: TreeNode, right: TreeNode) => boolean,
): boolean {
  return (
    left.length === right.length &&
    left.every((one, index) => {
      const other = right[index]
      if (one === other) return true
      return (
        other !== undefined &&
        one.key === other.key &&
        one.kind === other.kind &&
        one.isOff === other.isOff &&
        isAlike(one, other) &&
        every(one.children, other.children, isAlike)
      )
    })
  )
}
