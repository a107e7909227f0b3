import * as fc from 'fast-check'
import { jsonpath, type JSONValue } from 'json-p3'
import { describe, expect, test } from 'vitest'
import { importText, reportOrRefusal, requestsOf } from '../../testing/import-context.ts'
import { type Imported, SourceError } from '../importer.ts'
import { importPostman } from './import-postman.ts'

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const collection = (parts: object): string => JSON.stringify({ info: { name: 'Shop', schema }, ...parts })
const item = (parts: object, url: unknown = 'https://shop.example.com/x'): object => ({
  name: 'One',
  request: { method: 'POST', url },
  ...parts,
})
const importOne = async (parts: object, more: object = {}) => {
  const imported = await importText(importPostman, collection({ item: [item(parts)], ...more }))
  return { ...imported, request: requestsOf(imported)[0]! }
}
const notMapped = ({ report }: Imported): string[] =>
  report.elements
    .filter(({ outcome }) => outcome !== 'mapped')
    .map(({ kind, name, outcome }) => `${outcome} ${kind} ${name}`)

test('folders become containers, and variables keep their names where they can', async () => {
  const imported = await importText(
    importPostman,
    collection({
      variable: [
        { key: 'baseUrl', value: 'https://shop.example.com/v1' },
        { key: 'user name', value: 'Ada ${x}' },
        { key: 'password', value: '' },
      ],
      item: [
        {
          name: 'Orders',
          item: [
            item({}, '{{baseUrl}}/orders/:id/{{part}}?q={{user name}}'),
            item({}, '{{baseUrl}}/orders?q={{user name}}&name=caf%E9'),
            item(
              {},
              {
                raw: 'ignored',
                host: ['{{baseUrl}}'],
                path: ['orders', ':id'],
                query: [
                  { key: 'expand', value: 'items' },
                  { key: 'old', value: '1', disabled: true },
                ],
                variable: [{ key: 'id', value: '{{orderId}}' }],
              },
            ),
          ],
        },
      ],
    }),
  )
  const [folder] = imported.virtualUsers[0]!.document.actions
  expect(folder).toMatchObject({ type: 'container', name: 'Orders' })
  expect(requestsOf(imported).map(({ path, query }) => [path, query])).toEqual([
    ['/v1/orders/${id}/${part}', [{ name: 'q', value: '${user_name}' }]],
    ['/v1/orders?q=${user_name}&name=caf%E9', []],
    ['/v1/orders/${orderId}', [{ name: 'expand', value: 'items' }]],
  ])
  expect(imported.servers.map(({ document }) => document.base_url)).toEqual(['https://shop.example.com'])
  expect(imported.variables.map(({ document }) => document)).toMatchObject([
    { type: 'constant', name: 'baseUrl' },
    { type: 'constant', name: 'user_name', value: 'Ada $${x}' },
    { type: 'secret', name: 'password' },
    { type: 'constant', name: 'id', value: '' },
    { type: 'constant', name: 'part', value: '' },
    { type: 'constant', name: 'orderId', value: '' },
  ])
  expect(imported.report.notes).toHaveLength(3)
  expect(notMapped(imported)).toEqual([
    'approximated variable password',
    'approximated item One',
    'dropped query old',
  ])
})

async function addressed(query: object[]) {
  const url = { raw: '', host: ['https://shop.example.com'], path: ['x'], query }
  const { request } = await importOne({ request: { method: 'GET', url } })
  return [request.path, request.query]
}

test('a query is sent as it is written, encoded or not, and without an = where there is no value', async () => {
  expect(
    await addressed([
      { key: 'q', value: 'a%20b' },
      { key: 't', value: '2024-01-01T10:00:00%2B02:00' },
      { key: 'both', value: 'a&{{x}}=%26 ${y}' },
      { key: 'wsdl', value: null },
    ]),
  ).toEqual([
    '/x?wsdl',
    [
      { name: 'q', value: 'a b' },
      { name: 't', value: '2024-01-01T10:00:00+02:00' },
      { name: 'both', value: 'a&${x}=& $${y}' },
    ],
  ])
  expect(await addressed([{ key: 'name', value: 'caf%E9' }])).toEqual(['/x?name=caf%E9', []])
})

