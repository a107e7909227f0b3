import { expect, test } from 'vitest'
import { fittedName } from './flame-layout.ts'

test.each([
  ['parse', 5, 'parse'],
  ['parse', 4, 'par…'],
  ['parse', 2, ''],
  ['github.com/acme/router.(*Table).Match', 21, 'router.(*Table).Match'],
  ['github.com/acme/router.(*Table).Match', 8, 'router.…'],
  ['(concatenated string) / text', 10, 'text'],
  ['(object elements) / Array', 4, 'Arr…'],
  ['a path that ends with / ', 10, 'a path th…'],
])('fittedName() of %s in %d characters is "%s"', (name, characters, fitted) => {
  expect(fittedName(name, characters)).toBe(fitted)
})
