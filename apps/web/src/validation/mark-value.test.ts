import { expect, test } from 'vitest'
import { markValue } from './mark-value.ts'

const drawn = (text: string, value: string) =>
  markValue(text, value).map(({ text: piece, isMarked }) => (isMarked ? `[${piece}]` : piece))

test('markValue() marks the value wherever it stands', () => {
  expect(drawn('a=7&b=7', '7')).toEqual(['a=', '[7]', '&b=', '[7]'])
  expect(drawn('none', '7')).toEqual(['none'])
  expect(drawn('none', '')).toEqual(['none'])
})
