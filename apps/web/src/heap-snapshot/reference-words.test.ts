import { expect, test } from 'vitest'
import { referenceWords } from './reference-words.ts'

test.each([
  ['property', 'cache', '.cache'],
  ['element', '3', '[3]'],
  ['context', 'cache', 'variable cache'],
  ['internal', 'table', '{table}'],
])('a reference of the kind %s reads as in a program', (edge_type, edge_name, words) => {
  expect(referenceWords({ edge_type, edge_name })).toBe(words)
})
