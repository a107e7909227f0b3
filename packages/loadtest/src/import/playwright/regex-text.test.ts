import { expect, test } from 'vitest'
import { textOfRegex } from './regex-text.ts'

test.each([
  ['log in', { text: 'log in', isWhole: false, isSame: true }],
  ['^Dog$', { text: 'Dog', isWhole: true, isSame: true }],
  ['^Dog', { text: 'Dog', isWhole: false, isSame: false }],
  [String.raw`total\s+\$12\.50`, { text: 'total $12.50', isWhole: false, isSame: true }],
  [String.raw`order \d+ of (?:one|two) users?`, { text: 'order', isWhole: false, isSame: false }],
  ['colou?r', { text: 'colo', isWhole: false, isSame: false }],
  ['[a-z]+ready.*', { text: 'ready', isWhole: false, isSame: false }],
])('of /%s/ it is the longest plain text', (source, found) => {
  expect(textOfRegex({ kind: 'regex', source, flags: '' })).toEqual(found)
})

test.each(['a|b', '.*', '[a-z]+', '(a|b)', ''])('/%s/ has no plain text', (source) => {
  expect(textOfRegex({ kind: 'regex', source, flags: '' })).toBeUndefined()
})
