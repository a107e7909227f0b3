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
