import { expect, test } from 'vitest'
import { profileOf } from '../testing/stacks.ts'
import { hotPaths } from './hot-paths.ts'

const profile = profileOf(`
  main;run;parse;read 5
  main;run;render 4
  main;run 1
  main;exit 2
  gc 1
`)
const draw = (limit: number, options = {}) =>
  hotPaths(profile, { limit, ...options }).map(
    ({ depth, functionNames, selfValue, totalValue }) =>
      `${'  '.repeat(depth)}${functionNames.join(' → ')} ${totalValue}/${selfValue}`,
  )

test('the heaviest paths, what they share said once', () => {
  expect(draw(1)).toEqual(['main → run → parse → read 5/5'])
  expect(draw(2)).toEqual(['main → run 9/0', '  parse → read 5/5', '  render 4/4'])
})

test('a path that ends in the middle of another is a row of its own', () => {
  expect(draw(4)).toEqual(['main 12/0', '  run 10/1', '    parse → read 5/5', '    render 4/4', '  exit 2/2'])
})

test('of equal paths no more than asked for; all of them when there are fewer', () => {
  expect(draw(100)).toHaveLength(6)
  expect(hotPaths(profileOf('a 1\nb 1\nc 1'), { limit: 2 })).toHaveLength(2)
})

test('only stacks in focus', () => {
  expect(draw(10, { focus: 'render' })).toEqual(['main → run → render 4/4'])
})
