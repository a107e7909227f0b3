import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sameByLine } from './same-lines.ts'

/** Which functions `f` are the same, as `line → line`. Functions are `name:line`; those of other names are certain. */
function pairsOf(before: string[], after: string[]): string[] {
  const lines = { before: before.map(lineOf), after: after.map(lineOf) }
  const certain = before.flatMap((text, index) => {
    const place = after.findIndex((other) => nameOf(other) === nameOf(text))
    return nameOf(text) === 'f' || place === -1 ? [] : [{ before: index, after: place }]
  })
  return sameByLine([{ before: indexesOf(before), after: indexesOf(after) }], certain, lines)
    .map((pair) => [lines.before[pair.before]!, lines.after[pair.after]!] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([line, lineAfter]) => `${line} → ${lineAfter}`)
}

const nameOf = (text: string) => text.split(':')[0]!
const lineOf = (text: string) => Number(text.split(':')[1])
const indexesOf = (side: string[]) => [...side.keys()].filter((index) => nameOf(side[index]!) === 'f')

test('functions that all moved are in the same order', () => {
  expect(pairsOf(['f:10', 'f:20', 'f:30'], ['f:12', 'f:25', 'f:40'])).toEqual([
    '10 → 12',
    '20 → 25',
    '30 → 40',
  ])
  expect(pairsOf(['f:5', 'f:9', 'f:15', 'f:19'], ['f:8', 'f:18', 'f:22'])).toEqual([
    '5 → 8',
    '15 → 18',
    '19 → 22',
  ])
})

test('one that a side does not have moves no other', () => {
  expect(pairsOf(['f:10', 'f:50', 'f:90'], ['f:10', 'f:90', 'f:95'])).toEqual(['10 → 10', '90 → 90'])
  expect(pairsOf(['f:10', 'f:20', 'f:30'], ['f:20', 'f:30', 'f:40'])).toEqual(['20 → 20', '30 → 30'])
  expect(pairsOf(['f:10', 'f:90'], ['f:10', 'f:50', 'f:90'])).toEqual(['10 → 10', '90 → 90'])
})

test('lines move with the functions around them', () => {
  const before = ['parse:10', 'f:15', 'f:20', 'f:25', 'print:30', 'f:35', 'f:45']
  const after = ['parse:10', 'f:20', 'f:30', 'print:35', 'f:40', 'f:45', 'f:50']
  expect(pairsOf(before, after)).toEqual(['20 → 20', '25 → 30', '35 → 40', '45 → 50'])
})

test('what a function holds goes along with it when it is moved in the file', () => {
  const before = ['first:10', 'f:12', 'f:15', 'second:20', 'f:22', 'third:30', 'f:34']
  const after = ['second:10', 'f:12', 'first:20', 'f:22', 'f:25', 'third:30', 'f:34']
  expect(pairsOf(before, after)).toEqual(['12 → 22', '15 → 25', '22 → 12', '34 → 34'])
})

test('between functions that are as far from each other as before, another line is another function', () => {
  const before = ['a:10', 'f:20', 'f:25', 'b:30']
  expect(pairsOf(before, ['a:12', 'f:24', 'f:27', 'b:32'])).toEqual(['25 → 27'])
  expect(pairsOf(before, ['a:12', 'f:23', 'f:28', 'b:36'])).toEqual(['20 → 23', '25 → 28'])
})

const pairsBelow = (certainLine: number) =>
  sameByLine(
    [{ before: [1, 2], after: [1, 2] }],
    [{ before: 0, after: 0 }],
    { before: [5, 10, 20], after: [certainLine, 12, 20] },
    false,
  )

test('where nothing moves unseen, it is a certain function that tells whether the others may have', () => {
  expect(pairsBelow(5)).toEqual([{ before: 2, after: 2 }])
  expect(pairsBelow(7)).toEqual([
    { before: 1, after: 1 },
    { before: 2, after: 2 },
  ])
})

test('neither code that is added nor functions that only one side has hide those that both have', () => {
  const file = fc.array(
    fc.record({
      isNamed: fc.boolean(),
      sides: fc.constantFrom('both', 'before', 'after'),
      // Longer than what is added anywhere, so that no other function comes to be at its line.
      length: fc.integer({ min: 4, max: 9 }),
      added: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(file, (functions) => {
      const before = ['first:1', 'f:5']
      const after = ['first:1', 'f:5']
      const expected = ['5 → 5']
      let [line, lineAfter] = [9, 9]
      for (const [index, { isNamed, sides, length, added }] of functions.entries()) {
        const name = isNamed ? `named${index}` : 'f'
        if (isNamed || sides !== 'after') before.push(`${name}:${line}`)
        if (isNamed || sides !== 'before') after.push(`${name}:${lineAfter}`)
        if (!isNamed && sides === 'both') expected.push(`${line} → ${lineAfter}`)
        line += length
        lineAfter += length + (isNamed ? added : 0)
      }
      before.push(`last:${line}`)
      after.push(`last:${lineAfter}`)
      expect(pairsOf(before, after)).toEqual(expect.arrayContaining(expected))
    }),
  )
})
