import { expect, test } from 'vitest'
import { Choice, Rates } from './kept-counters.ts'
import type { Reading } from './reading.ts'

const counter = (value: number, name = 'requests'): Reading => ({
  name,
  unit: '/s',
  kind: 'counter',
  value,
  isUsual: true,
})

test('what only rises is kept as what was added per second; what began anew counts from nothing', () => {
  const rates = new Rates()
  const values = [
    [100, 0],
    [150, 2000],
    [150, 3000],
    [8, 5000],
  ].map(([value = 0, atMs = 0]) => rates.of([counter(value)], atMs)[0]?.value)
  expect(values).toEqual([null, 25, 0, 4])
})

test('what was away for a while is seen for the first time again', () => {
  const rates = new Rates()
  rates.of([counter(1)], 0)
  rates.of([], 1000)
  expect(rates.of([counter(9)], 2000)).toEqual([{ name: 'requests', unit: '/s', value: null }])
})

test('levels are kept as they are', () => {
  expect(new Rates().of([{ ...counter(7), kind: 'gauge', unit: '' }], 0)).toEqual([
    { name: 'requests', unit: '', value: 7 },
  ])
})

test('without patterns the usual ones are kept, with them those that fit', () => {
  const readings = [counter(1, 'a.x'), { ...counter(2, 'a.y'), isUsual: false }, counter(3, 'b')]
  const names = (patterns: string[]) => new Choice(patterns).of(readings).map(({ name }) => name)
  expect(names([])).toEqual(['a.x', 'b'])
  expect(names(['a.*'])).toEqual(['a.x', 'a.y'])
})

test('of too many the first are kept, and the same ones the next time', () => {
  const choice = new Choice([])
  const many = Array.from({ length: 300 }, (_, index) => counter(index, `n${index}`))
  const first = choice.of(many).map(({ name }) => name)
  expect([first.length, choice.isFull]).toEqual([200, true])
  expect(choice.of(many.toReversed()).map(({ name }) => name)).toEqual(first.toReversed())
})
