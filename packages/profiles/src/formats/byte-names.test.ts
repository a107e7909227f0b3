import { expect, test } from 'vitest'
import { ByteNames } from './byte-names.ts'

test('equal names have the same number wherever they are, and give their text', () => {
  const text = 'main;größe;main;m;größe'
  const bytes = new TextEncoder().encode(text)
  const names = new ByteNames(bytes, 'callgrind')
  const numbers: number[] = []
  for (let start = 0; start < bytes.length;) {
    const semicolon = bytes.indexOf(0x3b, start)
    const end = semicolon === -1 ? bytes.length : semicolon
    numbers.push(names.intern(start, end))
    start = end + 1
  }
  expect(numbers).toEqual([1, 2, 1, 3, 2])
  expect(numbers.map((number) => names.text(number))).toEqual(text.split(';'))
  expect([names.intern(5, 5), names.text(0)]).toEqual([0, ''])
})

test('thousands of names are told apart', () => {
  const texts = Array.from({ length: 5000 }, (_, index) => String(10_000 + index))
  const names = new ByteNames(new TextEncoder().encode(texts.join('')), 'callgrind')
  const intern = (index: number) => names.intern(index * 5, index * 5 + 5)
  expect(texts.map((_, index) => intern(index))).toEqual(texts.map((_, index) => index + 1))
  expect(texts.map((_, index) => names.text(intern(index)))).toEqual(texts)
})
