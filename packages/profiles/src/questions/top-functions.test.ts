import { expect, test } from 'vitest'
import { PatternError } from '../pattern.ts'
import { profileOf } from '../testing/stacks.ts'
import { topFunctions } from './top-functions.ts'

const profile = profileOf(`
  main;parse;read 2
  main;parse;parse;read 3
  main;render 4
  main 1
`)
const draw = (options: Partial<Parameters<typeof topFunctions>[1]>, from = profile) =>
  topFunctions(from, { by: 'self', limit: 10, ...options }).map(
    ({ functionName, selfValue, totalValue }) => `${functionName} ${selfValue}/${totalValue}`,
  )

test('by self or by total, the largest first', () => {
  expect(draw({ by: 'self' })).toEqual(['read 5/5', 'render 4/4', 'main 1/10', 'parse 0/5'])
  expect(draw({ by: 'total' })).toEqual(['main 1/10', 'read 5/5', 'parse 0/5', 'render 4/4'])
  expect(draw({ by: 'self', limit: 1 })).toEqual(['read 5/5'])
})

test('recursion counts once, also when other calls are between', () => {
  expect(draw({ by: 'total' }, profileOf('a;b;a;b;a 3\nb;a 1\na;c;b 5'))).toEqual(['b 5/9', 'a 4/9', 'c 0/5'])
})

test('focus keeps the stacks that have a match, whole; percentages stay of the whole profile', () => {
  expect(draw({ by: 'total', focus: '^par' })).toEqual(['read 5/5', 'main 0/5', 'parse 0/5'])
  expect(topFunctions(profile, { by: 'self', limit: 1, focus: 'parse' })[0]).toMatchObject({
    selfPercent: 50,
  })
})

test('ignore drops the stacks that have a match', () => {
  expect(draw({ by: 'total', ignore: 'read|nothing' })).toEqual(['main 1/5', 'render 4/4'])
  expect(draw({ by: 'total', focus: 'parse', ignore: 'read' })).toEqual([])
})

test('a pattern that cannot be read is refused', () => {
  expect(() => draw({ focus: '(' })).toThrow(PatternError)
})

test('a sample type that is not there is a mistake of ours', () => {
  expect(() => draw({ sampleTypeIndex: 1 })).toThrow(RangeError)
})
