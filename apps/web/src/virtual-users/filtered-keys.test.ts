import { expect, test } from 'vitest'
import { actionTree } from './action-tree.ts'
import { filteredKeys } from './filtered-keys.ts'
import { treeOf } from '../documents/testing.ts'

const tree = actionTree(treeOf('login box(search cart if?(pay | call)) logout'))

test('what fits is shown with what is around it, and that is open', () => {
  const { shown, open, fitCount } = filteredKeys(tree, 'CALL', new Map())
  expect([...shown].toSorted()).toEqual(['box', 'call', 'if?', 'if?/else_actions'])
  expect([...open].toSorted()).toEqual(['box', 'if?', 'if?/else_actions'])
  expect(fitCount).toBe(1)
})

test('all words have to fit; what is in something that fits is shown, too', () => {
  expect(filteredKeys(tree, 'log out', new Map()).fitCount).toBe(1)
  expect(filteredKeys(tree, 'box', new Map()).shown.size).toBe(7)
  expect(filteredKeys(tree, 'nothing', new Map())).toMatchObject({ fitCount: 0 })
})
