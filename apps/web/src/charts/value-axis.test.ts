import { expect, test } from 'vitest'
import { valueAxis } from './value-axis.ts'

test('an axis leaves air, and does not go below zero without need', () => {
  const axis = valueAxis([100, 200], [120, 180])
  expect(axis.isLogarithmic).toBe(false)
  expect([axis.at(0), axis.at(0.5), axis.at(1)]).toEqual([85, 150, 215])
  expect(axis.place(150)).toBeCloseTo(0.5)
  expect(valueAxis([1, 100], [50]).at(0)).toBe(0)
  expect(valueAxis([-10, 10], [0]).at(0)).toBe(-13)
  expect([valueAxis([0, 0], [0]).at(0), valueAxis([0, 0], [0]).at(1)]).toEqual([0, 1])
  expect([valueAxis([100, 100], [100]).at(0), valueAxis([100, 100], [100]).at(1)]).toEqual([95, 105])
})

test('sides that differ by an order of magnitude get a logarithmic axis', () => {
  const axis = valueAxis([1, 10_000], [1, 10_000])
  expect(axis.isLogarithmic).toBe(true)
  expect(axis.place(100)).toBeCloseTo(0.5)
  expect(axis.at(0.5)).toBeCloseTo(100)
  expect(axis.place(1)).toBeGreaterThan(0)
  expect(axis.at(axis.place(1))).toBeCloseTo(1)
})

test('a wide spread of one side, or a zero, keeps the axis even', () => {
  expect(valueAxis([1, 10_000], [50, 60]).isLogarithmic).toBe(false)
  expect(valueAxis([0, 10_000], [0, 10_000]).isLogarithmic).toBe(false)
})

test('what is beyond an end lies at it', () => {
  expect(valueAxis([100, 200], [150]).place(9000)).toBe(1)
  expect(valueAxis([100, 200], [150]).place(-5)).toBe(0)
  expect(valueAxis([1, 1000], [1, 1000]).place(-5)).toBe(0)
})
