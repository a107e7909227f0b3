import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { importText, reportOrRefusal, requestsOf } from '../../testing/import-context.ts'
import { SourceError } from '../importer.ts'
import { countOutcomes } from '../report.ts'
import { importCurl } from './import-curl.ts'

const importOne = async (text: string) => {
  const imported = await importText(importCurl, text)
  const [request] = requestsOf(imported)
  return { ...imported, request: request!, server: imported.servers[0]!.document }
}
const notMapped = ({ report }: Awaited<ReturnType<typeof importText>>) =>
  report.elements
    .filter(({ outcome }) => outcome !== 'mapped')
    .map(({ name, outcome }) => `${outcome} ${name}`)

test('a command as Chrome copies it for bash becomes one request, and every option is in the report', async () => {
  const { request, report, server } =
    await importOne(`curl 'https://shop.example.com/api/orders?page=1&q=caf%C3%A9' \\
  -X 'POST' \\
  -H 'accept: application/json' \\
  -H 'content-type: application/json' \\
  -b 'session=abc; theme=dark' \\
  --data-raw $'{"text":"it\\'s \\u0021\\n"}' \\
  --compressed --insecure`)
  expect(request).toMatchObject({
    method: 'POST',
    path: '/api/orders',
    enabled: true,
    query: [
      { name: 'page', value: '1' },
      { name: 'q', value: 'café' },
    ],
    headers: [
      { name: 'accept', value: 'application/json' },
      { name: 'Cookie', value: 'session=abc; theme=dark' },
    ],
    body: { type: 'json', text: `{"text":"it's !\n"}`, content_type: 'application/json' },
    redirects: { follow: false },
  })
  expect(server).toMatchObject({ base_url: 'https://shop.example.com', tls: { verify: false } })
  // One address and seven options.
  expect(countOutcomes(report)).toEqual({ read: 8, mapped: 8, approximated: 0, dropped: 0 })
})

test('a command as Chrome copies it for cmd.exe is the same request as for bash', async () => {
  const windows = await importOne(
    'curl ^"https://shop.example.com/api/orders?a=1^&b=2^" ^\r\n  -H ^"content-type: application/json^" ^\r\n  --data-raw ^"^{^\\^"text^\\^":^\\^"50^% of ^<b^>^\\^"^}^"',
  )
  const bash = await importOne(
    `curl 'https://shop.example.com/api/orders?a=1&b=2' -H 'content-type: application/json' --data-raw '{"text":"50% of <b>"}'`,
  )
  expect(windows.request).toEqual(bash.request)
})

test('lines that go on with ^ and quotes without it are read as cmd.exe reads them, too', async () => {
  const { request } = await importOne(
    'curl "https://shop.example.com/a b" ^\n -H "X-Path: C:\\dir\\file" ^\n -d "{\\"a\\":\\"\\"}"',
  )
  expect(request).toMatchObject({ path: '/a%20b', headers: [{ name: 'X-Path', value: 'C:\\dir\\file' }] })
  expect(request.body).toMatchObject({ text: '{"a":""}' })
})

