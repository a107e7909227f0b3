import { expect, test } from 'vitest'
import { pageOf } from './paging.ts'

const items = Array.from({ length: 250 }, (_, index) => index)

test('pageOf() gives every item once, page by page', () => {
  const seen: number[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page = pageOf(items, cursor)
    seen.push(...page.items)
    cursor = page.nextCursor
    pages += 1
  } while (cursor !== undefined)
  expect(seen).toEqual(items)
  expect(pages).toBe(3)
})

test('a list that ends with a page has no page after it', () => {
  expect(pageOf(items.slice(0, 100), undefined)).toEqual({ items: items.slice(0, 100) })
  expect(pageOf([], undefined)).toEqual({ items: [] })
})

test.each(['', 'x', '0', 'MA', 'LTE', 'MTAw ', Buffer.from('250').toString('base64url')])(
  'the cursor %j was never given',
  (cursor) => {
    expect(() => pageOf(items, cursor)).toThrow(expect.objectContaining({ code: -32_602 }))
  },
)
