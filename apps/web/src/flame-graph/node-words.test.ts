import { expect, test } from 'vitest'
import { layOutTree } from './flame-tree.ts'
import { findNode, folded } from './folded-tree.ts'
import { formatShare, nodeWords } from './node-words.ts'

test('nodeWords() tells total and self with their share of the whole', () => {
  const tree = layOutTree(folded('main;parse 3000\nmain 1000'))
  expect(nodeWords(tree, findNode(tree, 'main'), 'nanoseconds')).toEqual({
    name: 'main',
    place: 'User code',
    total: '4 µs (100.0 %)',
    self: '1 µs (25.0 %)',
  })
})

test('formatShare() gives small shares more digits', () => {
  expect([0.5, 0.0012, 0, Number.NaN].map((share) => formatShare(share))).toEqual([
    '50.0 %',
    '0.12 %',
    '0.0 %',
    '0 %',
  ])
})

test('two sides are told with their difference', () => {
  const columns = {
    ...folded('main 3'),
    sides: { baseSelf: [1e6], baseTotal: [1e6], headSelf: [2e6], headTotal: [3e6] },
  }
  const words = nodeWords(layOutTree(columns), 0, 'nanoseconds')
  expect(words.total).toBe('1 ms → 3 ms (+2 ms)')
  expect(words.self).toBe('1 ms → 2 ms (+1 ms)')
})
