import { newId } from '@flamegate/contract'
import { type ActionTree, actionTree, type ListPlace, rowsAround, type TreeNode } from './action-tree.ts'
import { isObject, type JsonObject } from '../documents/json.ts'
import { applyPatch, moveOperations, type Operation, setting } from '../documents/json-patch.ts'

/** Where actions go: into a list, before one of its actions, or to its end. */
export interface Destination {
  /** Key of the row whose list it is; null: of the virtual user. */
  owner: string | null
  /** Key of the action; null: to the end. */
  before: string | null
}

/** Actions of these keys without those that are in others of them, in their order. */
export function outermost(tree: ActionTree, keys: Iterable<string>): TreeNode[] {
  const chosen = new Set(keys)
  return [...tree.byKey.values()].filter(
    (node) =>
      node.kind === 'action' &&
      chosen.has(node.key) &&
      rowsAround(tree, node).every(({ key }) => !chosen.has(key)),
  )
}

/** Takes actions away. */
export function removal(tree: ActionTree, keys: Iterable<string>): Operation[] {
  // From the end on, so that the places of those before stay.
  return outermost(tree, keys)
    .toReversed()
    .map(({ pointer }) => ({ op: 'remove', path: pointer }))
}

/** Switches actions on or off. */
export function enabling(
  document: JsonObject,
  tree: ActionTree,
  keys: Iterable<string>,
  isOn: boolean,
): Operation[] {
  return [...keys].flatMap((key) => {
    const node = tree.byKey.get(key)
    return node === undefined || node.kind === 'branch'
      ? []
      : [setting(document, `${node.pointer}/enabled`, isOn)]
  })
}

/** Puts new actions at a place. Nothing when that is not there. */
export function insertion(
  tree: ActionTree,
  actions: readonly JsonObject[],
  destination: Destination,
): Operation[] {
  const list = listOf(tree, destination.owner)
  if (list === undefined) return []
  const start = indexIn(tree, list, destination.before)
  return actions.map((value, offset) => ({ op: 'add', path: `${list.pointer}/${start + offset}`, value }))
}

/** Moves actions, in their order, to a place. Nothing when that is inside one of them. */
export function moving(document: JsonObject, keys: Iterable<string>, destination: Destination): Operation[] {
  const patch: Operation[] = []
  let current: unknown = document
  let tree = actionTree(document)
  const moved = outermost(tree, keys).map(({ key }) => key)
  const { owner } = destination
  const ownerNode = owner === null ? undefined : tree.byKey.get(owner)
  const around =
    ownerNode === undefined ? [] : [...rowsAround(tree, ownerNode).map(({ key }) => key), ownerNode.key]
  if (moved.some((key) => around.includes(key))) return []
  const before = anchorBehind(tree, destination, new Set(moved))
  for (const key of moved) {
    const node = tree.byKey.get(key)
    const list = listOf(tree, owner)
    if (node === undefined || list === undefined || node.list === null) return []
    const index = indexIn(tree, list, before)
    const isBehindItself = node.list.pointer === list.pointer && node.index < index
    const path = pathAfterRemoval(`${list.pointer}/${isBehindItself ? index - 1 : index}`, node)
    if (path === node.pointer) continue
    const operations = moveOperations(current, node.pointer, path)
    patch.push(...operations)
    current = applyPatch(current, operations).document
    tree = actionTree(isObject(current) ? current : {})
  }
  return patch
}

/** A pointer as it is when an action before it in the same list is gone: the lists inside those that follow move up. */
function pathAfterRemoval(path: string, removed: TreeNode): string {
  const list = removed.list?.pointer ?? ''
  if (!path.startsWith(`${list}/`)) return path
  const [index = '', ...rest] = path.slice(list.length + 1).split('/')
  // In the very same list the index was counted already.
  if (rest.length === 0 || Number(index) <= removed.index) return path
  return [list, Number(index) - 1, ...rest].join('/')
}

