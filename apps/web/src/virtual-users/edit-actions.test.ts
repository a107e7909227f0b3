import { expect, test } from 'vitest'
import { actionTree } from './action-tree.ts'
import {
  behind,
  type Destination,
  insertion,
  moving,
  neighbour,
  outermost,
  placeOfDrop,
  removal,
  withFreshIds,
} from './edit-actions.ts'
import { isObject, type JsonObject, objectsIn, textOf } from '../documents/json.ts'
import { applyPatch } from '../documents/json-patch.ts'
import { treeOf as documentOf } from '../documents/testing.ts'

/** As `a(b c) d`, what is done else behind a bar. */
function drawn(actions: unknown): string {
  return objectsIn(actions)
    .map((action) => {
      const inner = [action['actions'], action['else_actions']]
        .flatMap((list) => (list === undefined ? [] : [drawn(list)]))
        .join(' | ')
      return `${textOf(action['id'])}${inner === '' ? '' : `(${inner})`}`
    })
    .join(' ')
}

function patched(document: JsonObject, patch: Parameters<typeof applyPatch>[1]): string {
  const { document: after, inverse } = applyPatch(document, patch)
  expect(applyPatch(after, inverse).document).toEqual(document)
  return drawn(isObject(after) ? after['actions'] : undefined)
}

const document = documentOf('a box(b c if?(d | e)) f')

test.each<[string, string[], Destination, string]>([
  ['before another', ['f'], { owner: null, before: 'a' }, 'f a box(b c if?(d | e))'],
  ['to the end', ['a'], { owner: null, before: null }, 'box(b c if?(d | e)) f a'],
  ['into another', ['a'], { owner: 'box', before: 'c' }, 'box(b a c if?(d | e)) f'],
  ['out of another', ['c'], { owner: null, before: 'f' }, 'a box(b if?(d | e)) c f'],
  ['to what is done else', ['a'], { owner: 'if?/else_actions', before: null }, 'box(b c if?(d | e a)) f'],
  ['several at once, in their order', ['f', 'b'], { owner: null, before: 'a' }, 'b f a box(c if?(d | e))'],
  ['with what is in it once only', ['box', 'b'], { owner: null, before: null }, 'a f box(b c if?(d | e))'],
  ['before one that moves, too', ['b', 'c'], { owner: 'box', before: 'c' }, 'a box(b c if?(d | e)) f'],
  ['not into itself', ['box'], { owner: 'if?', before: null }, 'a box(b c if?(d | e)) f'],
])('actions move %s', (_where, keys, destination, expected) => {
  expect(patched(document, moving(document, keys, destination))).toBe(expected)
})

test.each<[string, 'up' | 'down' | 'in' | 'out', string | undefined]>([
  ['c', 'up', 'a box(c b if?(d | e)) f'],
  ['b', 'up', undefined],
  ['b', 'down', 'a box(c b if?(d | e)) f'],
  ['f', 'down', undefined],
  ['f', 'in', 'a box(b c if?(d | e) f)'],
  ['box', 'in', undefined],
  ['d', 'out', 'a box(b c if?( | e) d) f'],
  ['e', 'out', 'a box(b c if?(d | ) e) f'],
  ['a', 'out', undefined],
])('%s moves %s by one', (key, way, expected) => {
  const destination = neighbour(actionTree(document), [key], way)
  const result =
    destination === undefined ? undefined : patched(document, moving(document, [key], destination))
  expect(result).toBe(expected)
})

test('several move by one together', () => {
  const tree = actionTree(document)
  const up = neighbour(tree, ['c', 'if?'], 'up')
  expect(up && patched(document, moving(document, ['c', 'if?'], up))).toBe('a box(c if?(d | e) b) f')
  const down = neighbour(tree, ['b', 'c'], 'down')
  expect(down && patched(document, moving(document, ['b', 'c'], down))).toBe('a box(if?(d | e) b c) f')
})

test('what is deleted goes with what is in it, and comes back', () => {
  expect(patched(document, removal(actionTree(document), ['b', 'if?', 'd', 'f']))).toBe('a box(c)')
})

test('a drop before, behind and on a row leads to its place', () => {
  const tree = actionTree(document)
  expect(placeOfDrop(tree, 'c', 'before')).toEqual({ owner: 'box', before: 'c' })
  expect(placeOfDrop(tree, 'if?', 'after')).toEqual({ owner: 'box', before: null })
  expect(placeOfDrop(tree, 'box', 'on')).toEqual({ owner: 'box', before: null })
  expect(placeOfDrop(tree, 'if?/else_actions', 'on')).toEqual({ owner: 'if?/else_actions', before: null })
  expect(placeOfDrop(tree, 'if?/else_actions', 'before')).toEqual({ owner: 'if?', before: null })
  expect(placeOfDrop(tree, 'a', 'on')).toBeUndefined()
})

test('copies stand behind what they are of, and have ids of their own', () => {
  const tree = actionTree(document)
  const [box] = outermost(tree, ['box', 'b'])
  const [copy] = withFreshIds([box?.action ?? {}])
  const after = applyPatch(document, insertion(tree, [copy ?? {}], behind(tree, box!))).document
  const result = actionTree(isObject(after) ? after : {})
  expect(result.roots.map(({ key }) => key.slice(0, 4))).toEqual(['a', 'box', 'act_', 'f'])
  expect(result.byKey.size).toBe(16)
})

test('what is no action is left out of the tree, and ids that come twice are told apart', () => {
  const broken = { actions: ['x', { id: 'a', type: 'loop', actions: 7 }, null, { id: 'a', type: 'delay' }] }
  expect(actionTree(broken).roots.map(({ key, pointer }) => [key, pointer])).toEqual([
    ['a', '/actions/1'],
    ['/actions/3', '/actions/3'],
  ])
  expect(actionTree({}).roots).toEqual([])
})
