import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { importText, reportOrRefusal, requestsOf } from '../../testing/import-context.ts'
import { countOutcomes } from '../report.ts'
import { importUrls } from './import-urls.ts'

test('each line becomes a request, and each is in the report with its line', async () => {
  const imported = await importText(
    importUrls,
    `# the shop
https://shop.example.com/
POST https://shop.example.com/login?next=%2Fcart

shop.example.com/cart
Search,https://shop.example.com/search?q=a,b
https://other.invalid/x
no address
ftp://shop.example.com/
FETCH https://shop.example.com/
`,
  )
  expect(requestsOf(imported).map(({ name, path, query, enabled }) => [name, path, query, enabled])).toEqual([
    ['GET /', '/', [], true],
    ['POST /login', '/login', [{ name: 'next', value: '/cart' }], true],
    ['GET /cart', '/cart', [], true],
    ['GET /x', '/x', [], false],
  ])
  expect(imported.report.elements.map(({ place, outcome }) => `${place} ${outcome}`)).toEqual([
    'line 2 mapped',
    'line 3 mapped',
    'line 5 approximated',
    'line 6 dropped',
    'line 7 approximated',
    'line 8 dropped',
    'line 9 dropped',
    'line 10 dropped',
  ])
})

test('a table names requests by its columns, in whatever order', async () => {
  const imported = await importText(
    importUrls,
    `name,method,url
Home,,https://shop.example.com/
"Search, ""quick""",POST,"https://shop.example.com/search?q=a,b"
`,
  )
  expect(requestsOf(imported).map(({ name, method, query }) => [name, method, query])).toEqual([
    ['Home', 'GET', []],
    ['Search, "quick"', 'POST', [{ name: 'q', value: 'a,b' }]],
  ])
  expect(countOutcomes(imported.report).read).toBe(3)
})

test('name,url is read without a header line', async () => {
  const imported = await importText(
    importUrls,
    'Home,https://shop.example.com/\nhttps://shop.example.com/a,b\n',
  )
  expect(requestsOf(imported).map(({ name, path }) => [name, path])).toEqual([
    ['Home', '/'],
    ['GET /a,b', '/a,b'],
  ])
})

test('relative addresses need a base URL', async () => {
  const imported = await importText(importUrls, 'GET /a\n', { baseUrl: 'https://shop.example.com/' })
  expect(imported.servers[0]!.document.base_url).toBe('https://shop.example.com')
  await expect(importText(importUrls, '/a\n')).rejects.toThrow('There is no address in it')
})

test('user and password in an address are for the server, and ${ stays as it is', async () => {
  const imported = await importText(importUrls, 'https://ada:pw@shop.example.com/${x}')
  expect(imported.servers[0]!.document.authentication).toMatchObject({ type: 'basic', user_name: 'ada' })
  expect(requestsOf(imported)[0]!.path).toBe('/$${x}')
})

test('any bytes end in a result or a SourceError', async () => {
  const line = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string(),
    fc.constantFrom('name,url', 'url', '"', ',', '#', 'GET /', 'http://[', 'http://%', 'https://a\u0000b/'),
  )
  const sources = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(line, { maxLength: 10 }).map((lines) => new TextEncoder().encode(lines.join('\n'))),
  )
  await fc.assert(
    fc.asyncProperty(sources, async (bytes) => {
      const report = await reportOrRefusal(importUrls, bytes)
      const lines = new TextDecoder().decode(bytes).split(/\r\n|\r|\n/)
      const expected = lines.filter((each) => each.trim() !== '' && !each.trim().startsWith('#')).length
      expect(report?.elements.length ?? expected).toBe(expected)
    }),
    { numRuns: 300 },
  )
})
