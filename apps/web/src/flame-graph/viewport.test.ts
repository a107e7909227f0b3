import { expect, test } from 'vitest'
import { layOutTree, nodeName } from './flame-tree.ts'
import { findNode, folded } from './folded-tree.ts'
import { framesInSight, isInZoom, nodeAt } from './viewport.ts'

const tree = layOutTree(
  folded(`
    gc 20
    main;parse;read 30
    main;parse;split 10
    main;render 40
  `),
)

function draw(zoom: string, firstRow = 0, endRow = 10): string[] {
  return framesInSight(tree, { zoom: findNode(tree, zoom), widthPx: 100, firstRow, endRow }).map(
    (frame) => `${frame.row} ${nodeName(tree, frame.node)} ${frame.leftPx}+${frame.widthPx}`,
  )
}

test('framesInSight() draws the whole tree when the root is zoomed', () => {
  expect(draw('all')).toEqual([
    '0 all 0+100',
    '1 main 0+80',
    '1 gc 80+20',
    '2 parse 0+40',
    '2 render 40+40',
    '3 read 0+30',
    '3 split 30+10',
  ])
})

test('framesInSight() gives the zoomed node and its callers the whole width, and leaves out what is beside', () => {
  expect(draw('parse')).toEqual([
    '0 all 0+100',
    '1 main 0+100',
    '2 parse 0+100',
    '3 read 0+75',
    '3 split 75+25',
  ])
  expect(draw('render')).toEqual(['0 all 0+100', '1 main 0+100', '2 render 0+100'])
})

test('framesInSight() draws the rows that are in sight', () => {
  expect(draw('all', 1, 2)).toEqual(['1 main 0+80', '1 gc 80+20'])
})

test('framesInSight() leaves out what is narrower than a fraction of a pixel', () => {
  const wide = layOutTree(folded('main 100000\ntiny 1'))
  const frames = framesInSight(wide, { zoom: 0, widthPx: 1000, firstRow: 0, endRow: 9 })
  expect(frames.map(({ node }) => nodeName(wide, node))).toEqual(['all', 'main'])
})

test.each([
  ['all', 1, 79, 'main'],
  ['all', 1, 80, 'gc'],
  ['all', 2, 85, undefined],
  ['all', 9, 5, undefined],
  ['all', 0, 100, undefined],
  ['parse', 1, 99, 'main'],
  ['parse', 3, 74, 'read'],
  ['parse', 3, 75, 'split'],
])('nodeAt() zoomed to %s finds in row %d at %d px: %s', (zoom, row, xPx, expected) => {
  const node = nodeAt(tree, { zoom: findNode(tree, zoom), widthPx: 100 }, row, xPx)
  expect(node === undefined ? undefined : nodeName(tree, node)).toBe(expected)
})

test('isInZoom() holds for callers and callees of the zoomed node', () => {
  const inZoom = ['all', 'main', 'parse', 'read', 'render', 'gc'].filter((name) =>
    isInZoom(tree, findNode(tree, 'parse'), findNode(tree, name)),
  )
  expect(inZoom).toEqual(['all', 'main', 'parse', 'read'])
})
