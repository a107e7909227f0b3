import { describe, expect, test } from 'vitest'
import { normalNumber, randomNumbers } from '../testing/random.ts'
import { equalSharesP } from './fisher-exact-test.ts'
import { modeShift } from './mode-shift.ts'
import { twoSidedQuantiles } from './student-t-distribution.ts'

const quantile = twoSidedQuantiles(0.95)
const random = randomNumbers(5)
/** Numbers around the given centres. */
const around = (...centres: number[]) => centres.map((centre) => centre + 0.02 * normalNumber(random))

describe('modeShift()', () => {
  test('compares modes, whichever sample has more numbers in one', () => {
    const one = around(0, 0, 0, 0, 0, 0, 0, 0.5, 0.5, 0.5)
    const other = around(0.1, 0.1, 0.1, 0.1, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6)
    const found = modeShift(one, other, quantile)
    expect(found).toMatchObject({ upper: [3, 6], gap: expect.closeTo(0.5, 1) })
    expect(found?.shift).toBeCloseTo(0.1, 1)
    expect(found?.margin).toBeLessThan(0.05)
    expect(found?.pValue).toBeLessThan(0.001)
    const back = modeShift(other, one, quantile)
    expect(back?.shift).toBeCloseTo(-(found?.shift ?? NaN), 2)
  })

  test('there is none of one mode, nor where a mode is in one sample only', () => {
    const [low, high] = [around(0, 0, 0, 0, 0, 0, 0, 0, 0, 0), around(1, 1, 1, 1, 1, 1, 1, 1, 1, 1)]
    expect(modeShift(low, low, quantile)).toBeUndefined()
    expect(modeShift(low, high, quantile)).toBeUndefined()
    expect(modeShift(low, [...low.slice(5), ...high.slice(5)], quantile)).toBeUndefined()
  })

  test('nor of numbers anywhere, of a few, and of equal ones', () => {
    const anywhere = Array.from({ length: 10 }, (_, at) => 0.05 * at)
    expect(modeShift(anywhere, anywhere, quantile)).toBeUndefined()
    expect(modeShift([0, 1], [0, 1], quantile)).toBeUndefined()
    expect(modeShift([1, 1, 1, 1, 1], [1, 1, 1, 1, 1], quantile)).toBeUndefined()
  })
})

/** Fisher (1935): the lady tasting tea, three of four cups right. */
test("Fisher's exact test", () => {
  expect(equalSharesP(3, 4, 1, 4)).toBeCloseTo(34 / 70, 9)
  expect(equalSharesP(4, 4, 0, 4)).toBeCloseTo(2 / 70, 9)
  expect(equalSharesP(2, 10, 2, 10)).toBe(1)
})