test('the base URL stands for the start of an address that the collection does not know', async () => {
  const imported = await importText(
    importPostman,
    collection({ item: [item({}, '{{baseUrl}}/x'), item({}, '{{baseUrl}}/y?q={{part}}'), item({}, '/z')] }),
    { baseUrl: 'https://shop.example.com/v1/' },
  )
  expect(requestsOf(imported).map(({ path, enabled }) => [path, enabled])).toEqual([
    ['/v1/x', true],
    ['/v1/y', true],
    ['/v1/z', true],
  ])
  expect(imported.servers.map(({ document }) => document.base_url)).toEqual(['https://shop.example.com'])
  expect(imported.variables.map(({ document }) => document.name)).toEqual(['part'])
  expect(imported.report.notes).toEqual([
    'The collection does not say what {{baseUrl}} is: addresses that begin with it go to the base URL.',
    'The collection does not say what {{part}} is: give the variable part a value.',
  ])
})

test('a host that only the environment knows is told of, and its request disabled', async () => {
  const imported = await importText(importPostman, collection({ item: [item({}, '{{host}}/x')] }))
  const [request] = requestsOf(imported)
  expect(imported.servers[0]!.document.base_url).toBe('https://${host}')
  expect(request).toMatchObject({ enabled: false, path: '/x' })
  expect(notMapped(imported)).toEqual(['approximated item One'])
})

test('a request to a host that is not verified is kept, disabled and told of', async () => {
  const imported = await importText(importPostman, collection({ item: [item({}, 'ads.invalid/x')] }))
  expect(requestsOf(imported)[0]!.disabled_reason).toContain('ads.invalid')
  expect(imported.servers[0]!.document.base_url).toBe('http://ads.invalid')
})

test.each([
  ['{{$guid}}', { type: 'uuid', name: 'guid', renewed: 'each_use' }],
  ['{{$timestamp}}', { type: 'date_time', format: 'unix' }],
  ['{{$randomInt}}', { type: 'random_number', min: 0, max: 1000 }],
  ['{{$randomColor}}', { type: 'random_text', name: 'randomColor' }],
])('%s is a variable of ours', async (text, expected) => {
  const { variables, request, report } = await importOne(
    {},
    {
      item: [
        item({
          request: { method: 'POST', url: 'https://shop.example.com', body: { mode: 'raw', raw: text } },
        }),
      ],
    },
  )
  expect(variables[0]!.document).toMatchObject(expected)
  expect(request.body).toMatchObject({ text: `\${${variables[0]!.document.name}}` })
  expect(report.elements.filter(({ kind }) => kind === 'dynamic variable')).toHaveLength(1)
})

describe('bodies', () => {
  test.each([
    [
      'raw JSON',
      { mode: 'raw', raw: '{"a":{{n}}}', options: { raw: { language: 'json' } } },
      [],
      { type: 'json', text: '{"a":${n}}' },
    ],
    [
      'raw with a header',
      { mode: 'raw', raw: '<a/>' },
      [{ key: 'Content-Type', value: 'text/xml' }],
      { type: 'raw', text: '<a/>', content_type: 'text/xml' },
    ],
    [
      'a form',
      {
        mode: 'urlencoded',
        urlencoded: [
          { key: 'a', value: '1' },
          { key: 'b', value: '2', disabled: true },
        ],
      },
      [],
      { type: 'form', fields: [{ name: 'a', value: '1' }] },
    ],
    [
      'parts',
      {
        mode: 'formdata',
        formdata: [
          { key: 't', value: 'x', type: 'text' },
          { key: 'f', type: 'file', src: '/home/me/../a.png' },
        ],
      },
      [],
      {
        type: 'multipart',
        parts: [
          { type: 'field', name: 't', value: 'x' },
          { type: 'file', name: 'f', path: 'uploads/a.png' },
        ],
      },
    ],
    [
      'a file',
      { mode: 'file', file: { src: 'C:\\data\\b.bin' } },
      [],
      { type: 'file', path: 'uploads/b.bin' },
    ],
    [
      'GraphQL',
      { mode: 'graphql', graphql: { query: '{ a }', variables: '{"x":1}' } },
      [],
      { type: 'json', text: '{"query": "{ a }", "variables": {"x":1}}' },
    ],
  ])('%s', async (_, body, header, expected) => {
    const { request } = await importOne({
      request: { method: 'POST', url: 'https://shop.example.com', header, body },
    })
    expect(request.body).toMatchObject(expected)
    expect(request.headers).toEqual([])
  })

  test('of a GET are left out as Postman does, unless it is told not to, and their fields are told of', async () => {
    const request = {
      method: 'GET',
      url: 'https://shop.example.com',
      body: { mode: 'urlencoded', urlencoded: [{ key: 'a', value: '1' }] },
    }
    const pruned = await importOne({ request })
    expect(pruned.request.body).toBe(null)
    expect(notMapped(pruned).toSorted()).toEqual(['approximated item One', 'dropped field a'])
    const kept = await importOne({ request, protocolProfileBehavior: { disableBodyPruning: true } })
    expect(kept.request.body).toMatchObject({ type: 'form' })
  })
})

