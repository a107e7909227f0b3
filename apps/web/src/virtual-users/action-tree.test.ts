import { expect, test } from 'vitest'
import { actionTree, type ActionTree } from './action-tree.ts'
import { isObject, type JsonObject } from '../documents/json.ts'
import { applyPatch, type Operation } from '../documents/json-patch.ts'
import { treeOf } from '../documents/testing.ts'
import { hasSameRows, hasSameWords } from './use-row-tree.ts'

function after(document: JsonObject, operation: Operation): ActionTree {
  const patched = applyPatch(document, [operation]).document
  return actionTree(isObject(patched) ? patched : {})
}

/** Keys of the rows that are other objects than before. */
function anew(before: ActionTree, now: ActionTree): string[] {
  return [...now.byKey].flatMap(([key, node]) => (before.byKey.get(key) === node ? [] : [key]))
}

test('what is typed into one of thousands of actions makes only its row anew, and those around it', () => {
  const many = Array.from({ length: 5000 }, (_, index) => `r${index}`).join(' ')
  const document = treeOf(`first box(${many}) if?(a | b) last`)
  const before = actionTree(document)
  const now = after(document, { op: 'replace', path: '/actions/1/actions/7/name', value: 'Typed' })
  expect(anew(before, now)).toEqual(['box', 'r7'])
  expect([...now.byKey.keys()]).toEqual([...before.byKey.keys()])
  expect(now.byKey.get('box')?.children[7]?.action['name']).toBe('Typed')
  const inElse = after(document, { op: 'replace', path: '/actions/2/else_actions/0/name', value: 'Typed' })
  expect(anew(before, inElse)).toEqual(['if?', 'if?/else_actions', 'b'])
})

test('rows that stand elsewhere, or are off now, are made anew', () => {
  const document = treeOf('a box(b c) d')
  const before = actionTree(document)
  const gone = after(document, { op: 'remove', path: '/actions/0' })
  expect([...gone.byKey.values()].map(({ pointer }) => pointer)).toEqual([
    '/actions/0',
    '/actions/0/actions/0',
    '/actions/0/actions/1',
    '/actions/1',
  ])
  expect(hasSameRows(before, gone)).toBe(false)
  const off = after(document, { op: 'replace', path: '/actions/1/enabled', value: false })
  expect([...off.byKey.values()].filter(({ isOff }) => isOff).map(({ key }) => key)).toEqual([
    'box',
    'b',
    'c',
  ])
  expect(hasSameRows(before, off)).toBe(false)
})

test('words of a row are other words, those that no row shows are not', () => {
  const document = treeOf('a box(b c) d')
  const before = actionTree(document)
  const renamed = after(document, { op: 'replace', path: '/actions/1/actions/0/name', value: 'Else' })
  expect([hasSameRows(before, renamed), hasSameWords(before, renamed, new Map())]).toEqual([true, false])
  const silent = after(document, { op: 'add', path: '/actions/1/actions/0/headers', value: [] })
  expect([hasSameRows(before, silent), hasSameWords(before, silent, new Map())]).toEqual([true, true])
})
