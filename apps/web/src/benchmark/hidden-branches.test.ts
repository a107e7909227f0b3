import { expect, test } from 'vitest'
import { parseBranches, stringifyBranches } from './hidden-branches.ts'

test('branches survive the address, whatever is in their names', () => {
  const names = new Set(['main', 'feat/a, b', 'fix%20'])
  expect(parseBranches(stringifyBranches(names))).toEqual(names)
  expect(stringifyBranches(new Set())).toBe('')
  expect(parseBranches(undefined)).toEqual(new Set())
})
