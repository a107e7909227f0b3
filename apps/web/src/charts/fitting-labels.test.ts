import { expect, test } from 'vitest'
import { fittingLabels } from './fitting-labels.ts'

const marks = [
  { at: 0.07, label: '50 %' },
  { at: 0.24, label: '90 %' },
  { at: 0.49, label: '99 %' },
  { at: 0.73, label: '99.9 %' },
  { at: 0.975, label: '99.99 %' },
]
const words = (widthPx: number) => fittingLabels(marks, widthPx).map(({ label }) => label)

test('labels that would cross others are left out, the last one never', () => {
  expect(words(600)).toEqual(['50 %', '90 %', '99 %', '99.9 %', '99.99 %'])
  expect(words(200)).toEqual(['90 %', '99 %', '99.99 %'])
})

test('none goes beyond the right end', () => {
  const [last] = fittingLabels(marks.slice(-1), 150)
  expect(last?.leftPx).toBe(150 - 7 * 8)
})
