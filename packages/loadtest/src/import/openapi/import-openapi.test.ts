import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { asObject } from '../../json/json-values.ts'
import { importText, reportOrRefusal, requestsOf } from '../../testing/import-context.ts'
import { type Imported, SourceError } from '../importer.ts'
import { countOutcomes } from '../report.ts'
import { importOpenApi } from './import-openapi.ts'

const order = {
  type: 'object',
  properties: {
    id: { type: 'string', readOnly: true },
    product: { type: 'string', example: 'p-101' },
    quantity: { type: 'integer', minimum: 2 },
    parent: { $ref: '#/components/schemas/Order' },
  },
}
const shop = {
  openapi: '3.0.3',
  info: { title: 'Shop', description: 'Sells things.' },
  servers: [
    { url: 'https://{region}.example.com/v1/', variables: { region: { default: 'eu' } } },
    { url: 'https://test.example.com' },
  ],
  security: [{ bearer: [] }],
  tags: [{ name: 'orders', description: 'What was bought.' }],
  paths: {
    '/orders/{orderId}': {
      parameters: [
        { name: 'orderId', in: 'path', required: true, schema: { type: 'string' }, example: 'o-1' },
      ],
      delete: { tags: ['orders'], responses: { 204: { description: 'Gone' } } },
      get: {
        tags: ['orders'],
        operationId: 'getOrder',
        parameters: [
          {
            name: 'expand',
            in: 'query',
            schema: { type: 'array', items: { type: 'string' } },
            example: ['a', 'b'],
          },
          { name: 'fields', in: 'query', schema: { type: 'string' } },
          { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string', format: 'uuid' } },
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
          { $ref: 'other.yaml#/parameters/Page' },
        ],
        responses: {
          200: { description: 'One' },
          404: { description: 'None' },
          default: { description: 'Else' },
        },
      },
    },
    '/orders': {
      post: {
        tags: ['orders'],
        summary: 'Create an order',
        requestBody: {
          content: {
            'application/xml': { schema: { $ref: '#/components/schemas/Order' } },
            'application/json': { schema: { $ref: '#/components/schemas/Order' } },
          },
        },
        responses: {
          201: {
            description: 'Made',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
        },
        callbacks: { shipped: {} },
      },
    },
    '/login': {
      post: {
        tags: ['session'],
        security: [],
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: { properties: { user: { type: 'string', default: 'ada' }, n: { type: 'number' } } },
            },
          },
        },
        responses: { '2XX': { description: 'In' } },
      },
    },
    '/photos': {
      post: {
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                properties: { title: { type: 'string' }, image: { type: 'string', format: 'binary' } },
              },
            },
          },
        },
        responses: { 302: { description: 'There' } },
      },
    },
  },
  components: {
    schemas: { Order: order },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      tls: { type: 'mutualTLS' },
    },
  },
}
const text = JSON.stringify(shop)
const drawn = (imported: Imported): string[] =>
  imported.virtualUsers[0]!.document.actions.flatMap((action) =>
    action.type === 'container'
      ? [
          action.name,
          ...action.actions.map(
            (each) => `  ${each.type === 'http_request' ? `${each.method} ${each.path}` : ''}`,
          ),
        ]
      : [],
  )

test('operations are put into containers by tag, creating before using and deleting last', async () => {
  expect(drawn(await importText(importOpenApi, text))).toEqual([
    'orders',
    '  POST /orders',
    '  GET /orders/${orderId}',
    '  DELETE /orders/${orderId}',
    'session',
    '  POST /login',
    'Other',
    '  POST /photos',
  ])
})

test('what is made gives its id to the requests that use it', async () => {
  const imported = await importText(importOpenApi, text)
  const [create] = requestsOf(imported)
  expect(create!.extractors).toMatchObject([{ type: 'json_path', path: '$.id', variable: 'orderId' }])
  expect(imported.variables.map(({ document }) => document)).toMatchObject([
    { type: 'secret', name: 'bearer' },
    { type: 'constant', name: 'orderId', value: 'o-1' },
  ])
})

