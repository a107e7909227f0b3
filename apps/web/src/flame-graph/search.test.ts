import { expect, test } from 'vitest'
import { layOutTree } from './flame-tree.ts'
import { findNode, folded } from './folded-tree.ts'
import { matchFunctions, matchShare } from './search.ts'

const tree = layOutTree(
  folded(`
    gc 20
    main;walk;walk;read 30
    main;walk;render 10
    main;render 40
  `),
)

test('matchFunctions() finds names that contain the words, whatever their case', () => {
  const matches = matchFunctions(tree.functions, ' RE')
  expect(tree.functions.filter((_, index) => matches[index] === 1).map(({ name }) => name)).toEqual([
    'read',
    'render',
  ])
  expect(matchFunctions(tree.functions, ' ')).toEqual(new Uint8Array(5))
})

test('matchShare() counts every occurrence, and recursion once', () => {
  expect(matchShare(tree, matchFunctions(tree.functions, 'render'), 0)).toBe(0.5)
  expect(matchShare(tree, matchFunctions(tree.functions, 'walk'), 0)).toBe(0.4)
})

test('matchShare() is of what is zoomed', () => {
  const walk = findNode(tree, 'walk')
  expect(matchShare(tree, matchFunctions(tree.functions, 'render'), walk)).toBe(0.25)
  expect(matchShare(tree, matchFunctions(tree.functions, 'walk'), walk)).toBe(1)
  expect(matchShare(tree, matchFunctions(tree.functions, 'gc'), walk)).toBe(0)
})

test('matchShare() of an empty profile is nothing', () => {
  expect(matchShare(layOutTree(folded('')), new Uint8Array(), 0)).toBe(0)
})
