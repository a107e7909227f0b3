import { expect, test } from 'vitest'
import { drawRows, folded } from './folded-tree.ts'
import { layOutTree, nodeName, pathTo } from './flame-tree.ts'

test('layOutTree() puts the heaviest child first and leaves self value free at the right', () => {
  const tree = layOutTree(
    folded(`
      gc 3
      main 1
      main;parse 2
      main;render 4
    `),
  )
  expect(drawRows(tree)).toEqual(['all 0-10', 'main 0-7  gc 7-10', 'render 0-4  parse 4-6'])
})

test('layOutTree() gives the root what was left out for its size', () => {
  const tree = layOutTree({ ...folded('main 6'), total_value: 10 })
  expect(drawRows(tree)).toEqual(['all 0-10', 'main 0-6'])
})

test('layOutTree() makes one empty root of an empty profile', () => {
  expect(drawRows(layOutTree(folded('')))).toEqual(['all 0-0'])
})

test('pathTo() leads from the root to a node', () => {
  const tree = layOutTree(folded('main;parse;read 2'))
  expect(pathTo(tree, 3).map((node) => nodeName(tree, node))).toEqual(['all', 'main', 'parse', 'read'])
})
