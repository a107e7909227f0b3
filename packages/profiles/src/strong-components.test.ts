import { expect, test } from 'vitest'
import { strongComponents } from './strong-components.ts'

/** `edges[v]`: where the edges of `v` lead. */
function componentsOf(edges: number[][]): number[][] {
  const starts = [0]
  for (const targets of edges) starts.push(starts[starts.length - 1]! + targets.length)
  const groups = strongComponents({
    starts: Int32Array.from(starts),
    targets: Int32Array.from(edges.flat()),
  })
  return Array.from(groups.starts.subarray(1), (end, group) =>
    Array.from(groups.members.subarray(groups.starts[group], end)).toSorted((a, b) => a - b),
  )
}

test('without circles, everything is alone, and before what it leads to', () => {
  expect(componentsOf([[], [0, 2], [0]])).toEqual([[1], [2], [0]])
})

test('what can reach each other is together', () => {
  //  0 -> 1 -> 2 -> 1,  2 -> 3 -> 4 -> 3,  5 alone
  expect(componentsOf([[1], [2], [1, 3], [4], [3], []])).toEqual([[0], [1, 2], [3, 4], [5]])
})

test('a path of 100,000 is no matter of the stack', () => {
  const count = 100_000
  const groups = componentsOf(
    Array.from({ length: count }, (_, vertex) => (vertex + 1 < count ? [vertex + 1] : [])),
  )
  expect(groups.slice(0, 3)).toEqual([[0], [1], [2]])
  expect(componentsOf(Array.from({ length: count }, (_, vertex) => [(vertex + 1) % count]))).toHaveLength(1)
})
