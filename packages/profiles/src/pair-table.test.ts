import { expect, test } from 'vitest'
import { PairTable } from './pair-table.ts'

const table = (maxCount = 2 ** 20) =>
  new PairTable({ valueWidth: 0, maxCount, overflow: () => new RangeError('full') })

test('every pair has a number of its own, in order of first use', () => {
  const pairs = table()
  const expected = new Map<string, number>()
  let random = 1
  for (let index = 0; index < 20_000; index++) {
    random = (Math.imul(random, 1103515245) + 12345) >>> 0
    // Of all kinds: nodes below the one before, those below an older one, and numbers that are no nodes.
    const first = random % 3 === 0 ? pairs.count - 1 : (random >>> 8) % 300
    const second = ((random >>> 20) % 50) - 25
    const key = `${first} ${second}`
    expect(pairs.find(first, second)).toBe(expected.get(key) ?? 0)
    const number = pairs.intern(first, second)
    expect(number).toBe(expected.get(key) ?? expected.size + 1)
    expected.set(key, number)
  }
  for (const [key, number] of expected) {
    const [first, second] = key.split(' ').map(Number)
    expect([pairs.find(first!, second!), pairs.firsts[number], pairs.seconds[number]]).toEqual([
      number,
      first,
      second,
    ])
  }
})

test('a table that is full says so, and still finds what it has', () => {
  const pairs = table(3)
  expect([pairs.intern(0, 7), pairs.intern(1, 7)]).toEqual([1, 2])
  expect(pairs.isFull).toBe(true)
  expect(() => pairs.intern(0, 8)).toThrow('full')
  expect([pairs.intern(0, 7), pairs.find(0, 8)]).toEqual([1, 0])
})
