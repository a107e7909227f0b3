import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

/** What text of each colour stands on, at rest and under the mouse. */
const grounds = {
  text: ['page', 'surface', 'sunken', 'hover'],
  muted: ['page', 'surface', 'sunken', 'hover'],
  accent: ['page', 'surface', 'sunken', 'hover', 'accent-soft'],
  'on-accent': ['accent-fill', 'accent-fill-hover', 'worse-fill', 'worse-fill-hover'],
  worse: ['page', 'surface', 'sunken', 'hover', 'worse-soft'],
  better: ['page', 'surface', 'sunken', 'hover', 'better-soft'],
  caution: ['page', 'surface', 'sunken', 'hover', 'caution-soft'],
}

/** The colour of a token in the light and in the dark scheme, as #rrggbb. */
function schemes(token: string): [light: string, dark: string] {
  const [, value] = new RegExp(`--color-${token}: ([^;]+);`).exec(css) ?? []
  const [light, dark = light] = value?.match(/#[0-9a-f]{6}/g) ?? []
  if (light === undefined || dark === undefined) throw new Error(`There is no colour ${token}.`)
  return [light, dark]
}

/** Relative luminance of a colour, as WCAG 2.2 defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

test('text can be read on everything that it stands on, in both colour schemes', () => {
  const faint = Object.entries(grounds).flatMap(([text, backgrounds]) =>
    backgrounds.flatMap((background) =>
      (['light', 'dark'] as const).flatMap((scheme, at) => {
        const ratio = contrast(schemes(text)[at] ?? '', schemes(background)[at] ?? '')
        return ratio < 4.5 ? [`${text} on ${background}, ${scheme}: ${ratio.toFixed(2)}`] : []
      }),
    ),
  )
  expect(faint).toEqual([])
})
