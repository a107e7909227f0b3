import { expect, test } from 'vitest'
import { searchPattern } from './search-pattern.ts'

test('words are looked for as they are, and no words are no search', () => {
  expect(searchPattern('  ')).toEqual({})
  expect(searchPattern(undefined)).toEqual({})
  expect(searchPattern(' main.(*T).Do ')).toEqual({ search: String.raw`(?i)main\.\(\*T\)\.Do` })
})
