import { expect, test } from 'vitest'
import { jsonExcess } from './json-excess.ts'

const nested = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels)

test.each([
  ['as many levels as may be', nested('[', ']', 5), undefined],
  ['lists in lists', nested('[', ']', 6), expect.stringContaining('more than 5 levels')],
  ['objects in objects that are cut off', '{"a":'.repeat(6), expect.stringContaining('more than 5 levels')],
  ['many beside one another', `[${'[[]],'.repeat(100)}1]`, undefined],
  ['brackets in texts', JSON.stringify({ a: '[[[[[[', '\\"{{{{{{': '\\\\' }), undefined],
  ['a text that does not end', `"${'['.repeat(10)}`, undefined],
  [
    'a list of very many values',
    `[${'0,'.repeat(3_000_001)}0]`,
    expect.stringContaining('more than 3000000 values'),
  ],
])('%s', (_what, text, reason) => {
  expect(jsonExcess(text, 5)).toEqual(reason)
})
