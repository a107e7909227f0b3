import { expect, test } from 'vitest'
import { layOutTree } from './flame-tree.ts'
import { findNode, folded } from './folded-tree.ts'
import { atOnce, inTurns } from './in-turns.ts'
import { findMatches, hasMatch, matchFunctions, matchShare } from './search.ts'

const tree = layOutTree(
  folded(`
    gc 20
    main;walk;walk;read 30
    main;walk;render 10
    main;render 40
  `),
)
const share = (words: string, zoom = 0, of = tree) =>
  atOnce(matchShare(of, atOnce(findMatches(of, words)), zoom))

test('matchFunctions() finds names that contain the words, whatever their case', () => {
  const matches = atOnce(matchFunctions(tree.functions, ' RE'))
  expect(tree.functions.filter((_, index) => matches[index] === 1).map(({ name }) => name)).toEqual([
    'read',
    'render',
  ])
  expect(atOnce(matchFunctions(tree.functions, ' '))).toEqual(new Uint8Array(5))
})

test('findMatches() tells of neighbours whether any matches', () => {
  const matches = atOnce(findMatches(tree, 'render'))
  const walk = findNode(tree, 'walk')
  const render = findNode(tree, 'render')
  expect([hasMatch(matches, 0, walk), hasMatch(matches, render, render + 1)]).toEqual([false, true])
  expect(hasMatch(matches, walk, tree.parent.length)).toBe(true)
})

test('matchShare() counts every occurrence, and recursion once', () => {
  expect(share('render')).toBe(0.5)
  expect(share('walk')).toBe(0.4)
})

test('matchShare() is of what is zoomed', () => {
  const walk = findNode(tree, 'walk')
  expect(share('render', walk)).toBe(0.25)
  expect(share('walk', walk)).toBe(1)
  expect(share('gc', walk)).toBe(0)
})

test('matchShare() of an empty profile is nothing', () => {
  expect(share('main', 0, layOutTree(folded('')))).toBe(0)
})

test('inTurns() lets the page do other things, gives the same, and stops when it is told to', async () => {
  let isPaused = false
  setTimeout(() => (isPaused = true))
  const slow = function* (): Generator<void, string> {
    const end = performance.now() + 60
    while (performance.now() < end) yield
    return isPaused ? 'paused' : 'held up'
  }
  expect(await inTurns(slow(), new AbortController().signal)).toBe('paused')
  await expect(inTurns(slow(), AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})