describe('authentication', () => {
  const auth = { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}' }] }

  test('is handed down, and none is none', async () => {
    const imported = await importText(
      importPostman,
      collection({
        auth,
        item: [
          item({}),
          {
            name: 'F',
            auth: { type: 'basic', basic: { username: 'ada', password: '{{pw}}' } },
            item: [item({})],
          },
          item({ request: { url: 'https://shop.example.com', auth: { type: 'noauth' } } }),
        ],
      }),
    )
    const kinds = requestsOf(imported).map(
      ({ server_id }) => imported.servers.find(({ id }) => id === server_id)!.document.authentication,
    )
    expect(kinds).toMatchObject([
      { type: 'bearer', token: '${token}' },
      { type: 'basic', user_name: 'ada', password: '${pw}' },
      { type: 'none' },
    ])
    expect(imported.report.elements.filter(({ kind }) => kind === 'auth')).toHaveLength(3)
  })

  test.each([
    [
      {
        type: 'apikey',
        apikey: [
          { key: 'key', value: 'X-Key' },
          { key: 'value', value: '{{k}}' },
        ],
      },
      { headers: [{ name: 'X-Key', value: '${k}' }] },
    ],
    [
      {
        type: 'apikey',
        apikey: [
          { key: 'key', value: 'k' },
          { key: 'value', value: '1' },
          { key: 'in', value: 'query' },
        ],
      },
      { query: [{ name: 'k', value: '1' }] },
    ],
    [
      {
        type: 'oauth2',
        oauth2: [
          { key: 'accessToken', value: 'abc' },
          { key: 'headerPrefix', value: 'Token' },
        ],
      },
      { headers: [{ name: 'Authorization', value: 'Token abc' }] },
    ],
  ])('%j', async (given, expected) => {
    expect((await importOne({}, { auth: given })).request).toMatchObject(expected)
  })

  test('that cannot be done is told of', async () => {
    expect(notMapped(await importOne({}, { auth: { type: 'awsv4', awsv4: [] } }))).toEqual([
      'dropped auth awsv4',
    ])
  })
})

const scripted = (exec: string | string[], listen = 'test') =>
  importOne({ event: [{ listen, script: { exec } }] })