test('requests have their parameters, bodies, expected statuses and authentication', async () => {
  const imported = await importText(importOpenApi, text)
  const [create, get, remove, login, photos] = requestsOf(imported)
  const serverOf = (id: string) => imported.servers.find((each) => each.id === id)!.document
  expect(JSON.parse(create!.body?.type === 'json' ? create!.body.text : '')).toMatchObject({
    product: 'p-101',
    quantity: 2,
  })
  expect(create!.assertions).toMatchObject([{ type: 'status', allowed: ['201'] }])
  expect(get!.query).toEqual([
    { name: 'expand', value: 'a' },
    { name: 'expand', value: 'b' },
  ])
  expect(get!.headers).toMatchObject([{ name: 'X-Trace' }])
  expect(remove!.assertions).toMatchObject([{ allowed: ['204'] }])
  expect(serverOf(get!.server_id)).toMatchObject({
    base_url: 'https://eu.example.com/v1',
    authentication: { type: 'bearer', token: '${bearer}' },
  })
  expect(serverOf(login!.server_id).authentication).toEqual({ type: 'none' })
  expect(login!.body).toEqual({
    type: 'form',
    fields: [
      { name: 'user', value: 'ada' },
      { name: 'n', value: '1.5' },
    ],
  })
  expect(login!.assertions).toMatchObject([{ allowed: ['2xx'] }])
  expect(photos!.body).toMatchObject({
    type: 'multipart',
    parts: [
      { type: 'field', name: 'title' },
      { type: 'file', name: 'image', path: 'uploads/image.bin' },
    ],
  })
  expect(photos!.redirects.follow).toBe(false)
})

test('every element of the document is in the report once', async () => {
  const { report } = await importText(importOpenApi, text)
  const operations = Object.values(asObject(shop.paths)).flatMap((item) =>
    Object.entries(asObject(item)).flatMap(([key, value]) => (key === 'parameters' ? [] : [asObject(value)])),
  )
  const count = (key: string): number =>
    operations.reduce((sum, each) => sum + Object.keys(each[key] ?? {}).length, 0)
  const bodies = operations.reduce(
    (sum, each) => sum + Object.keys(asObject(asObject(each['requestBody'])['content'])).length,
    0,
  )
  // Servers, security schemes and the parameter of a path stand outside of operations.
  const expected =
    operations.length + count('parameters') + count('responses') + count('callbacks') + bodies + 2 + 2 + 1
  expect(countOutcomes(report).read).toBe(expected)
  expect(new Set(report.elements.map(({ place }) => place)).size).toBe(expected)
  expect(
    report.elements
      .filter(({ outcome }) => outcome !== 'mapped')
      .map(({ name, outcome }) => `${outcome} ${name}`)
      .toSorted(),
  ).toEqual(
    [
      'approximated X-Trace',
      'approximated application/json',
      'approximated application/x-www-form-urlencoded',
      'approximated multipart/form-data',
      'approximated https://{region}.example.com/v1/',
      'dropped 404',
      'dropped application/xml',
      'dropped default',
      'dropped fields',
      'dropped https://test.example.com',
      'dropped other.yaml#/parameters/Page',
      'dropped session',
      'dropped shipped',
      'dropped tls',
    ].toSorted(),
  )
})

test('the same document in YAML gives the same', async () => {
  const [json, yaml] = [
    await importText(importOpenApi, text),
    await importText(importOpenApi, stringify(shop)),
  ]
  expect(yaml).toEqual(json)
})

test('links say where a value comes from', async () => {
  const imported = await importText(
    importOpenApi,
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Links' },
      servers: [{ url: 'https://shop.example.com' }],
      paths: {
        '/carts/{cart}': { get: { operationId: 'getCart', responses: {} } },
        '/sessions': {
          put: {
            responses: {
              200: {
                links: {
                  cart: { operationId: 'getCart', parameters: { cart: '$response.body#/user/carts/0' } },
                  lost: { operationId: 'nowhere' },
                },
              },
            },
          },
        },
      },
    }),
  )
  const [first, second] = requestsOf(imported)
  expect([first!.path, second!.path]).toEqual(['/sessions', '/carts/${cart}'])
  expect(first!.extractors).toMatchObject([{ path: '$["user"]["carts"][0]', variable: 'cart' }])
  expect(
    imported.report.elements.filter(({ kind }) => kind === 'link').map(({ outcome }) => outcome),
  ).toEqual(['mapped', 'dropped'])
})

