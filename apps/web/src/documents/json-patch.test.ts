import { expect, test } from 'vitest'
import { applyPatch, type Operation, PatchMisfit, setting } from './json-patch.ts'

const document = { name: 'Buyer', tags: ['a', 'b', 'c'], 'a/b': { '~': 1 } }

test.each<[Operation, object]>([
  [{ op: 'add', path: '/tags/1', value: 'x' }, { tags: ['a', 'x', 'b', 'c'] }],
  [{ op: 'add', path: '/tags/3', value: 'x' }, { tags: ['a', 'b', 'c', 'x'] }],
  [{ op: 'remove', path: '/tags/0' }, { tags: ['b', 'c'] }],
  [{ op: 'move', from: '/tags/0', path: '/tags/2' }, { tags: ['b', 'c', 'a'] }],
  [{ op: 'replace', path: '/a~1b/~0', value: 2 }, { 'a/b': { '~': 2 } }],
  [{ op: 'replace', path: '', value: { name: 'Seller' } }, { name: 'Seller' }],
])('%j is done, and its inverse undoes it', (operation, expected) => {
  const { document: after, inverse } = applyPatch(document, [operation])
  expect(after).toMatchObject(expected)
  expect(applyPatch(after, inverse).document).toEqual(document)
})

test.each<Operation>([
  { op: 'remove', path: '/tags/3' },
  { op: 'replace', path: '/nothing', value: 1 },
  { op: 'add', path: '/tags/4', value: 1 },
  { op: 'add', path: '/tags/x', value: 1 },
  { op: 'add', path: '/nothing/0', value: 1 },
  { op: 'move', from: '/a~1b', path: '/a~1b/x' },
  { op: 'replace', path: '/toString', value: 1 },
])('%j does not fit', (operation) => {
  expect(() => applyPatch(document, [operation])).toThrow(PatchMisfit)
})

test('a field is set whether it is there or not', () => {
  expect(setting(document, '/name', 'x')).toEqual({ op: 'replace', path: '/name', value: 'x' })
  expect(setting(document, '/comment', 'x')).toEqual({ op: 'add', path: '/comment', value: 'x' })
})
