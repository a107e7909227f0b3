import { expect, test } from 'vitest'
import { applyPatch } from '../documents/json-patch.ts'
import { topLevelPatch } from './top-level-patch.ts'

test('topLevelPatch() says what is new, gone and changed, and nothing of what stays', () => {
  const before = { name: 'a', tls: { verify: true }, value: '1' }
  const after = { name: 'a', tls: { verify: false }, 'a/b': 2 }
  const patch = topLevelPatch(before, after)
  expect(patch.map(({ op, path }) => `${op} ${path}`)).toEqual(['remove /value', 'replace /tls', 'add /a~1b'])
  expect(applyPatch(before, patch).document).toEqual(after)
})

test('topLevelPatch() of equal documents is empty', () => {
  expect(topLevelPatch({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toEqual([])
})
