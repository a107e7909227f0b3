import { expect, test } from 'vitest'
import { NumberedNames } from './callgrind-names.ts'

test('a number stands for the name that it was given last', () => {
  const names = new NumberedNames()
  expect(names.find(7)).toBeUndefined()
  names.name(7, 0)
  expect(names.find(7)).toBe(0)
  names.name(7, 3)
  expect(names.find(7)).toBe(3)
})

test('numbers may be as large as they like', () => {
  const names = new NumberedNames()
  const numbers = [0, 1023, 1024, 2 ** 20 - 1, 2 ** 20, 2 ** 53]
  for (const [name, number] of numbers.entries()) names.name(number, name)
  expect(numbers.map((number) => names.find(number))).toEqual([0, 1, 2, 3, 4, 5])
  expect([2, 2 ** 19, 2 ** 21].map((number) => names.find(number))).toEqual([undefined, undefined, undefined])
})
