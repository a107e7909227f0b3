import { expect, test } from 'vitest'
import { badgeSvg } from './badge-svg.ts'

test('a badge says its label and its message, to eyes and to screen readers', () => {
  const svg = badgeSvg({ label: 'performance', message: '2 regressions', mood: 'bad' })
  expect(svg).toContain('aria-label="performance: 2 regressions"')
  expect(svg).toMatch(/>performance<\/text>.*>2 regressions<\/text>/)
  expect(svg).not.toBe(badgeSvg({ label: 'performance', message: '2 regressions', mood: 'good' }))
})

test('a name that is markup stays a name', () => {
  const svg = badgeSvg({
    label: '</text><script>alert(1)</script>',
    message: `"'&\u0000\uD800`,
    mood: 'neutral',
  })
  expect(svg).not.toContain('<script')
  expect(svg).toContain('&lt;script&gt;')
  expect(svg).toContain('&quot;&#39;&amp; \uFFFD')
})

test('a name that is too long is shortened', () => {
  const svg = badgeSvg({ label: 'x'.repeat(500), message: '1', mood: 'neutral' })
  expect(svg).toContain('…')
  expect(svg.length).toBeLessThan(1_200)
})
