import { expect, test } from 'vitest'
import { layOutTree } from '../flame-graph/flame-tree.ts'
import { findNode, folded } from '../flame-graph/folded-tree.ts'
import { readZoom, zoomWords } from './zoom-words.ts'

const tree = layOutTree(folded('gc 20\nmain;parse;read 30\nmain;parse;split 10\nmain;render 40'))

test('what is zoomed to is in the address, and comes back from it', () => {
  const parse = findNode(tree, 'parse')
  const all = { node: parse, left: 0, span: 40 }
  expect(readZoom(tree, zoomWords(tree, all))).toEqual(all)
  expect(zoomWords(tree, { node: 0, left: 0, span: 100 })).toEqual({ zoom: undefined, part: undefined })
  const some = { node: parse, left: 10, span: 12.5 }
  expect(zoomWords(tree, some)).toMatchObject({ part: '0.10000-0.22500' })
  expect(readZoom(tree, zoomWords(tree, some))).toEqual(some)
})

test('an address that asks for nothing that there is shows all', () => {
  const all = { node: 0, left: 0, span: 100 }
  for (const words of [{}, { zoom: '99' }, { zoom: 'main' }, { part: '2-1' }, { part: 'x' }]) {
    expect(readZoom(tree, words)).toEqual(all)
  }
})
