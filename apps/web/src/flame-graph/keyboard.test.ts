import { expect, test } from 'vitest'
import { layOutTree, nodeName } from './flame-tree.ts'
import { findNode, folded } from './folded-tree.ts'
import { type Direction, moveFrom } from './keyboard.ts'
import { sightOf } from './viewport.ts'

const tree = layOutTree(
  folded(`
    gc;mark 20
    main;parse 30
    main;render 50
  `),
)

function walk(from: string, zoom: string, ...directions: Direction[]): string {
  const zoomed = sightOf(tree, findNode(tree, zoom))
  return nodeName(
    tree,
    directions.reduce((node, direction) => moveFrom(tree, zoomed, node, direction), findNode(tree, from)),
  )
}

test('moveFrom() goes up to the caller and down to the heaviest callee', () => {
  expect(walk('all', 'all', 'down')).toBe('main')
  expect(walk('all', 'all', 'down', 'down')).toBe('render')
  expect(walk('mark', 'all', 'up')).toBe('gc')
})

test('moveFrom() goes sideways along a row, over the edges of callers', () => {
  expect(walk('render', 'all', 'right')).toBe('parse')
  expect(walk('parse', 'all', 'right')).toBe('mark')
  expect(walk('gc', 'all', 'left')).toBe('main')
})

test('moveFrom() stays inside the zoom and at the ends', () => {
  expect(walk('parse', 'main', 'right')).toBe('parse')
  expect(walk('all', 'all', 'up')).toBe('all')
  expect(walk('mark', 'all', 'down')).toBe('mark')
})
