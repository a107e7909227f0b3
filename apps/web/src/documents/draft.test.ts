import { expect, test } from 'vitest'
import { changed, patchOf, rebased, redone, startDraft, undone } from './draft.ts'
import { valueAt } from './json.ts'
import { applyPatch } from './json-patch.ts'
import { treeOf } from './testing.ts'

const base = treeOf('a box(b c) d')
const draft = startDraft(base, 3)

test('a change can be undone and done again', () => {
  const after = changed(changed(draft, 'Deleted a', [{ op: 'remove', path: '/actions/0' }]), 'Renamed', [
    { op: 'replace', path: '/name', value: 'Seller' },
  ])
  expect(undone(undone(after)).document).toEqual(base)
  expect(redone(redone(undone(undone(after)))).document).toEqual(after.document)
  expect(undone(undone(undone(after)))).toEqual(undone(undone(after)))
})

test('typing on in one field is one step, and is undone as one', () => {
  const typed = ['S', 'Se', 'Sel'].reduce(
    (before, value) => changed(before, 'Name', [{ op: 'replace', path: '/name', value }]),
    draft,
  )
  expect(patchOf(typed)).toEqual([{ op: 'replace', path: '/name', value: 'Sel' }])
  expect(undone(typed).document).toEqual(base)
})

test('another change ends what could be done again', () => {
  const after = changed(undone(changed(draft, 'x', [{ op: 'remove', path: '/actions/0' }])), 'y', [
    { op: 'replace', path: '/name', value: 'Z' },
  ])
  expect(after.undone).toEqual([])
})

test('the patch leads from what is saved to what is there', () => {
  const after = changed(
    changed(draft, 'Moved c', [{ op: 'move', from: '/actions/1/actions/1', path: '/actions/0' }]),
    'Comment',
    [{ op: 'add', path: '/actions/0/comment', value: 'first' }],
  )
  expect(applyPatch(base, patchOf(after)).document).toEqual(after.document)
})

test('more operations than a patch may have are sent as the document', () => {
  const after = changed(
    draft,
    'Much',
    Array.from({ length: 1001 }, (_, index) => ({ op: 'add' as const, path: `/f${index}`, value: index })),
  )
  expect(patchOf(after)).toEqual([{ op: 'replace', path: '', value: after.document }])
})

test('changes come on top of a newer version, where things stand elsewhere', () => {
  const mine = [
    { words: 'Named c', patch: [{ op: 'replace' as const, path: '/actions/1/actions/1/name', value: 'C' }] },
    { words: 'Moved b', patch: [{ op: 'move' as const, from: '/actions/1/actions/0', path: '/actions/2' }] },
    { words: 'Added x', patch: [{ op: 'add' as const, path: '/actions/1/actions/1', value: { id: 'x' } }] },
    { words: 'Deleted a', patch: [{ op: 'remove' as const, path: '/actions/0' }] },
  ].reduce((before, { words, patch }) => changed(before, words, patch), draft)
  // Somebody put n before all, and c before b.
  const newer = treeOf('n a box(c b) d')
  const { draft: result, lost } = rebased(mine, newer, 4)
  expect(lost).toEqual([])
  expect(result.version).toBe(4)
  expect(result.base).toBe(newer)
  expect(valueAt(result.document, '/actions')).toMatchObject([
    { id: 'n' },
    { id: 'box', actions: [{ id: 'c', name: 'C' }, { id: 'x' }] },
    { id: 'b' },
    { id: 'd' },
  ])
  expect(applyPatch(newer, patchOf(result)).document).toEqual(result.document)
})

test('what a change is about and is gone by now is told, and the rest is kept', () => {
  const mine = changed(
    changed(draft, 'Named b', [{ op: 'replace', path: '/actions/1/actions/0/name', value: 'B' }]),
    'Named d',
    [{ op: 'replace', path: '/actions/2/name', value: 'D' }],
  )
  const { draft: result, lost } = rebased(mine, treeOf('a box(c) d'), 4)
  expect(lost).toEqual(['Named b'])
  expect(valueAt(result.document, '/actions/2/name')).toBe('D')
})
