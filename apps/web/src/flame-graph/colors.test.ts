import { expect, test } from 'vitest'
import { familyOf, frameColor } from './colors.ts'

test('familyOf() knows every origin, and takes what it does not know for a package', () => {
  expect(
    ['User code', 'Standard library', 'Runtime', 'Kernel', 'Unknown', 'zod@4.6.7'].map((origin) =>
      familyOf(origin),
    ),
  ).toEqual(['user', 'standard', 'runtime', 'kernel', 'unknown', 'package'])
})

test('frameColor() depends on name, family and theme, and on nothing else', () => {
  const color = frameColor('parse', 'user', false)
  expect(frameColor('parse', 'user', false)).toBe(color)
  expect(frameColor('render', 'user', false)).not.toBe(color)
  expect(frameColor('parse', 'runtime', false)).not.toBe(color)
  expect(frameColor('parse', 'user', true)).not.toBe(color)
})

/** Which of red, green and blue is strongest. */
function strongestIn(color: string): number {
  const channels = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))
  return channels.indexOf(Math.max(...channels))
}

test('frameColor() of any family tells names apart by hue', () => {
  const colors = ['Map', 'Session', '(string)', 'Array'].map((name) => frameColor(name, 'any', false))
  expect(new Set(colors.map(strongestIn)).size).toBeGreaterThan(1)
  const unknown = ['Map', 'Session', '(string)', 'Array'].map((name) => frameColor(name, 'unknown', false))
  expect(new Set(unknown.map(strongestIn)).size).toBe(1)
})
