import { expect, test } from 'vitest'
import { drawRows, folded } from './folded-tree.ts'
import { isWhole, layOutTree, nodeLabel, nodeName, pathTo } from './flame-tree.ts'

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
  const tree = layOutTree({ ...folded('main 6\ngc 2'), total_value: 10 })
  expect(drawRows(tree)).toEqual(['all 0-10', 'main 0-6  gc 6-8'])
})

test('layOutTree() takes the only root of the wire for its own', () => {
  const columns = folded('main;parse 2\nmain;render 4')
  expect(drawRows(layOutTree(columns))).toEqual(['main 0-6', 'render 0-4  parse 4-6'])
  const functions = columns.functions.map((row) => ({
    ...row,
    origin: row.name === 'main' ? '' : row.origin,
  }))
  const tree = layOutTree({ ...columns, functions })
  expect(drawRows(tree)).toEqual(['all 0-6', 'render 0-4  parse 4-6'])
  expect([isWhole(tree, 0), isWhole(tree, 1)]).toEqual([true, false])
})

test('layOutTree() makes one empty root of an empty profile', () => {
  expect(drawRows(layOutTree(folded('')))).toEqual(['all 0-0'])
})

test('nodeLabel() tells functions without a name apart by their file', () => {
  const columns = folded('(anonymous) 2\nmain 1')
  const functions = columns.functions.map((row) => ({ ...row, file: 'file:///app/src/rules.js' }))
  const tree = layOutTree({ ...columns, functions })
  expect(drawRows(tree)[1]).toBe('(anonymous) 0-2  main 2-3')
  expect([1, 2].map((node) => nodeLabel(tree, node))).toEqual(['(anonymous) rules.js', 'main'])
})

test('pathTo() leads from the root to a node', () => {
  const tree = layOutTree(folded('main;parse;read 2'))
  expect(pathTo(tree, 2).map((node) => nodeName(tree, node))).toEqual(['main', 'parse', 'read'])
})