describe('options', () => {
  test.each([
    [
      '-d a=1 -d b=2',
      {
        method: 'POST',
        body: {
          type: 'form',
          fields: [
            { name: 'a', value: '1' },
            { name: 'b', value: '2' },
          ],
        },
      },
    ],
    ['--data-urlencode "q=a b&c"', { body: { type: 'form', fields: [{ name: 'q', value: 'a b&c' }] } }],
    [
      '-G -d a=1 -d "b=x y"',
      {
        method: 'GET',
        body: null,
        query: [
          { name: 'a', value: '1' },
          { name: 'b', value: 'x y' },
        ],
      },
    ],
    ['-G -d name=caf%E9 -d flag', { method: 'GET', body: null, path: '/x?name=caf%E9&flag', query: [] }],
    ['--url-query flag --url-query a=1', { path: '/x?flag', query: [{ name: 'a', value: '1' }] }],
    [
      '--json \'{"a":1}\'',
      {
        method: 'POST',
        body: { type: 'json', text: '{"a":1}' },
        headers: [{ name: 'Accept', value: 'application/json' }],
      },
    ],
    ['-I', { method: 'HEAD' }],
    ['-XDELETE', { method: 'DELETE' }],
    ['-L --max-redirs 3', { redirects: { follow: true, max: 3 } }],
    ['--max-time 2.5', { timeout_ms: 2500 }],
    [
      '-A Mozilla/5.0 -e https://example.com/',
      {
        headers: [
          { name: 'User-Agent', value: 'Mozilla/5.0' },
          { name: 'Referer', value: 'https://example.com/' },
        ],
      },
    ],
    [
      "-d 'plain text'",
      { body: { type: 'raw', text: 'plain text', content_type: 'application/x-www-form-urlencoded' } },
    ],
    [
      '-d name=caf%E9',
      { body: { type: 'raw', text: 'name=caf%E9', content_type: 'application/x-www-form-urlencoded' } },
    ],
    ['-T ./photo.png', { method: 'PUT', body: { type: 'file', path: 'uploads/photo.png' } }],
    [
      '-d @/tmp/body.json --json @/tmp/body.json',
      { body: { type: 'file', path: 'uploads/body.json', content_type: 'application/json' } },
    ],
    [
      "-F name=Ada -F 'photo=@/home/me/a.png;type=image/png;filename=b.png'",
      {
        method: 'POST',
        body: {
          type: 'multipart',
          parts: [
            { type: 'field', name: 'name', value: 'Ada' },
            {
              type: 'file',
              name: 'photo',
              path: 'uploads/a.png',
              file_name: 'b.png',
              content_type: 'image/png',
            },
          ],
        },
      },
    ],
  ])('%s', async (options, expected) => {
    const { request } = await importOne(`curl ${options} https://shop.example.com/x`)
    expect(request).toMatchObject(expected)
  })

  test.each([
    ['-u ada:secret', { authentication: { type: 'basic', user_name: 'ada', password: 'secret' } }],
    ['--digest -u ada:secret', { authentication: { type: 'digest' } }],
    ['--oauth2-bearer abc', { authentication: { type: 'bearer', token: 'abc' } }],
    ['-k', { tls: { verify: false } }],
    ['--http2', { http_version: 'h2' }],
    ['--http1.1 --connect-timeout 3', { http_version: 'http/1.1', connect_timeout_ms: 3000 }],
  ])('%s is for the server', async (options, expected) => {
    const { server } = await importOne(`curl ${options} https://shop.example.com/x`)
    expect(server).toMatchObject(expected)
  })

  test('what cannot be done is told of with its name', async () => {
    const imported = await importOne(
      'curl --proxy http://p:1 --wonder -b cookies.txt -H "Host: x" -H @file -d @body.txt https://shop.example.com/x -o',
    )
    expect(notMapped(imported).toSorted()).toEqual([
      'approximated -H',
      'approximated -d',
      'dropped --proxy',
      'dropped --wonder',
      'dropped -H',
      'dropped -b',
      'dropped -o',
    ])
  })
})

test('several commands, several addresses and --next are requests of their own, each with its line', async () => {
  const imported = await importText(
    importCurl,
    `# log in first
$ curl -d user=ada https://shop.example.com/login && echo done

curl https://shop.example.com/a https://shop.example.com/b --next -X PUT https://shop.example.com/c | jq .id > out.txt
`,
  )
  expect(requestsOf(imported).map(({ name }) => name)).toEqual(['POST /login', 'GET /a', 'GET /b', 'PUT /c'])
  const { elements } = imported.report
  expect(elements.filter(({ kind }) => kind === 'url').map(({ place }) => place)).toEqual([
    'line 2',
    'line 4',
    'line 4',
    'line 4',
  ])
  expect(
    elements.filter(({ outcome }) => outcome === 'dropped').map(({ kind, name }) => `${kind} ${name}`),
  ).toEqual(['command echo', 'command jq', 'shell > out.txt'])
})

