import { expect, test } from 'vitest'
import { oklch } from './oklch.ts'

// Corners of sRGB, whose places in OKLCH are well known.
test.each([
  [1, 0, 0, '#ffffff'],
  [0, 0, 0, '#000000'],
  [0.628, 0.2577, 29.23, '#ff0000'],
  [0.452, 0.3132, 264.05, '#0000ff'],
])('oklch(%d %d %d) is %s', (lightness, chroma, hue, hex) => {
  expect(oklch(lightness, chroma, hue)).toBe(hex)
})

test('what sRGB cannot show is cut to it', () => {
  expect(oklch(0.7, 0.4, 150)).toMatch(/^#00[0-9a-f]{4}$/)
})