describe('tests', () => {
  test.each([
    [
      'pm.test("ok", () => { pm.response.to.have.status(201) })',
      { type: 'status', allowed: ['201'], message: 'ok' },
    ],
    [
      'pm.test("ok", function () { pm.response.to.have.status("Created"); });',
      { type: 'status', allowed: ['201'] },
    ],
    ['pm.response.to.be.success', { type: 'status', allowed: ['2xx'] }],
    ['pm.response.to.not.be.error', { type: 'status', allowed: ['4xx', '5xx'], negate: true }],
    ['pm.expect(pm.response.code).to.equal(200)', { type: 'status', allowed: ['200'] }],
    ['pm.expect(pm.response.code).to.be.oneOf([200, 201])', { type: 'status', allowed: ['200', '201'] }],
    ['pm.expect(pm.response.code).to.be.below(400)', { type: 'status', allowed: ['1xx', '2xx', '3xx'] }],
    ['pm.expect(pm.response.responseTime).to.be.below(200)', { type: 'duration', max_ms: 200 }],
    [
      'const j = pm.response.json(); pm.expect(j.a["b c"][0]).to.eql("x")',
      { type: 'json_path', path: "$.a['b c'][0]", equals: 'x' },
    ],
    ['pm.expect(pm.response.json().n).to.be.above(3)', { type: 'json_path', path: '$[?$.n>3]' }],
    [
      'pm.expect(pm.response.json().list).to.have.lengthOf(2)',
      { type: 'json_path', path: '$[?length($.list)==2]' },
    ],
    [
      'pm.expect(pm.response.json()).to.have.property("id")',
      { type: 'json_path', path: '$.id', equals: null },
    ],
    ['pm.expect(pm.response.json().s).to.be.a("string")', { type: 'json_path', path: "$[?$.s>='']" }],
    ['pm.expect(pm.response.json().e).to.not.exist', { type: 'json_path', path: '$.e', negate: true }],
    ['pm.expect(pm.response.text()).to.include("hello")', { type: 'body_contains', text: 'hello' }],
    [
      'pm.expect(pm.response.text()).to.match(/^h.*o$/i)',
      { type: 'body_matches', pattern: '^h.*o$', flags: 'i' },
    ],
    [
      'pm.expect(pm.response.headers.get("X-A")).to.eql("1")',
      { type: 'header', name: 'X-A', comparison: 'equals', value: '1' },
    ],
    [
      'pm.response.to.have.header("Content-Type")',
      { type: 'header', name: 'Content-Type', comparison: 'exists' },
    ],
    ['pm.response.to.have.jsonBody("a.b[1]", 7)', { type: 'json_path', path: '$.a.b[1]', equals: '7' }],
    [
      'tests["Status code is 200"] = responseCode.code === 200;',
      { type: 'status', allowed: ['200'], message: 'Status code is 200' },
    ],
    ['tests["fast"] = responseTime < 500', { type: 'duration', max_ms: 500 }],
    ['tests["has"] = responseBody.has("${hello}")', { type: 'body_contains', text: '$${hello}' }],
    [
      'var d = JSON.parse(responseBody); tests["none"] = !("a" in d.b)',
      { type: 'json_path', path: '$.b.a', negate: true },
    ],
    [
      'tests["h"] = postman.getResponseHeader("X-A") == "1"',
      { type: 'header', comparison: 'equals', value: '1' },
    ],
  ])('%s', async (script, expected) => {
    const imported = await scripted(script)
    expect(imported.request.assertions).toMatchObject([expected])
    expect(notMapped(imported)).toEqual([])
  })

  test.each([
    [
      'pm.environment.set("t", pm.response.json().token)',
      { type: 'json_path', variable: 't', path: '$.token' },
    ],
    [
      'const { token } = pm.response.json(); pm.collectionVariables.set("t", token)',
      { type: 'json_path', path: '$.token' },
    ],
    ['pm.globals.set("t", pm.response.headers.get("X-A"))', { type: 'header', name: 'X-A' }],
    ['pm.environment.set("t", pm.cookies.get("sid"))', { type: 'cookie', name: 'sid' }],
    [
      'postman.setEnvironmentVariable("t", JSON.parse(responseBody).a[0])',
      { type: 'json_path', path: '$.a[0]' },
    ],
    [
      'const m = pm.response.text().match(/id="(\\d+)"/); pm.environment.set("t", m[1])',
      { type: 'regex', pattern: 'id="(\\d+)"', group: 1 },
    ],
  ])('%s', async (script, expected) => {
    const imported = await scripted(script)
    expect(imported.request.extractors).toMatchObject([expected])
    expect(notMapped(imported)).toEqual([])
    expect(imported.report.notes).toEqual([])
  })

  test('what is done under a condition is done always, which is told', async () => {
    const imported = await scripted(
      'if (pm.response.code === 200) { pm.environment.set("t", pm.response.json().a) }',
    )
    expect(imported.request.extractors).toHaveLength(1)
    expect(notMapped(imported)).toEqual([
      'approximated statement pm.environment.set("t", pm.response.json().a)',
    ])
    expect(imported.report.elements.at(-1)!.note).toContain('pm.response.code === 200')
  })

  test('every other statement is told of with its text and line, and never run', async () => {
    const imported = await scripted([
      'globalThis.wasRun = true;',
      'for (const a of pm.response.json().list) { pm.expect(a).to.be.ok }',
      'pm.test("two", () => {',
      '  pm.response.to.have.status(200);',
      '  pm.expect(compute()).to.equal(1);',
      '});',
      'postman.setNextRequest("Other");',
      'pm.sendRequest("https://evil.invalid", () => {});',
    ])
    expect(Reflect.get(globalThis, 'wasRun')).toBe(undefined)
    expect(
      imported.report.elements
        .filter(({ kind }) => kind === 'statement')
        .map(({ place, outcome, name }) => `${place.replace(/.*line /, '')} ${outcome} ${name.slice(0, 30)}`),
    ).toEqual([
      '1 dropped globalThis.wasRun = true;',
      '2 dropped for (const a of pm.response.js',
      '4 mapped pm.response.to.have.status(200',
      '5 dropped pm.expect(compute()).to.equal(',
      '7 dropped postman.setNextRequest("Other"',
      '8 dropped pm.sendRequest("https://evil.i',
    ])
  })

  test('a value that cannot be followed any more is not taken for the one before', async () => {
    const imported = await scripted('let a = pm.response.json().a; a = compute(); pm.environment.set("t", a)')
    expect(imported.request.extractors).toEqual([])
    expect(notMapped(imported)).toHaveLength(2)
  })

  test('of a folder are done after each of its requests, and told of once', async () => {
    const imported = await importText(
      importPostman,
      collection({
        event: [{ listen: 'test', script: { exec: ['pm.response.to.be.ok'] } }],
        item: [item({}), item({})],
      }),
    )
    expect(requestsOf(imported).map(({ assertions }) => assertions.length)).toEqual([1, 1])
    expect(imported.report.elements.filter(({ kind }) => kind === 'statement')).toHaveLength(1)
  })
})