/** The first action from `before` on that is not one of those that move. */
function anchorBehind(
  tree: ActionTree,
  { owner, before }: Destination,
  moved: ReadonlySet<string>,
): string | null {
  const siblings = actionsIn(tree, owner)
  const from = siblings.findIndex(({ key }) => key === before)
  if (from < 0) return null
  return siblings.slice(from).find(({ key }) => !moved.has(key))?.key ?? null
}

/** Where actions of these keys go when they are moved by one; undefined where they cannot. */
export function neighbour(
  tree: ActionTree,
  keys: Iterable<string>,
  way: 'up' | 'down' | 'in' | 'out',
): Destination | undefined {
  const nodes = outermost(tree, keys)
  const [first, last] = [nodes[0], nodes.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const owner = ownerOf(first)
  const siblings = actionsIn(tree, owner)
  const position = siblings.indexOf(first)
  const previous = siblings[position - 1]
  switch (way) {
    case 'up':
      return previous === undefined ? undefined : { owner, before: previous.key }
    case 'down': {
      const lastSiblings = actionsIn(tree, ownerOf(last))
      const next = lastSiblings.indexOf(last) + 1
      return next >= lastSiblings.length
        ? undefined
        : { owner: ownerOf(last), before: lastSiblings[next + 1]?.key ?? null }
    }
    case 'in':
      return previous === undefined ? undefined : firstListOf(previous)
    default: {
      const holder = rowsAround(tree, first).findLast(({ kind }) => kind === 'action')
      return holder === undefined ? undefined : behind(tree, holder)
    }
  }
}

function firstListOf(node: TreeNode): Destination | undefined {
  const [list] = node.lists
  return list === undefined ? undefined : { owner: list.owner, before: null }
}

/** Right behind an action. */
export function behind(tree: ActionTree, node: TreeNode): Destination {
  const owner = ownerOf(node)
  const siblings = actionsIn(tree, owner)
  return { owner, before: siblings[siblings.indexOf(node) + 1]?.key ?? null }
}

/** Where something new goes when a row is chosen: into a branch, behind an action; else to the end. */
export function placeBeside(tree: ActionTree, key: string | undefined): Destination {
  const node = key === undefined ? undefined : tree.byKey.get(key)
  if (node === undefined) return { owner: null, before: null }
  return node.kind === 'branch' ? { owner: node.key, before: null } : behind(tree, node)
}

/** Where something goes that is dropped before, behind or on a row; undefined where nothing can be. */
export function placeOfDrop(
  tree: ActionTree,
  key: string,
  position: 'before' | 'after' | 'on',
): Destination | undefined {
  const node = tree.byKey.get(key)
  if (node === undefined) return undefined
  if (position === 'on') return firstListOf(node)
  if (node.kind === 'branch') {
    // Before what is done else is the end of what is done first.
    const around = node.parentKey === null ? undefined : tree.byKey.get(node.parentKey)
    const own =
      position === 'before' ? around?.lists.find(({ owner }) => owner === around.key) : node.lists[0]
    return own === undefined ? undefined : { owner: own.owner, before: null }
  }
  return position === 'before' ? { owner: ownerOf(node), before: node.key } : behind(tree, node)
}

/** The same again, with ids of its own for all that has one. */
export function withFreshIds<Value>(value: Value): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only ids differ
  return freshened(value) as Value
}

function freshened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(freshened)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === 'id' && typeof part === 'string' ? newId('action') : freshened(part),
    ]),
  )
}

function ownerOf({ list }: TreeNode): string | null {
  return list?.owner ?? null
}

function listOf(tree: ActionTree, owner: string | null): ListPlace | undefined {
  if (owner === null) return tree.rootList
  return tree.byKey.get(owner)?.lists.find((list) => list.owner === owner)
}

function actionsIn(tree: ActionTree, owner: string | null): readonly TreeNode[] {
  const rows = owner === null ? tree.roots : (tree.byKey.get(owner)?.children ?? [])
  return rows.filter(({ kind }) => kind === 'action')
}

function indexIn(tree: ActionTree, list: ListPlace, before: string | null): number {
  const siblings = actionsIn(tree, list.owner)
  const anchor = siblings.find(({ key }) => key === before)
  if (anchor !== undefined) return anchor.index
  return (siblings.at(-1)?.index ?? -1) + 1
}