test('variables of the shell become variables: with their value where it is written, else empty, else secret', async () => {
  const imported = await importText(
    importCurl,
    `export HOST=shop.example.com
curl -H "Authorization: Bearer $TOKEN" "https://$HOST/orders/\${ID}?price=\\$5"`,
  )
  const [request] = requestsOf(imported)
  expect(request).toMatchObject({
    enabled: true,
    path: '/orders/${ID}',
    query: [{ name: 'price', value: '$5' }],
    headers: [{ name: 'Authorization', value: 'Bearer ${TOKEN}' }],
  })
  expect(imported.servers[0]!.document.base_url).toBe('https://shop.example.com')
  expect(imported.variables.map(({ document }) => [document.name, document.type])).toEqual([
    ['HOST', 'constant'],
    ['TOKEN', 'secret'],
    ['ID', 'constant'],
  ])
  expect(imported.report.notes).toHaveLength(2)
})

test('cookies that a variable of the shell holds are sent, unless it holds the name of a file', async () => {
  const imported = await importText(
    importCurl,
    `JAR=cookies.txt
SESSION='sid=1'
curl -b "$COOKIE" -b "$SESSION; $OTHER" -b "$JAR" -b "$DIR/cookies.txt" https://shop.example.com/`,
  )
  expect(requestsOf(imported)[0]!.headers).toEqual([
    { name: 'Cookie', value: '${COOKIE}' },
    { name: 'Cookie', value: '${SESSION}; ${OTHER}' },
  ])
  expect(notMapped(imported)).toEqual(['dropped -b', 'dropped -b', 'approximated -b', 'approximated -b'])
})

test('a ${ that is meant as it is written stays so', async () => {
  const { request } = await importOne(
    `curl -d '{"t":"\${x}"}' -H 'Content-Type: text/plain' https://shop.example.com`,
  )
  expect(request.body).toMatchObject({ text: '{"t":"$${x}"}' })
})

test('a request to a host that is not verified is kept, disabled and told of', async () => {
  const imported = await importOne('curl https://other.invalid/x')
  expect(imported.request).toMatchObject({ enabled: false })
  expect(imported.request.disabled_reason).toContain('other.invalid')
  expect(notMapped(imported)).toEqual(['approximated https://other.invalid/x'])
})

test('a text without curl is refused', async () => {
  await expect(importText(importCurl, 'wget https://example.com')).rejects.toThrow(SourceError)
})

test('any bytes end in a result or a SourceError', async () => {
  const words = fc.constantFrom(
    'curl',
    '-H',
    "'",
    '"',
    '$',
    "$'",
    '\\',
    '^"',
    '^',
    '\n',
    'http://a.example.com',
    '-d',
    '@',
    '{',
    '`',
    '$(',
    '--next',
    '&',
    ' ',
  )
  const sources = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .array(fc.oneof(words, fc.string({ maxLength: 5 })), { maxLength: 40 })
      .map((list) => new TextEncoder().encode(`curl ${list.join(' ')}`)),
  )
  await fc.assert(
    fc.asyncProperty(sources, async (bytes) => {
      const report = await reportOrRefusal(importCurl, bytes)
      const notes = report?.elements.filter(({ outcome }) => outcome !== 'mapped').map(({ note }) => note)
      expect(notes?.every(Boolean)).not.toBe(false)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['variables that would be put into each other', `A=${'x'.repeat(4_000_000)}\ncurl ${'$A'.repeat(200_000)}`],
  ['one quote that never ends', `curl '${'a\n'.repeat(2_000_000)}`],
  ['many pipes', `curl x ${'|'.repeat(2_000_000)}`],
  ['many words', `curl ${'a '.repeat(400_000)}`],
])('%s ends within seconds', async (_, text) => {
  const report = await reportOrRefusal(importCurl, text)
  expect(report === undefined || report.elements.length > 0).toBe(true)
})
