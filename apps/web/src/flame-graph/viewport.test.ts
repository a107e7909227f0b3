import { expect, test } from 'vitest'
import { layOutTree, nodeName } from './flame-tree.ts'
import { findNode, folded } from './folded-tree.ts'
import { framesInSight, isInSight, nodeAt, outermostIn, sightOf, within, zoomedBy } from './viewport.ts'

const tree = layOutTree(
  folded(`
    gc 20
    main;parse;read 30
    main;parse;split 10
    main;render 40
  `),
)

function draw(zoom: string, firstRow = 0, endRow = 10): string[] {
  return framesInSight(tree, { ...sightOf(tree, findNode(tree, zoom)), widthPx: 100, firstRow, endRow }).map(
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
  const frames = framesInSight(wide, { ...sightOf(wide, 0), widthPx: 1000, firstRow: 0, endRow: 9 })
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
  const node = nodeAt(tree, { ...sightOf(tree, findNode(tree, zoom)), widthPx: 100 }, row, xPx)
  expect(node === undefined ? undefined : nodeName(tree, node)).toBe(expected)
})

test('isInSight() holds for callers and callees of the zoomed node', () => {
  const sight = sightOf(tree, findNode(tree, 'parse'))
  const inSight = ['all', 'main', 'parse', 'read', 'render', 'gc'].filter((name) =>
    isInSight(tree, sight, findNode(tree, name)),
  )
  expect(inSight).toEqual(['all', 'main', 'parse', 'read'])
})

test('framesInSight() draws what is too narrow as one, and beside it what is not', () => {
  const many = layOutTree(
    folded(Array.from({ length: 5000 }, (_, index) => `f${index} 1`).join('\n') + '\nmain 5000'),
  )
  const frames = framesInSight(many, { ...sightOf(many, 0), widthPx: 200, firstRow: 1, endRow: 2 })
  const [first, ...narrow] = frames
  expect(first).toEqual({ node: 1, endNode: 2, row: 1, leftPx: 0, widthPx: 100 })
  expect(narrow).toHaveLength(100)
  expect(narrow.every(({ node, endNode }) => endNode - node === 50)).toBe(true)
  // Every node is in one frame, and no frame is over another.
  expect(frames.at(-1)?.endNode).toBe(many.parent.length)
  expect(frames.slice(1).every(({ node }, index) => node === frames[index]?.endNode)).toBe(true)
})

test('framesInSight() shows a wide frame that begins in the same pixel as narrow ones before it', () => {
  // At 100 px for 1000, the second caller begins at 10.2 px, behind callees of 0.1 px of the first.
  const narrow = Array.from({ length: 102 }, (_, index) => `a;n${index} 1`)
  const edge = layOutTree(folded([...narrow, 'b;wide 98', 'c 800'].join('\n')))
  const frames = framesInSight(edge, { ...sightOf(edge, 0), widthPx: 100, firstRow: 2, endRow: 3 })
  const last = frames.at(-1)
  expect(last && nodeName(edge, last.node)).toBe('wide')
  expect(last?.endNode).toBe((last?.node ?? 0) + 1)
})

test('zoomedBy() keeps the place under the pointer, and within() the edges of the whole', () => {
  expect(zoomedBy(tree, { left: 0, span: 100 }, 2, 0.5)).toEqual({ left: 25, span: 50 })
  expect(zoomedBy(tree, { left: 25, span: 50 }, 0.25, 0)).toEqual({ left: 0, span: 100 })
  expect(within(tree, { left: 90, span: 50 })).toEqual({ left: 50, span: 50 })
  expect(within(tree, { left: 0, span: 0 }).span).toBeGreaterThan(0)
})

test('outermostIn() goes up until all that is seen is in the node', () => {
  const parse = findNode(tree, 'parse')
  expect(nodeName(tree, outermostIn(tree, parse, { left: 10, span: 20 }))).toBe('parse')
  expect(nodeName(tree, outermostIn(tree, parse, { left: 10, span: 60 }))).toBe('main')
  expect(nodeName(tree, outermostIn(tree, parse, { left: 10, span: 90 }))).toBe('all')
})