test('what is set before a request is set by an action before it', async () => {
  const imported = await scripted(
    [
      'pm.variables.set("a", "x" + pm.environment.get("b"));',
      'pm.environment.set("now", new Date().toISOString());',
      'pm.request.headers.add({ key: "X-A", value: `v ${pm.variables.get("a")}` });',
    ],
    'prerequest',
  )
  expect(imported.virtualUsers[0]!.document.actions).toMatchObject([
    { type: 'set_variable', variable: 'a', value: 'x${b}' },
    { type: 'set_variable', variable: 'now', value: '${current_time}' },
    { type: 'http_request', headers: [{ name: 'X-A', value: 'v ${a}' }] },
  ])
  expect(notMapped(imported)).toEqual([])
})

describe('refused', () => {
  test.each([
    ['format 1', '{"id":"1","name":"a","requests":[],"order":[]}', 'format 1'],
    [
      'an environment',
      '{"name":"a","values":[],"_postman_variable_scope":"environment"}',
      'Postman environment',
    ],
    ['a dump', '{"version":1,"collections":[]}', 'dump'],
    ['something else', '{"a":1}', 'no Postman collection'],
    ['what is cut off', collection({ item: [item({})] }).slice(0, -20), 'cut off'],
    ['deep values', '['.repeat(1_000_000), 'levels deep'],
    ['deep values that are whole', '['.repeat(100_000) + ']'.repeat(100_000), 'levels deep'],
    [
      'deep folders',
      collection({ item: [Array.from({ length: 60 }).reduce((inner) => ({ item: [inner] }), item({}))] }),
      'inside one another',
    ],
    ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x00]), 'UTF-8'],
  ])('%s', async (_, source, message) => {
    const failed = importText(importPostman, source)
    await expect(failed).rejects.toThrow(SourceError)
    await expect(failed).rejects.toThrow(message)
  })
})

describe('hostile collections end within seconds', () => {
  test.each([
    [
      'variables that name each other',
      collection({
        variable: Array.from({ length: 30 }, (_, index) => ({
          key: `v${index}`,
          value: `{{v${(index + 1) % 30}}}`.repeat(100),
        })),
        item: [item({}, '{{v0}}/x')],
      }),
    ],
    ['a text that doubles', scriptOf(`let a = "x"; ${'a = a + a;'.repeat(500)} pm.environment.set("t", a)`)],
    ['calls inside calls', scriptOf(`pm.environment.set("t", ${'String('.repeat(500)}1${')'.repeat(500)})`)],
    ['a long chain', scriptOf(`pm.expect(1)${'.to'.repeat(100_000)}`)],
    ['deep code', scriptOf('('.repeat(100_000))],
    ['deep code that is whole', scriptOf(`${'['.repeat(5000)}${']'.repeat(5000)}`)],
    ['many statements', scriptOf('a;'.repeat(300_000))],
    [
      'many scripts',
      collection({
        event: Array.from({ length: 50 }, () => ({
          listen: 'prerequest',
          script: { exec: 'pm.variables.set("a", "b");'.repeat(100) },
        })),
        item: Array.from({ length: 2000 }, () => item({})),
      }),
    ],
  ])('%s', async (_, source) => {
    const report = await reportOrRefusal(importPostman, source)
    expect(report === undefined || report.elements.length > 0).toBe(true)
  })
})

function scriptOf(exec: string): string {
  return collection({ item: [item({ event: [{ listen: 'test', script: { exec } }] })] })
}

