import { expect, test } from 'vitest'
import { changeSize, changeWords } from './trend-change.ts'

test('a change is told in per cent, and where there was nothing before, by both levels', () => {
  const slower = { index: 4, before: 100, after: 112, share: 0.12, verdict: 'worse' } as const
  expect([changeSize(slower, 'ms'), changeWords(slower, 'ms')]).toEqual(['+12.0 %', '+12.0 % worse'])
  const failing = { index: 4, before: 0, after: 0.05, share: null, verdict: 'worse' } as const
  expect([changeSize(failing, 'share'), changeWords(failing, 'share')]).toEqual([
    'from 0 % to 5 %',
    'worse from 0 % to 5 %',
  ])
})
