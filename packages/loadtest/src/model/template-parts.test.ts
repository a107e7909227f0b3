import { expect, test } from 'vitest'
import { templateParts } from './template-parts.ts'

test('a template is text, and uses of variables with or without an index', () => {
  expect(templateParts('/orders/${order_id}/lines/${lines[2]}?n=${lines.length}')).toEqual([
    '/orders/',
    { name: 'order_id', index: null },
    '/lines/',
    { name: 'lines', index: 2 },
    '?n=',
    { name: 'lines.length', index: null },
  ])
})

test.each([
  ['', []],
  ['plain', ['plain']],
  ['$${price} is ${price}', ['${price} is ', { name: 'price', index: null }]],
  ['$${', ['${']],
  ['$$${x}', ['$${x}']],
  ['${a + b} ${} ${1x} ${', ['${a + b} ${} ${1x} ${']],
  [
    '${a}${b}',
    [
      { name: 'a', index: null },
      { name: 'b', index: null },
    ],
  ],
])('%j is taken apart as %j', (text, parts) => {
  expect(templateParts(text)).toEqual(parts)
})
