import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogue } from '@flamegate/contract'
import { expect, test } from 'vitest'

/** The review under docs/security says what holds, by tests and places; what it says has to stay true. */

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test.each(['docs/security/asvs.md', 'docs/security/mcp.md', 'docs/security/organisations.md'])(
  '%s names only tests that exist',
  (page) => {
    const named = [...read(page).matchAll(/`([\w./-]+\.test\.ts)` "([^"]+)"/g)]
    expect(named.length).toBeGreaterThan(30)
    const missing = named.filter(([, file = '', name = '']) => !read(file).includes(name))
    expect(missing.map(([text]) => text)).toEqual([])
  },
)

test('every item of levels 1 and 2 is answered once, and the counts of the answers are right', () => {
  const page = read('docs/security/asvs.md')
  const items = [...page.matchAll(/^- \*\*(\d+\.\d+\.\d+)\*\* \([12]\) .+?\. \*\*([A-Z][a-z ]+)\*\*: ./gm)]
  expect(items.length).toBe(253)
  expect(new Set(items.map(([, id]) => id)).size).toBe(items.length)
  const told = [...page.matchAll(/^\| ([A-Z][a-z ]+?) +\| (\d+) +\|/gm)]
  expect(Object.fromEntries(told.map(([, status, count]) => [status, Number(count)]))).toEqual(
    Object.fromEntries(
      [...Map.groupBy(items, ([, , status]) => status)].map(([status, { length }]) => [status, length]),
    ),
  )
})

test('what changes something is not reached by GET', () => {
  const wrong = catalogue.filter(({ http, effect }) => http.method === 'GET' && effect !== 'read')
  expect(wrong.map(({ id }) => id)).toEqual([])
})
