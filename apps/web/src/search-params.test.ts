import { expect, test } from 'vitest'
import { parseSearch, stringifySearch, words } from './search-params.ts'

test('parseSearch() keeps names that look like other things as they are', () => {
  expect(parseSearch('?root=123&search=true&branch=feat%2Fx+y')).toEqual({
    root: '123',
    search: 'true',
    branch: 'feat/x y',
  })
})

test('stringifySearch() writes what parseSearch() reads, without empty values', () => {
  const search = { root: 'operator new<int>', type: undefined, search: '' }
  expect(stringifySearch(search)).toBe('?root=operator+new%3Cint%3E')
  expect(parseSearch(stringifySearch(search))).toEqual({ root: 'operator new<int>' })
  expect(stringifySearch({})).toBe('')
})

test('words() takes the words it names and no others', () => {
  expect(words('branch', 'type', 'run')({ branch: 'main', type: '', run: 3, page: '2' })).toEqual({
    branch: 'main',
  })
})