test('any bytes, any collection and any script end in a result or a SourceError', async () => {
  const words = [
    'pm.test("a",()=>{',
    '})',
    'pm.expect(',
    ')',
    '.to',
    '.not',
    '.equal(',
    '1',
    'pm.response',
    '.json()',
    '.a',
    '[0]',
    'tests["a"]',
    '=',
    '===',
    '&&',
    '!',
    'if(',
    '{',
    '}',
    'try{',
    'catch(e){}',
    ';',
    'const x=',
    'x',
    'pm.environment.set("v",',
    '`',
    '/a/',
    '"s"',
    '+',
  ]
  const script = fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((list) => list.join(''))
  const keys = [
    'item',
    'request',
    'name',
    'url',
    'raw',
    'host',
    'path',
    'query',
    'key',
    'value',
    'header',
    'body',
    'mode',
    'formdata',
    'src',
    'auth',
    'type',
    'basic',
    'bearer',
    'event',
    'listen',
    'script',
    'exec',
    'variable',
    'disabled',
    'method',
    'response',
  ]
  const values = [
    '{{a}}',
    '{{$guid}}',
    'https://shop.example.com/:a',
    'test',
    'prerequest',
    'raw',
    'formdata',
    'basic',
    '\u0000\ud800',
    '${',
  ]
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom<unknown>(...values, null, 1, true),
      script,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie('value'), { maxKeys: 6 }),
    ),
  })).value
  const sources = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .record({ item: fc.array(json, { maxLength: 4 }), variable: json, event: json, auth: json })
      .map((parts) => Buffer.from(collection(parts))),
    script.map((exec) => Buffer.from(scriptOf(exec))),
  )
  await fc.assert(
    fc.asyncProperty(sources, async (bytes) => {
      const report = await reportOrRefusal(importPostman, bytes)
      const notes = report?.elements.filter(({ outcome }) => outcome !== 'mapped').map(({ note }) => note)
      expect(notes?.every(Boolean)).not.toBe(false)
    }),
    { numRuns: 500 },
  )
})

/** The body of an answer, what a script says of it, and whether Postman would find it so. */
test.each<[body: JSONValue, script: string, isTrue: boolean]>([
  [{ n: 4 }, 'pm.expect(j.n).to.be.above(3)', true],
  [{ n: 3 }, 'pm.expect(j.n).to.be.above(3)', false],
  [{ n: 3 }, 'pm.expect(j.n).to.be.within(1, 3)', true],
  [{ list: [1, 2] }, 'pm.expect(j.list).to.have.lengthOf(2)', true],
  [{ list: [1] }, 'pm.expect(j.list).to.have.lengthOf(2)', false],
  [{ list: [] }, 'pm.expect(j.list).to.be.empty', true],
  [{ s: 'a.b?' }, 'pm.expect(j.s).to.include("b?")', true],
  [{ s: 'axb' }, 'pm.expect(j.s).to.include("a.b")', false],
  [{ list: ["it's", 2] }, `pm.expect(j.list).to.include("it's")`, true],
  [{ list: [1, 2] }, 'pm.expect(j.list).to.include(3)', false],
  [{ c: 'b' }, 'pm.expect(j.c).to.be.oneOf(["a", "b"])', true],
  [{ c: 'c' }, 'pm.expect(j.c).to.be.oneOf(["a", "b"])', false],
  [{ x: null }, 'pm.expect(j.x).to.be.null', true],
  [{ x: 0 }, 'pm.expect(j.x).to.be.null', false],
  [{ s: '' }, 'pm.expect(j.s).to.be.a("string")', true],
  [{ s: 1 }, 'pm.expect(j.s).to.be.a("string")', false],
  [{ s: -1 }, 'pm.expect(j.s).to.be.a("number")', true],
  [{ s: '1' }, 'pm.expect(j.s).to.be.a("number")', false],
  [{ s: false }, 'pm.expect(j.s).to.be.a("boolean")', true],
  [{ 'a b': { "c'd": 1 } }, `pm.expect(j["a b"]["c'd"]).to.exist`, true],
])('of %j, %s is %s', async (body, script, isTrue) => {
  const { request } = await scripted(`const j = pm.response.json(); ${script}`)
  expect(request.assertions.length).toBeGreaterThan(0)
  const holds = request.assertions.every(
    (each) => each.type === 'json_path' && jsonpath.query(each.path, body).length > 0 !== each.negate,
  )
  expect(holds).toBe(isTrue)
})
