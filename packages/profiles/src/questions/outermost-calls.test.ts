import { expect, test } from 'vitest'
import { callsOf, outermostOf } from './outermost-calls.ts'

//           (root)
//      a 1          b 5
//    b 2  c 4       a 6
//    a 3            b 7
const parents = Int32Array.of(-1, 0, 1, 2, 1, 0, 5, 6)
const [a, b, c, notCalled, last] = [0, 1, 2, 3, 4]
const functionIndexes = Int32Array.of(-1, a, b, a, c, b, a, b)

test.each([
  ['a', [a], [1, 3, 6], [1, 6]],
  ['b', [b], [2, 5, 7], [2, 5]],
  ['c, which is called last,', [c], [4], [4]],
  ['several', [c, b], [2, 4, 5, 7], [2, 4, 5]],
  ['none', [], [], []],
  ['a function that is not called', [notCalled], [], []],
  ['another one', [last, a], [1, 3, 6], [1, 6]],
])('calls of %s, and those that are not within another', (_what, wanted, all, outermost) => {
  const calls = callsOf(functionIndexes, wanted)
  expect([...calls]).toEqual(all)
  expect([...outermostOf(calls, parents)]).toEqual(outermost)
})
