import { expect, test } from 'vitest'
import { logTicks } from './log-ticks.ts'

test('logTicks() of some decades are 1, 2 and 5 of each', () => {
  expect(logTicks(8, 300)).toEqual([10, 20, 50, 100, 200])
})

test('logTicks() within a decade are even steps', () => {
  expect(logTicks(9.2, 16.1)).toEqual([10, 12, 14, 16])
  expect(logTicks(0.118, 0.131)).toEqual([0.12, 0.125, 0.13])
})

test('logTicks() of very many decades leave some out', () => {
  expect(logTicks(1, 1e8)).toHaveLength(9)
  const many = logTicks(1, 1e20)
  expect(many.length).toBeLessThanOrEqual(9)
  expect(many.slice(0, 2)).toEqual([1, 1000])
})
