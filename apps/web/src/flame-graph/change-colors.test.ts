import { expect, test } from 'vitest'
import { changeColor, changeOf } from './change-colors.ts'

/** Red, green and blue, from 0 to 255. */
const channels = (color = '') => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))

test('a change is a share of both sides together', () => {
  expect([changeOf(0, 5), changeOf(5, 0), changeOf(3, 3), changeOf(0, 0), changeOf(10, 30)]).toEqual([
    1, -1, 0, 0, 0.5,
  ])
})

test('more is red, less is blue, and the same is nearly grey, light or dark', () => {
  for (const isDark of [false, true]) {
    const [more, less, same] = [1, -1, 0].map((change) => changeColor(change, isDark))
    expect(channels(more).indexOf(Math.max(...channels(more)))).toBe(0)
    expect(channels(less).indexOf(Math.max(...channels(less)))).toBe(2)
    expect(Math.max(...channels(same)) - Math.min(...channels(same))).toBeLessThan(6)
  }
})
