import { expect, test } from 'vitest'
import { drawTree } from '../testing/draw-tree.ts'
import { readStacks, type StackLayout } from './pyroscope.ts'

const counts = { type: 'samples', unit: 'count', scale: 1 }
const bytesOf = (text: string) => new TextEncoder().encode(text)
const node = (name: string, value: number, children: number) => [
  name.length,
  ...bytesOf(name),
  value,
  children,
]
const draw = (layout: StackLayout, bytes: Uint8Array | number[], valueType = counts) =>
  drawTree(readStacks(Uint8Array.from(bytes), layout, valueType))

test('folded stacks have counts, and a count is worth what the agent says', () => {
  const bytes = bytesOf('main;parse lines 3\nmain 1\n\n')
  expect(draw('folded', bytes)).toEqual(['main 4/1', '  parse lines 3/3'])
  const cpu = { type: 'cpu', unit: 'nanoseconds', scale: 1e7 }
  expect(draw('folded', bytes, cpu)).toEqual(['main 40000000/10000000', '  parse lines 30000000/30000000'])
  expect(readStacks(bytes, 'folded', cpu).sampleCount).toBe(4)
})

test('lines are a sample each', () => {
  expect(draw('lines', bytesOf('main;a 1\nmain;a 1\nmain\n'))).toEqual(['main 3/1', '  a 1 2/2'])
})

// As TestTrie of Pyroscope's serialize_test.go builds them: keys share pieces, wherever these end.
test('a trie shares the beginnings of its keys', () => {
  const trie = [
    node('', 0, 1),
    node('main;', 0, 2),
    node('pa', 0, 2),
    node('rse', 2, 0),
    node('y', 1, 0),
    node('render', 4, 1),
    node(';draw', 5, 0),
  ]
  expect(draw('trie', trie.flat())).toEqual([
    'main 12/0',
    '  parse 2/2',
    '  pay 1/1',
    '  render 9/4',
    '    draw 5/5',
  ])
})

test('a tree has functions for nodes', () => {
  const tree = [node('', 0, 2), node('main', 1, 1), node('parse', 3, 0), node('idle', 2, 0)]
  expect(draw('tree', tree.flat())).toEqual(['main 4/1', '  parse 3/3', 'idle 2/2'])
})

test.each<StackLayout>(['trie', 'tree'])('a %s that is cut off is refused', (layout) => {
  expect(() => draw(layout, [...node('', 0, 1), ...node('main', 1, 2)])).toThrow(/cut off/)
  expect(() => draw(layout, [200, 1, 5])).toThrow(/cut off/)
  expect(() => draw(layout, [])).toThrow(/cut off/)
})

test('lines that are no stacks are counted', () => {
  expect(readStacks(bytesOf('main 1\noops\n'), 'folded', counts).warnings).toEqual([
    '1 lines that are no stacks with a count were skipped.',
  ])
  expect(() => readStacks(bytesOf('oops'), 'folded', counts)).toThrow(/no samples/)
})
