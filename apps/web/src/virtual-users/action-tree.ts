import { inside, isObject, type JsonObject, partOf, textOf } from '../documents/json.ts'

/** A row of the tree: an action, or a list of actions that has a name of its own, such as what is done else. */
export interface TreeNode {
  /** The id of the action; of a branch, that and the path of the list: `act_1/else_actions`. */
  key: string
  kind: 'action' | 'branch'
  /** JSON pointer of the action, or of the list of a branch. */
  pointer: string
  /** The list that it is in; null of a branch. */
  list: ListPlace | null
  index: number
  /** The action; of a branch, the one that it belongs to. */
  action: JsonObject
  /** What a branch is called. */
  words: string
  /** Key of the row around it; null of the outermost. */
  parentKey: string | null
  /** Whether it is switched off, by itself or with one around it. */
  isOff: boolean
  /** Lists that actions can be put into, the usual one first. */
  lists: ListPlace[]
  children: TreeNode[]
}

/** A list of actions. */
export interface ListPlace {
  /** Key of the row that holds it; null: of the virtual user. */
  owner: string | null
  pointer: string
}

export interface ActionTree {
  roots: TreeNode[]
  byKey: ReadonlyMap<string, TreeNode>
  rootList: ListPlace
}

const holders = new Set(['container', 'if', 'while', 'loop', 'for_each', 'once'])

/**
 * The actions of a document as rows. What is no action is left out: the JSON shows it. A row that is as it was in the tree before is
 * the same object, so that what draws thousands of them can leave it alone.
 */
export function actionTree(document: JsonObject): ActionTree {
  const byKey = new Map<string, TreeNode>()
  const rootList = { owner: null, pointer: '/actions' }
  return { roots: rowsOf(document['actions'], rootList, null, byKey), byKey, rootList }
}

function rowsOf(
  actions: unknown,
  list: ListPlace,
  parent: TreeNode | null,
  byKey: Map<string, TreeNode>,
): TreeNode[] {
  if (!Array.isArray(actions)) return []
  return actions.flatMap((action: unknown, index) => {
    if (!isObject(action)) return []
    const pointer = inside(list.pointer, index)
    const id = textOf(action['id'])
    const node: TreeNode = {
      // An id that comes twice is a fault that saving tells of; until then the rows have to differ.
      key: id === '' || byKey.has(id) ? pointer : id,
      kind: 'action',
      pointer,
      list,
      index,
      action,
      words: '',
      parentKey: parent?.key ?? null,
      isOff: parent?.isOff === true || partOf(action, 'enabled') === false,
      lists: [],
      children: [],
    }
    // Here already, so that rows come in their order.
    byKey.set(node.key, node)
    fill(node, byKey)
    return [settled(node, action, byKey)]
  })
}

function fill(node: TreeNode, byKey: Map<string, TreeNode>): void {
  const { action, key, pointer } = node
  const type = textOf(action['type'])
  if (holders.has(type)) {
    const own = { owner: key, pointer: inside(pointer, 'actions') }
    node.lists.push(own)
    node.children.push(...rowsOf(action['actions'], own, node, byKey))
  }
  if (type === 'if') addBranch(node, 'else_actions', 'Else', action['else_actions'], byKey)
  if (type === 'random' && Array.isArray(action['choices'])) {
    for (const [index, choice] of action['choices'].entries()) {
      if (!isObject(choice)) continue
      const name = textOf(choice['name'])
      const words = `${name === '' ? `Choice ${index + 1}` : name}, weight ${textOf(choice['weight'])}`
      addBranch(node, `choices/${index}/actions`, words, choice['actions'], byKey)
    }
  }
}

function addBranch(
  node: TreeNode,
  path: string,
  words: string,
  actions: unknown,
  byKey: Map<string, TreeNode>,
): void {
  const pointer = `${node.pointer}/${path}`
  const branch: TreeNode = {
    key: `${node.key}/${path}`,
    kind: 'branch',
    pointer,
    list: null,
    index: 0,
    action: node.action,
    words,
    parentKey: node.key,
    isOff: node.isOff,
    lists: [],
    children: [],
  }
  const list = { owner: branch.key, pointer }
  branch.lists.push(list)
  node.lists.push(list)
  byKey.set(branch.key, branch)
  branch.children.push(...rowsOf(actions, list, branch, byKey))
  node.children.push(settled(branch, actions, byKey))
}

/** The row that was made last of an action, or of the list of a branch. */
const lastMade = new WeakMap<object, TreeNode>()

/** A row as it was made the last time, where nothing of it is different, and else as it is made now. */
function settled(made: TreeNode, of: unknown, byKey: Map<string, TreeNode>): TreeNode {
  if (typeof of !== 'object' || of === null) return made
  const before = lastMade.get(of)
  if (before === undefined || !isSameRow(before, made)) {
    lastMade.set(of, made)
    return made
  }
  byKey.set(before.key, before)
  return before
}

function isSameRow(left: TreeNode, right: TreeNode): boolean {
  // Its list and its place in that follow from the pointer and the row around it; its own lists from the action.
  return (
    left.key === right.key &&
    left.kind === right.kind &&
    left.pointer === right.pointer &&
    left.parentKey === right.parentKey &&
    left.action === right.action &&
    left.isOff === right.isOff &&
    left.children.length === right.children.length &&
    left.children.every((child, index) => child === right.children[index])
  )
}

/** The rows around one, the outermost first. */
export function rowsAround({ byKey }: ActionTree, { parentKey }: TreeNode): TreeNode[] {
  const rows: TreeNode[] = []
  let row = parentKey === null ? undefined : byKey.get(parentKey)
  while (row !== undefined) {
    rows.unshift(row)
    row = row.parentKey === null ? undefined : byKey.get(row.parentKey)
  }
  return rows
}

/** The action that a place in the document is in, and undefined for what belongs to the virtual user itself. */
export function actionAt(tree: ActionTree, pointer: string): TreeNode | undefined {
  let found: TreeNode | undefined
  for (const node of tree.byKey.values()) {
    if (node.kind === 'action' && (pointer === node.pointer || pointer.startsWith(`${node.pointer}/`))) {
      found = found === undefined || node.pointer.length > found.pointer.length ? node : found
    }
  }
  return found
}