test('links hand values to queries and headers, beside the id of what is made', async () => {
  const imported = await importText(
    importOpenApi,
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Links' },
      servers: [{ url: 'https://shop.example.com' }],
      paths: {
        '/orders/{order}': { get: { responses: {} } },
        '/orders': {
          post: {
            operationId: 'order',
            parameters: [
              { name: 'X-Nonce', in: 'header', required: true, schema: { type: 'string' } },
              { name: 'cart', in: 'query', schema: { type: 'string' } },
              { name: 'page', in: 'query', schema: { type: 'string' } },
            ],
            responses: {
              201: {
                content: { 'application/json': { schema: { properties: { id: { type: 'string' } } } } },
              },
            },
          },
        },
        '/checkout': {
          get: {
            responses: {
              200: {
                links: {
                  order: {
                    operationId: 'order',
                    parameters: {
                      'header.X-Nonce': '$response.body#/nonce',
                      cart: '$response.header.X-Cart',
                    },
                  },
                },
              },
            },
          },
        },
      },
    }),
  )
  const [checkout, made, read] = requestsOf(imported)
  expect([checkout!.path, made!.path, read!.path]).toEqual(['/checkout', '/orders', '/orders/${order}'])
  expect(checkout!.extractors).toMatchObject([
    { type: 'json_path', path: '$["nonce"]', variable: 'X-Nonce' },
    { type: 'header', name: 'X-Cart', variable: 'cart' },
  ])
  expect(made!.headers).toMatchObject([{ name: 'X-Nonce', value: '${X-Nonce}' }])
  expect(made!.query).toMatchObject([{ name: 'cart', value: '${cart}' }])
  expect(made!.extractors).toMatchObject([{ variable: 'order', path: '$.id' }])
  expect(imported.report.elements.map(({ kind, name, outcome }) => [kind, name, outcome])).toEqual(
    expect.arrayContaining([
      ['link', 'order', 'mapped'],
      ['parameter', 'X-Nonce', 'mapped'],
      ['parameter', 'page', 'dropped'],
    ]),
  )
})

test.each([
  [
    'basic',
    { type: 'http', scheme: 'basic' },
    { authentication: { type: 'basic', user_name: '${a_user}', password: '${a_password}' } },
  ],
  ['digest', { type: 'http', scheme: 'digest' }, { authentication: { type: 'digest' } }],
  ['OAuth 2.0', { type: 'oauth2', flows: {} }, { authentication: { type: 'bearer', token: '${a}' } }],
])('%s is the authentication of the server, with a secret', async (_, scheme, expected) => {
  const imported = await importText(importOpenApi, withScheme(scheme))
  expect(imported.servers[0]!.document).toMatchObject(expected)
  expect(imported.variables.some(({ document }) => document.type === 'secret')).toBe(true)
})

test('what is behind the path of a server is left out', async () => {
  const source = withScheme({ type: 'oauth2', flows: {} }).replace(
    'example.com',
    'example.com/v1/?name=caf%E9',
  )
  const imported = await importText(importOpenApi, source)
  expect(imported.servers[0]!.document.base_url).toBe('https://shop.example.com/v1')
})

test('an API key is a header or a parameter', async () => {
  const [inHeader] = requestsOf(
    await importText(importOpenApi, withScheme({ type: 'apiKey', in: 'header', name: 'X-Key' })),
  )
  expect(inHeader!.headers).toEqual([{ name: 'X-Key', value: '${a}' }])
  const [inQuery] = requestsOf(
    await importText(importOpenApi, withScheme({ type: 'apiKey', in: 'query', name: 'key' })),
  )
  expect(inQuery!.query).toEqual([{ name: 'key', value: '${a}' }])
})

const withScheme = (scheme: object): string =>
  JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'A' },
    servers: [{ url: 'https://shop.example.com' }],
    security: [{ a: [] }],
    paths: { '/x': { get: { responses: {} } } },
    components: { securitySchemes: { a: scheme } },
  })

