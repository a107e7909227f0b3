import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffLines } from './diff-lines.ts'

const draw = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => ({ same: ' ', removed: '-', added: '+' })[kind] + text)

test('a diff tells what is removed and added', () => {
  expect(draw('a\nb\nc\nd', 'a\nx\nc\nd\ne')).toEqual([' a', '-b', '+x', ' c', ' d', '+e'])
  expect(draw('same', 'same')).toEqual([' same'])
})

test('of any two texts a diff has the first without what is added, and the second without what is removed', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }).map((all) => all.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = diffLines(before, after)
      const only = (kind: string) =>
        diff.flatMap((line) => (line.kind === kind ? [] : [line.text])).join('\n')
      expect(only('added')).toBe(before)
      expect(only('removed')).toBe(after)
    }),
  )
})

test('a diff changes no more lines than it must', () => {
  expect(
    draw('a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc').filter((line) => !line.startsWith(' ')),
  ).toHaveLength(5)
})

const many = (letter: string) => Array.from({ length: 50_000 }, (_, index) => `${letter}${index}`).join('\n')

test('texts that have nothing in common are told as a whole, soon', () => {
  expect(diffLines(many('a'), many('b'))).toHaveLength(100_000)
})
