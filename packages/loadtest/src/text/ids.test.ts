import { expect, test } from 'vitest'
import { isSamePage, titleWithoutIds, withoutIds } from './ids.ts'

test.each([
  ['/', '/'],
  ['/orders/17/items', '/orders/{id}/items'],
  ['/orders/ord_49bdbbb9868d79d2', '/orders/{id}'],
  ['/u/3f2504e0-4f89-11d3-9a0c-0305e82c3301/', '/u/{id}/'],
  ['/c/cjld2cjxh0000qzrmn831i7rn', '/c/{id}'],
  ['/v/V1StGXR8_Z5jdHi6B-myT', '/v/{id}'],
  ['/i/PRJ-10432', '/i/{id}'],
  ['/p/p-101', '/p/{id}'],
  ['/api/v1/step-2', '/api/v1/step-2'],
  ['/blog/my-first-post-of-the-year', '/blog/my-first-post-of-the-year'],
  ['/authentication/forgot_password', '/authentication/forgot_password'],
  ['/static/app.3f2a1b9c.js', '/static/app.3f2a1b9c.js'],
])('ids of %s are replaced', (path, expected) => {
  expect(withoutIds(path)).toBe(expected)
})

test.each([
  ['Order ord_49bdbbb9868d79d2', 'Order {id}'],
  ['Order #17: paid', 'Order #{id}: paid'],
  ['Invoice 1002345 - Shop', 'Invoice {id} - Shop'],
  ['Report 2026, page 3', 'Report 2026, page 3'],
  ['404 Not Found', '404 Not Found'],
])('ids in the title %s are replaced', (title, expected) => {
  expect(titleWithoutIds(title)).toBe(expected)
})

test.each([
  ['/orders/ord_1f2e3d4c', '/orders/ord_99aa88bb/', true],
  ['/orders/o7', '/orders/o12', true],
  ['/catalog;jsessionid=1A', '/catalog', true],
  ['/catalog', '/login', false],
  ['/orders/17', '/orders', false],
  ['/', '/home', false],
])('%s and %s: the same page is %s', (one, other, isSame) => {
  expect(isSamePage(one, other)).toBe(isSame)
})