test.each([
  ['Swagger 2.0', '{"swagger":"2.0","paths":{}}', 'Swagger 2.0'],
  ['another version', 'openapi: 4.0.0\npaths: {}', 'version 3'],
  ['JSON that is cut off', '{"openapi":"3.0.0",\n"paths":{', 'line 2'],
  ['YAML that is none', 'openapi: 3.0.0\npaths: [', 'YAML'],
  ['no object', '- a\n- b', 'object'],
  ['no server', '{"openapi":"3.0.0","paths":{}}', 'base URL'],
  [
    'deep nesting in JSON',
    `{"openapi":"3.0.0","paths":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    'levels deep',
  ],
  [
    'a million brackets that close nothing',
    `openapi: 3.0.0\npaths: a\n${'}'.repeat(1_000_000)}`,
    'line 3: It is no YAML',
  ],
  ['errors without end', `openapi: 3.0.0\npaths: [${','.repeat(300_000)}]`, 'line 2: It is no YAML'],
  ['deep nesting in YAML', `openapi: 3.0.0\npaths: ${'['.repeat(100_000)}`, ''],
  [
    'a billion laughs',
    `a: &a [x, x, x, x, x, x, x, x, x, x]\n${Array.from({ length: 12 }, (_, index) => {
      const [name, before] = [String.fromCodePoint(98 + index), String.fromCodePoint(97 + index)]
      return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(', ')}]`
    }).join('\n')}\nopenapi: 3.0.0\npaths: {}`,
    'repeat it too often',
  ],
])('%s is refused', async (_, source, message) => {
  const failed = importText(importOpenApi, source)
  await expect(failed).rejects.toThrow(SourceError)
  await expect(failed).rejects.toThrow(message)
})

test('references in a circle and schemas that hold themselves come to an end', async () => {
  const imported = await importText(
    importOpenApi,
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Circles' },
      servers: [{ url: 'https://shop.example.com' }],
      paths: {
        '/a': {
          post: {
            parameters: [{ $ref: '#/components/parameters/P' }],
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } },
            responses: { 200: { $ref: '#/components/responses/R' } },
          },
        },
        '/b': { $ref: '#/paths/~1b' },
      },
      components: {
        parameters: { P: { $ref: '#/components/parameters/P' } },
        responses: { R: { $ref: '#/components/responses/R' } },
        schemas: {
          A: {
            properties: Object.fromEntries(
              Array.from({ length: 30 }, (_, index) => [`a${index}`, { $ref: '#/components/schemas/A' }]),
            ),
          },
        },
      },
    }),
  )
  expect(requestsOf(imported)).toHaveLength(1)
  expect(imported.report.elements.filter(({ outcome }) => outcome === 'dropped')).toHaveLength(2)
})

test('any bytes, and any document that is nearly one, end in a result or a SourceError', async () => {
  const part = fc.constantFrom(...new Set((text.match(/"[^"]+"/g) ?? []).map((each) => each.slice(1, -1))))
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      part,
      fc.constantFrom(null, 1, true, -1e9, '#/paths', '{a}'),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(part, tie('value'), { maxKeys: 5 }),
    ),
  })).value
  const sources = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc
      .string({ maxLength: 200 })
      .map((yaml) => Buffer.from(`openapi: 3.0.0\npaths:\n  /a:\n    get:\n      ${yaml}`)),
    fc
      .record({ servers: json, paths: json, components: json, security: json, tags: json, webhooks: json })
      .map((document) => Buffer.from(JSON.stringify({ ...document, openapi: '3.0.0' }))),
    fc.tuple(json, json, json).map(([parameters, requestBody, responses]) =>
      Buffer.from(
        JSON.stringify({
          ...shop,
          paths: { '/a/{id}': { parameters, post: { parameters, requestBody, responses } } },
        }),
      ),
    ),
  )
  await fc.assert(
    fc.asyncProperty(sources, async (bytes) => {
      const report = await reportOrRefusal(importOpenApi, bytes)
      const notes = report?.elements.filter(({ outcome }) => outcome !== 'mapped').map(({ note }) => note)
      expect(notes?.every(Boolean)).not.toBe(false)
    }),
    { numRuns: 400 },
  )
})
