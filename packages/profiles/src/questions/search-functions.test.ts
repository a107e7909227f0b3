import { expect, test } from 'vitest'
import { PatternError } from '../pattern.ts'
import { profileOf } from '../testing/stacks.ts'
import { searchFunctions } from './search-functions.ts'

const profile = profileOf(`
  main;parse;parseItem;read 2
  main;parse 3
  main;render;parseItem 1
  main;exit 4
`)
const search = (pattern: string, limit = 10) => {
  const { rows, ...found } = searchFunctions(profile, pattern, { by: 'self', limit })
  return {
    rows: rows.map((row) => `${row.functionName} ${row.selfValue}/${row.totalValue}`),
    ...found,
  }
}

test('what any match covers counts once, also where one match calls another', () => {
  expect(search('^parse')).toEqual({
    rows: ['parse 3/5', 'parseItem 1/3'],
    rowCount: 2,
    coveredValue: 6,
    coveredPercent: 60,
  })
})

test('what is not shown still counts', () => {
  expect(search('(?i)PARSE', 1)).toMatchObject({ rows: ['parse 3/5'], rowCount: 2, coveredValue: 6 })
})

test('a pattern that nothing has covers nothing; one that cannot be read is refused', () => {
  expect(search('nothing')).toEqual({ rows: [], rowCount: 0, coveredValue: 0, coveredPercent: 0 })
  expect(() => search('(')).toThrow(PatternError)
})
