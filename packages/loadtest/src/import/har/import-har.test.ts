import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { variable } from '../../model/variable.ts'
import { httpServer } from '../../model/http-server.ts'
import { virtualUser } from '../../model/virtual-user.ts'
import { suggestCorrelations } from '../../correlate/suggest-correlations.ts'
import { drawRequests, importedHar, madeEntry, type MadeEntry } from '../../testing/har.ts'
import { recordingOf } from '../../testing/short-exchanges.ts'
import { walkActions } from '../../outline/walk-actions.ts'
import type { HttpRequest } from '../../model/action.ts'
import { SourceError, type Imported } from '../importer.ts'
import { countOutcomes } from '../report.ts'

const shop = 'https://shop.test'

function requestsIn({ virtualUsers }: Imported): HttpRequest[] {
  return [...walkActions(virtualUsers[0]!.document)].flatMap(({ action }) =>
    action.type === 'http_request' ? [action] : [],
  )
}

async function onlyRequest(entry: Partial<MadeEntry>): Promise<HttpRequest> {
  return requestsIn(await importedHar({ entries: [{ url: `${shop}/`, ...entry }] }))[0]!
}

function elementAt(imported: Imported, place: string) {
  return imported.report.elements.find((element) => element.place === place)
}

test('pages become containers with think times between them, and static resources come under their page', async () => {
  const imported = await importedHar({
    pages: [
      { id: 'p1', title: 'Home' },
      { id: 'p2', title: 'Cart' },
      { id: 'p3', title: 'Empty' },
    ],
    entries: [
      { page: 'p1', url: `${shop}/` },
      { page: 'p1', url: `${shop}/a.css`, atMs: 12, type: 'text/css', headers: { Referer: `${shop}/` } },
      {
        page: 'p1',
        url: `${shop}/f.woff2`,
        atMs: 25,
        type: 'font/woff2',
        headers: { Referer: `${shop}/a.css` },
      },
      { page: 'p1', url: `${shop}/api/me`, atMs: 40, type: 'application/json', text: '{}' },
      { page: 'p2', url: `${shop}/cart`, atMs: 5050 },
      { page: 'p2', url: `${shop}/b.js?v=1`, atMs: 5062, type: 'text/javascript' },
      { page: 'p2', url: `${shop}/cart`, atMs: 6060, method: 'POST', type: 'application/json' },
    ],
  })
  expect(drawRequests(imported.actions)).toEqual([
    'Home',
    '  GET /',
    '  + /a.css',
    '  + /f.woff2',
    '  GET /api/me',
    'wait 5000 ms',
    'Cart',
    '  GET /cart',
    '  + /b.js?v=1',
    '  wait 988 ms',
    '  POST /cart',
  ])
  expect(elementAt(imported, 'log.pages[2]')?.outcome).toBe('dropped')
  expect(countOutcomes(imported.report)).toEqual({ read: 10, mapped: 9, approximated: 0, dropped: 1 })
})

test('static resources become requests with a tag, or are left out with a note, by choice', async () => {
  const entries = [{ url: `${shop}/` }, { url: `${shop}/a.png`, atMs: 12, type: 'image/png' }]
  const apart = await importedHar({ entries }, { resources: 'requests' })
  expect(drawRequests(apart.actions)).toEqual(['GET /', '  GET /', '  [static] GET /a.png'])
  const without = await importedHar({ entries }, { resources: 'dropped' })
  expect(drawRequests(without.actions)).toEqual(['GET /', '  GET /'])
  expect(elementAt(without, 'log.entries[1]')).toMatchObject({
    outcome: 'dropped',
    note: 'Static resources are left out, as was chosen.',
  })
})

test('without pages, pauses and visits begin containers, and long pauses are cut', async () => {
  const visit = { 'Sec-Fetch-Dest': 'document' }
  const entries = [
    { url: `${shop}/a`, headers: visit },
    { url: `${shop}/b`, headers: visit, atMs: 100 },
    { url: `${shop}/api/x`, type: 'application/json', atMs: 500 },
    { url: `${shop}/api/y`, type: 'application/json', atMs: 9000 },
  ]
  const imported = await importedHar({ entries }, { thinkTimeMaxMs: 3000 })
  expect(drawRequests(imported.actions)).toEqual([
    'GET /a',
    '  GET /a',
    'GET /b',
    '  GET /b',
    '  wait 390 ms',
    '  GET /api/x',
    'wait 3000 ms',
    'GET /api/y',
    '  GET /api/y',
  ])
  const quick = await importedHar({ entries }, { thinkTimes: 'none' })
  expect(drawRequests(quick.actions).join()).not.toContain('wait')
})

test('the title of a page with several visits, which is that of the last, names none of them', async () => {
  const visit = { 'Sec-Fetch-Dest': 'document' }
  const imported = await importedHar({
    pages: [{ id: 'p', title: 'Done' }],
    entries: [
      { url: `${shop}/a`, headers: visit, page: 'p' },
      { url: `${shop}/b`, headers: visit, page: 'p', atMs: 50 },
    ],
  })
  expect(drawRequests(imported.actions)).toEqual(['GET /a', '  GET /a', 'GET /b', '  GET /b'])
  expect(imported.virtualUsers[0]?.document.name).toBe('shop.test')
})

/** As Playwright writes it where it holds requests up: without what the browser tells the server of them. */
const fromPlaywright = (resourceType: string, entry: Partial<MadeEntry>): MadeEntry => ({
  url: `${shop}/`,
  page: 'page@1',
  ...(resourceType === 'document' ? { text: '<title>Shop</title>' } : { type: 'application/json' }),
  ...entry,
  more: { _resourceType: resourceType },
})
const onPage = (path: string) => ({ Referer: `${shop}${path}` })

test('each page that is gone to is a container, named by its own title or path without ids, no two the same', async () => {
  const login = { text: '<head><title>\n  Log in &amp; out</title>' }
  const order = {
    url: `${shop}/orders/ord_49bdbbb9868d79d2`,
    text: '<title lang=en>Order ord_49bdbbb9</title>',
  }
  const imported = await importedHar({
    pages: [{ id: 'page@1', title: 'Order ord_49bdbbb9' }],
    entries: [
      fromPlaywright('document', {}),
      fromPlaywright('script', {
        url: `${shop}/a.js`,
        atMs: 12,
        type: 'text/javascript',
        headers: onPage('/'),
      }),
      fromPlaywright('document', { url: `${shop}/login`, atMs: 40, ...login }),
      fromPlaywright('document', {
        url: `${shop}/login`,
        atMs: 60,
        method: 'POST',
        status: 302,
        type: 'x-unknown',
        answerHeaders: { Location: '/catalog' },
      }),
      fromPlaywright('document', { url: `${shop}/catalog`, atMs: 72, text: '' }),
      fromPlaywright('fetch', { url: `${shop}/api/products`, atMs: 85 }),
      fromPlaywright('fetch', {
        url: `${shop}/fragment`,
        atMs: 86,
        type: 'text/html',
        text: '<title>no</title>',
      }),
      fromPlaywright('document', { ...order, atMs: 110 }),
      fromPlaywright('document', { ...order, atMs: 130 }),
      fromPlaywright('document', { ...order, method: 'POST', atMs: 150 }),
      fromPlaywright('document', { url: `${shop}/invoice`, atMs: 170, type: 'application/pdf', text: '' }),
    ],
  })
  expect(drawRequests(imported.actions)).toEqual([
    'Shop',
    '  GET /',
    '  + /a.js',
    'Log in & out',
    '  GET /login',
    'POST /login',
    '  POST /login',
    '  GET /api/products',
    '  GET /fragment',
    'Order {id}',
    '  GET /orders/ord_49bdbbb9868d79d2',
    'GET /orders/{id}',
    '  GET /orders/ord_49bdbbb9868d79d2',
    'POST /orders/{id}',
    '  POST /orders/ord_49bdbbb9868d79d2',
    '  GET /invoice',
  ])
})

test('names that come again are numbered', async () => {
  const imported = await importedHar({
    entries: [0, 1, 2, 3].map((id) => ({
      url: `${shop}/orders/${id}/`,
      atMs: 5000 * id,
      text: '<title>O</title>',
    })),
  })
  expect(imported.actions.flatMap(({ type, name }) => (type === 'container' ? [name] : []))).toEqual([
    'O',
    'GET /orders/{id}/',
    'GET /orders/{id}/ (2)',
    'GET /orders/{id}/ (3)',
  ])
})

test('a page within a page begins no container, whoever tells of it', async () => {
  const imported = await importedHar({
    entries: [
      fromPlaywright('document', {}),
      fromPlaywright('document', { url: `${shop}/frame`, atMs: 12, headers: onPage('/') }),
      fromPlaywright('image', { url: `${shop}/a.png`, atMs: 30, type: 'image/png', headers: onPage('/') }),
      { url: `${shop}/told`, atMs: 45, headers: { ...onPage('/'), 'Sec-Fetch-Dest': 'iframe' } },
      { ...fromPlaywright('document', { url: `${shop}/parsed`, atMs: 60, headers: onPage('/') }) },
      { url: `${shop}/x-widget`, atMs: 75, headers: { Accept: '*/*' } },
      { url: `${shop}/favicon.ico`, atMs: 90, status: 404 },
      { url: 'https://ads.other/frame', atMs: 105, type: 'text/html' },
      fromPlaywright('document', { url: `${shop}/next`, atMs: 120, headers: onPage('/'), text: '' }),
    ].map((entry) =>
      entry.url.endsWith('/parsed')
        ? { ...entry, more: { ...entry.more, _initiator: { type: 'parser' } } }
        : entry,
    ),
  })
  expect(imported.actions.flatMap(({ type, name }) => (type === 'container' ? [name] : []))).toEqual([
    'Shop',
    'GET /next',
  ])
})

test('a pause divides what goes to hosts that are not verified, too, whatever streams or counts visitors beside it', async () => {
  const api = { type: 'application/json' }
  const names = async (host: string) => {
    const imported = await importedHar({
      entries: [
        { url: `${host}/a`, ...api },
        { url: `${host}/events`, atMs: 5, ms: 60_000, type: 'text/event-stream' },
        ...[2000, 4000, 6000, 8000].map((atMs) => ({ url: 'https://ads.other/beat', atMs, ...api })),
        { url: `${host}/lazy.png`, atMs: 6000, type: 'image/png' },
        { url: `${host}/b`, atMs: 9000, ...api },
        { url: `${host}/c`, atMs: 9100, ...api },
      ],
    })
    return drawRequests(imported.actions).filter((line) => !line.startsWith(' '))
  }
  expect(await names(shop)).toEqual(['GET /a', 'wait 2990 ms', 'GET /b'])
  expect(await names('https://shop.other')).toEqual(['GET /a', 'GET /b'])
})

test('a redirect to where requests are not let begins no container of its own', async () => {
  const visit = { 'Sec-Fetch-Dest': 'document' }
  const imported = await importedHar({
    entries: [
      {
        url: `${shop}/a`,
        headers: visit,
        status: 302,
        answerHeaders: { Location: 'https://id.other/authorize' },
      },
      { url: 'https://id.other/authorize', headers: visit, atMs: 12 },
      { url: 'https://id.other/consent', headers: visit, atMs: 30 },
    ],
  })
  expect(drawRequests(imported.actions)).toEqual([
    'GET /a',
    '  GET /a',
    '  GET /authorize (disabled)',
    'GET /consent',
    '  GET /consent (disabled)',
  ])
})

test.each<[string, Partial<MadeEntry>]>([
  ['by its type', { type: 'text/event-stream; charset=utf-8' }],
  ['by its recorder', { more: { _resourceType: 'eventsource' } }],
])('a stream of events, known %s, is kept, disabled, and told of', async (_, entry) => {
  const imported = await importedHar({
    entries: [
      { url: `${shop}/` },
      { url: `${shop}/events`, atMs: 500, ms: 60_000, ...entry },
      { url: `${shop}/api`, atMs: 1010, type: 'application/json' },
    ],
  })
  expect(drawRequests(imported.actions)).toEqual([
    'GET /',
    '  GET /',
    '  GET /events (disabled)',
    '  wait 1000 ms',
    '  GET /api',
  ])
  expect(elementAt(imported, 'log.entries[1]')).toMatchObject({
    outcome: 'approximated',
    note: expect.stringContaining('stream of events'),
  })
})

test('a stream of events that a POST was answered with ends by itself, and is waited for', async () => {
  const imported = await importedHar({
    entries: [{ url: `${shop}/chat`, method: 'POST', type: 'text/event-stream' }],
  })
  expect(drawRequests(imported.actions)).toEqual(['POST /chat', '  POST /chat'])
})

test('a timeline names the containers', async () => {
  const imported = await importedHar(
    {
      pages: [{ id: 'p', title: 'Page' }],
      entries: [0, 1000, 2000, 3000].map((atMs) => ({ url: `${shop}/${atMs}`, atMs, page: 'p' })),
    },
    {
      thinkTimes: 'none',
      timeline: [
        { at: '2026-01-01T00:00:02.500Z', name: 'Pay' },
        { at: '2026-01-01T00:00:00.900Z', name: 'Search' },
      ],
    },
  )
  expect(drawRequests(imported.actions)).toEqual([
    'GET /{id}',
    '  GET /0',
    'Search',
    '  GET /1000',
    '  GET /2000',
    'Pay',
    '  GET /3000',
  ])
})

test('entries come in the order of their times, whatever order they are written in', async () => {
  const imported = await importedHar({
    entries: [500, 0, 200].map((atMs) => ({ url: `${shop}/${atMs}`, atMs })),
  })
  expect(requestsIn(imported).map(({ path, recorded }) => [path, recorded])).toEqual([
    ['/0', 1],
    ['/200', 2],
    ['/500', 0],
  ])
})

test('redirects are followed by the request that they answer', async () => {
  const imported = await importedHar({
    entries: [
      { url: `${shop}/login`, method: 'POST', status: 302, answerHeaders: { Location: '/next' } },
      { url: `${shop}/other`, atMs: 5 },
      { url: `${shop}/next`, atMs: 12, status: 301, answerHeaders: { location: `${shop}/home#top` } },
      { url: `${shop}/home`, atMs: 25 },
      { url: `${shop}/home`, atMs: 9000 },
    ],
  })
  const [login, other, again] = requestsIn(imported)
  expect(login).toMatchObject({ recorded: 0, redirects: { follow: true, recorded: [2, 3] } })
  expect([other?.path, again?.path]).toEqual(['/other', '/home'])
  expect(elementAt(imported, 'log.entries[3]')).toMatchObject({
    outcome: 'mapped',
    actionId: login?.id,
    note: 'It is the redirect that log.entries[0] follows.',
  })
})

test('a redirect that the recording does not follow, or that leads to a host that is not verified, is not followed', async () => {
  const found = await importedHar({
    entries: [
      { url: `${shop}/a`, status: 302, answerHeaders: { Location: 'https://id.other/authorize' } },
      { url: 'https://id.other/authorize', atMs: 12 },
      { url: `${shop}/b`, status: 302, answerHeaders: { Location: '/nowhere' }, atMs: 30 },
    ],
  })
  expect(requestsIn(found).map(({ redirects, enabled }) => [redirects.follow, enabled])).toEqual([
    [false, true],
    [true, false],
    [false, true],
  ])
})

test('requests to hosts that are not verified are kept, disabled, and told of', async () => {
  const imported = await importedHar({
    entries: [
      { url: `${shop}/` },
      { url: 'https://cdn.other/a.js', atMs: 12, type: 'text/javascript' },
      { url: 'https://api.other/x', atMs: 14, type: 'application/json' },
    ],
  })
  expect(drawRequests(imported.actions)).toEqual([
    'GET /',
    '  GET /',
    '  + /a.js (disabled)',
    '  GET /x (disabled)',
  ])
  const why =
    'Disabled, because api.other is no verified target: verify it and enable this, or leave it disabled.'
  expect(requestsIn(imported)[1]?.disabled_reason).toBe(why)
  expect(elementAt(imported, 'log.entries[2]')).toMatchObject({ outcome: 'approximated', note: why })
  expect(imported.report.notes).toContain('cdn.other is not verified: 1 of its requests are disabled.')
})

test('what measures visitors is there, disabled, and its owner is named', async () => {
  const imported = await importedHar({
    entries: [
      { url: `${shop}/` },
      { url: 'https://www.googletagmanager.com/gtag/js?id=G-1', atMs: 12, type: 'text/javascript' },
      { url: 'https://www.google-analytics.com/g/collect?v=2', atMs: 14, method: 'POST', status: 204 },
    ],
  })
  expect(drawRequests(imported.actions)).toEqual([
    'GET /',
    '  GET /',
    '  + /gtag/js?id=G-1 (disabled)',
    '  POST /g/collect (disabled)',
  ])
  expect(imported.report.notes).toEqual([
    'www.googletagmanager.com (Google Tag Manager) is not verified: 1 of its requests are disabled.',
    'www.google-analytics.com (Google Analytics) is not verified: 1 of its requests are disabled.',
  ])
})

test.each([
  ['data:text/plain,x', {}, 'Addresses that begin with data:'],
  ['blob:https://shop.test/1', {}, 'Addresses that begin with blob:'],
  ['chrome-extension://abc/x.js', {}, 'Addresses that begin with chrome-extension:'],
  ['no address', {}, 'Its address is none that can be read.'],
  [
    `${shop}/`,
    { status: 0, more: { response: { status: 0, _error: 'net::ERR_ABORTED' } } },
    'No answer came (net::ERR_ABORTED).',
  ],
  [
    `${shop}/`,
    { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'PUT' } },
    'A browser asks by itself',
  ],
  [`${shop}/`, { method: 'PROPFIND' }, 'PROPFIND is no method'],
  [`${shop}/${'x'.repeat(1_000_001)}`, {}, 'It is larger than a request can be here'],
])('an entry that cannot be a request is dropped with a note: %.40s %o', async (url, entry, note) => {
  const imported = await importedHar({ entries: [{ url, ...entry }] })
  expect(imported.actions).toEqual([])
  expect(imported.report.elements).toHaveLength(1)
  expect(imported.report.elements[0]?.outcome).toBe('dropped')
  expect(imported.report.elements[0]?.note).toContain(note)
})

test('what the engine makes by itself is left out, and what all requests share is a header of the server', async () => {
  const imported = await importedHar({
    entries: ['a', 'b'].map((name) => ({
      url: `${shop}/${name}`,
      headers: {
        ':authority': 'shop.test',
        Host: 'shop.test',
        Cookie: 'a=b',
        'Accept-Encoding': 'gzip',
        'If-None-Match': '"x"',
        'sec-ch-ua': '"Chromium"',
        'User-Agent': 'Browser/1',
        'Accept-Language': 'de',
        Accept: name,
        Referer: `${shop}/`,
      },
    })),
  })
  expect(
    requestsIn(imported).map(({ headers }) => headers.map(({ name, value }) => `${name}: ${value}`)),
  ).toEqual([
    ['Accept: a', `Referer: ${shop}/`],
    ['Accept: b', `Referer: ${shop}/`],
  ])
  expect(imported.servers[0]?.document.headers).toEqual([{ name: 'Accept-Language', value: 'de' }])
  expect(imported.virtualUsers[0]?.document.user_agent).toBe('Browser/1')
})

test('a token that all requests to a server send stays with them, where correlation finds it', async () => {
  const token = 'f3a9c1d07be24a58'
  const imported = await importedHar({
    entries: [
      {
        url: 'https://id.test/token',
        method: 'POST',
        type: 'application/json',
        text: JSON.stringify({ access_token: token }),
      },
      ...['a', 'b', 'c'].map((name, index) => ({
        url: `https://api.test/${name}`,
        atMs: 20 * (index + 1),
        type: 'application/json',
        headers: {
          Authorization: `Bearer ${token}`,
          'X-Requested-With': 'XMLHttpRequest',
          'Cache-Control': 'no-cache',
        },
      })),
    ],
  })
  expect(imported.servers[1]?.document.headers.map(({ name }) => name)).toEqual([
    'X-Requested-With',
    'Cache-Control',
  ])
  const { suggestions } = await suggestCorrelations(
    imported.virtualUsers[0]!.document,
    recordingOf(imported.exchanges),
  )
  expect(
    suggestions.map(({ value, uses }) => [value, uses.map(({ actionName, name }) => [actionName, name])]),
  ).toEqual([[token, ['a', 'b', 'c'].map((name) => [`GET /${name}`, 'Authorization'])]])
})

test('Basic authentication becomes that of the server, with its password as a secret without a value', async () => {
  const authorization = `Basic ${Buffer.from('ann:s3cret').toString('base64')}`
  const imported = await importedHar({
    entries: [{ url: `${shop}/`, headers: { Authorization: authorization } }],
  })
  expect(imported.servers[0]?.document.authentication).toEqual({
    type: 'basic',
    user_name: 'ann',
    password: '${password}',
  })
  expect(imported.variables.map(({ document }) => document.type)).toEqual(['secret'])
  expect(JSON.stringify([imported.virtualUsers, imported.servers, imported.variables])).not.toMatch(
    /s3cret|czNjcmV0/,
  )
})

test('the query is decoded, and what looks like a variable is none', async () => {
  const { path, query } = await onlyRequest({ url: `${shop}/a%20b?x=1%262&y=a+b&x=\${z}` })
  expect(path).toBe('/a%20b')
  expect(query).toEqual([
    { name: 'x', value: '1&2' },
    { name: 'y', value: 'a b' },
    { name: 'x', value: '$${z}' },
  ])
})

test.each([
  [
    { mimeType: 'application/x-www-form-urlencoded', text: 'a=1%2B1&b=' },
    {
      type: 'form',
      fields: [
        { name: 'a', value: '1+1' },
        { name: 'b', value: '' },
      ],
    },
  ],
  [
    { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: '1' }] },
    { type: 'form', fields: [{ name: 'a', value: '1' }] },
  ],
  [
    { mimeType: 'application/json', text: '{"a":"${b}"}' },
    { type: 'json', text: '{"a":"$${b}"}', content_type: 'application/json' },
  ],
  [
    { mimeType: 'application/json', text: '{oops' },
    { type: 'raw', text: '{oops', content_type: 'application/json' },
  ],
  [
    { mimeType: 'application/octet-stream', text: 'AAEC', encoding: 'base64' },
    { type: 'base64', data: 'AAEC', content_type: 'application/octet-stream' },
  ],
  [{ mimeType: '', params: [], text: '' }, null],
])('the body %j is told by the model', async (postData, body) => {
  expect((await onlyRequest({ method: 'POST', postData })).body).toEqual(body)
})

const boundary = 'multipart/form-data; boundary=----x'
const part = (headers: string, content: string) =>
  `------x\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n`

const jsonSent = (text: string) => ({ method: 'POST', postData: { mimeType: 'application/json', text } })

test('a body that is nested deeper than anybody writes is sent as it is, and not read', async () => {
  const text = '['.repeat(900_000)
  const nested = `${'['.repeat(5000)}${']'.repeat(5000)}`
  expect(await onlyRequest(jsonSent(text))).toMatchObject({ body: { type: 'raw' } })
  expect(await onlyRequest(jsonSent(nested))).toMatchObject({ body: { type: 'raw', text: nested } })
})

test('a multipart body comes apart: its fields, and its files where the recording has them', async () => {
  const text = `${part('name="title"', 'Cat')}${part('name="a"; filename="../cat.txt"\r\nContent-Type: text/plain', 'meow')}${part('name="b"; filename="cat.png"\r\nContent-Type: image/png', '')}------x--\r\n`
  const imported = await importedHar({
    entries: [
      {
        url: `${shop}/`,
        method: 'POST',
        headers: { 'Content-Type': boundary },
        postData: { mimeType: boundary, text },
      },
    ],
  })
  const [request] = requestsIn(imported)
  expect(request?.headers).toEqual([])
  expect(request?.body).toEqual({
    type: 'multipart',
    parts: [
      { type: 'field', name: 'title', value: 'Cat', content_type: null },
      {
        type: 'file',
        name: 'a',
        path: 'uploads/cat.txt',
        file_name: '../cat.txt',
        content_type: 'text/plain',
      },
      { type: 'file', name: 'b', path: 'uploads/cat.png', file_name: 'cat.png', content_type: 'image/png' },
    ],
  })
  expect(imported.files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([
    ['uploads/cat.txt', 'meow'],
  ])
  expect(elementAt(imported, 'log.entries[0]')).toMatchObject({
    outcome: 'approximated',
    note: 'The recording does not have the content of cat.png: upload it as the file uploads/cat.png.',
  })
})

test('a file input in which nothing was chosen is sent as browsers do, and asks for no file', async () => {
  const empty = part('name="photo"; filename=""\r\nContent-Type: application/octet-stream', '')
  const imported = await importedHar({
    entries: [
      {
        url: `${shop}/`,
        method: 'POST',
        headers: { 'Content-Type': boundary },
        postData: { mimeType: boundary, text: `${empty}------x--\r\n` },
      },
    ],
  })
  expect(requestsIn(imported)[0]?.body).toEqual({
    type: 'multipart',
    parts: [
      {
        type: 'file',
        name: 'photo',
        path: 'uploads/file.bin',
        file_name: '',
        content_type: 'application/octet-stream',
      },
    ],
  })
  expect(imported.files.map(({ path, bytes }) => [path, bytes.length])).toEqual([['uploads/file.bin', 0]])
  expect(elementAt(imported, 'log.entries[0]')).toMatchObject({ outcome: 'mapped', note: null })
})

test('of fields that are told one by one, a file input in which nothing was chosen is sent as browsers do', async () => {
  const params = [
    { name: 'photo', fileName: '', contentType: 'application/octet-stream' },
    { name: 'title', fileName: '', value: 'Cat' },
    { name: 'note', fileName: '', value: '' },
  ]
  const imported = await importedHar({
    entries: [
      {
        url: `${shop}/`,
        method: 'POST',
        headers: { 'Content-Type': boundary },
        postData: { mimeType: boundary, params },
      },
    ],
  })
  expect(requestsIn(imported)[0]?.body).toMatchObject({
    parts: [
      { type: 'file', name: 'photo', file_name: '' },
      { type: 'field', name: 'title', value: 'Cat' },
      { type: 'field', name: 'note', value: '' },
    ],
  })
  expect(elementAt(imported, 'log.entries[0]')).toMatchObject({ outcome: 'mapped', note: null })
})

test.each([
  ['setup.exe', 'uploads/setup.exe.bin'],
  ['LICENSE', 'uploads/LICENSE.bin'],
  ['photo.PNG', 'uploads/photo.PNG'],
])('the lost upload %s is asked for under a path that a project takes', async (name, path) => {
  const request = await onlyRequest({
    method: 'POST',
    headers: { 'Content-Type': boundary },
    postData: { mimeType: boundary, text: `${part(`name="a"; filename="${name}"`, '')}------x--\r\n` },
  })
  expect(request.body).toMatchObject({ parts: [{ path, file_name: name }] })
})

async function noteOf(entry: Partial<MadeEntry>): Promise<string | null | undefined> {
  return elementAt(await importedHar({ entries: [{ url: `${shop}/`, ...entry }] }), 'log.entries[0]')?.note
}

test('a GET that tells a type and no length has lost no body', async () => {
  const headers = { 'Content-Type': 'application/json' }
  expect(await noteOf({ headers })).toBeNull()
  expect(await noteOf({ headers, method: 'HEAD' })).toBeNull()
  expect(await noteOf({ headers, method: 'PUT' })).toContain('does not have the body')
  expect(await noteOf({ headers: { ...headers, 'Content-Length': '9' } })).toContain('does not have the body')
})

test('names without = in a query are sent without one', async () => {
  const request = await onlyRequest({ url: `${shop}/orders?wsdl&q=\${x}&v2` })
  expect([request.path, request.query]).toEqual(['/orders?wsdl&v2', [{ name: 'q', value: '$${x}' }]])
})

test('a query that is no UTF-8 is sent as it was recorded, without its passwords', async () => {
  const request = await onlyRequest({ url: `${shop}/find?name=caf%E9&password=hunter2&flag` })
  expect([request.path, request.query]).toEqual(['/find?name=caf%E9&password=${password}&flag', []])
  const imported = await importedHar({
    entries: [{ url: `${shop}/` }, { url: `${shop}/a.png?name=caf%E9`, atMs: 12, type: 'image/png' }],
  })
  expect(requestsIn(imported)[0]?.resources.list[0]?.path).toBe('/a.png?name=caf%E9')
})

test('a body that the recorder left out is told of', async () => {
  const imported = await importedHar({
    entries: [
      { url: `${shop}/`, method: 'POST', headers: { 'Content-Type': boundary, 'Content-Length': '9' } },
    ],
  })
  expect(requestsIn(imported)[0]).toMatchObject({ body: { type: 'multipart', parts: [] }, headers: [] })
  expect(elementAt(imported, 'log.entries[0]')?.note).toBe(
    'The recording does not have the body: write it into the request.',
  )
})

test('a body that is too long for a document becomes a file', async () => {
  const imported = await importedHar({
    entries: [
      { url: `${shop}/`, method: 'PUT', postData: { mimeType: 'text/csv', text: 'x'.repeat(1_000_001) } },
    ],
  })
  expect(requestsIn(imported)[0]?.body).toEqual({
    type: 'file',
    path: 'bodies/entry-0.bin',
    content_type: 'text/csv',
  })
  expect(imported.files[0]?.bytes).toHaveLength(1_000_001)
})

test.each([
  ['application/x-www-form-urlencoded', 'user%5Bemail%5D=ann%40x.test&user%5Bpassword%5D=s3cret&token=t'],
  ['application/json', '{"email": "ann@x.test", "nested": {"loginPassword": "s3cret"}, "token": "t"}'],
])('user name and password become variables in %s', async (mimeType, text) => {
  const imported = await importedHar({
    entries: [{ url: `${shop}/`, method: 'POST', postData: { mimeType, text } }],
  })
  const sent = JSON.stringify(requestsIn(imported)[0]?.body)
  expect(sent).toContain('${username}')
  expect(sent).toContain('${password}')
  expect(sent).not.toMatch(/s3cret|ann/)
  expect(imported.variables.map(({ document }) => [document.type, document.name])).toEqual([
    ['constant', 'username'],
    ['secret', 'password'],
  ])
  expect(imported.report.notes).toContain(
    'Passwords are not imported: set the value of the secret variable password.',
  )
})

const basic = (user: string) => ({ Authorization: `Basic ${Buffer.from(user).toString('base64')}` })
const form = (text: string) => ({ mimeType: 'application/x-www-form-urlencoded', text })

test('every password that is sent is hidden in the recording, and none is in what was made', async () => {
  const imported = await importedHar({
    entries: [
      { url: `${shop}/login?user=a&password=hunter2-query` },
      { url: `${shop}/next`, atMs: 10, headers: { Referer: `${shop}/login?password=hunter2-query&x=1` } },
      { url: `${shop}/a`, atMs: 20, headers: basic('ann:hunter2-first') },
      { url: `${shop}/b`, atMs: 30, headers: basic('bob:hunter2-second') },
      { url: 'https://ben:hunter2-url@shop.test/c', atMs: 40 },
      {
        url: 'https://id.other/',
        atMs: 50,
        method: 'POST',
        postData: form('email=a&password=hunter2-foreign'),
      },
      { url: `${shop}/lost`, atMs: 60, method: 'POST', status: 0, postData: form('pwd=hunter2-lost%21') },
      {
        url: `${shop}/json`,
        atMs: 70,
        method: 'POST',
        postData: { mimeType: 'application/json', text: JSON.stringify({ password: 'hunter2-"quoted\\' }) },
      },
    ],
  })
  expect([...imported.hidden]).toEqual(
    expect.arrayContaining([
      'hunter2-query',
      'hunter2-first',
      'hunter2-second',
      'hunter2-url',
      'hunter2-foreign',
      'hunter2-lost!',
      'hunter2-"quoted\\',
    ]),
  )
  const { virtualUsers, servers, variables, report } = imported
  expect(JSON.stringify([virtualUsers, servers, variables, report])).not.toMatch(
    /hunter2|aHVudGVyMi|OmZpcnN0|Ym9iOmh1/,
  )
  const [, next, , second, , foreign] = requestsIn(imported)
  expect(next?.headers).toContainEqual({ name: 'Referer', value: `${shop}/login?password=\${password}&x=1` })
  expect(second?.headers.find(({ name }) => name === 'Authorization')?.value).toMatch(
    /^Basic \$\{password_\d\}$/,
  )
  expect(foreign?.body).toMatchObject({
    fields: [
      { name: 'email', value: 'a' },
      { name: 'password', value: expect.stringMatching(/^\$\{password_\d\}$/) },
    ],
  })
})

test('words that were searched for become variables, user names without a password do not', async () => {
  const imported = await importedHar({
    entries: [
      { url: `${shop}/find?q=red+shoes` },
      { url: `${shop}/find?q=red+shoes&page=2`, atMs: 20 },
      { url: `${shop}/find?q=12`, atMs: 40 },
      { url: `${shop}/graphql?query={me{id}}`, atMs: 60 },
      {
        url: `${shop}/u`,
        method: 'POST',
        postData: { mimeType: 'application/json', text: '{"email":"a@x.test"}' },
        atMs: 80,
      },
    ],
  })
  expect(imported.variables.map(({ document }) => document)).toMatchObject([
    { type: 'constant', name: 'search', value: 'red shoes' },
  ])
  expect(requestsIn(imported).map(({ query }) => query[0]?.value)).toEqual([
    '${search}',
    '${search}',
    '12',
    '{me{id}}',
    undefined,
  ])
})

test('bodies of very many passwords are read in a bounded time, and none of them stays', async () => {
  const text = `{${Array.from({ length: 30_000 }, (_, index) => `"password":"secret${index}"`).join(',')}}`
  const imported = await importedHar({
    entries: [{ url: `${shop}/`, method: 'POST', postData: { mimeType: 'application/json', text } }],
  })
  expect(imported.variables.length).toBeLessThanOrEqual(20)
  expect(JSON.stringify(imported.virtualUsers)).not.toContain('secret1')
})

/** As Chrome tells times of messages. */
function seconds(atMs: number): number {
  return (Date.UTC(2026, 0, 1) + atMs) / 1000
}

test('messages of a WebSocket come among the requests, at their times', async () => {
  const imported = await importedHar({
    entries: [
      {
        url: 'wss://shop.test/live?t=1',
        ms: 400,
        status: 101,
        headers: { 'Sec-WebSocket-Protocol': 'a, b', Origin: shop },
        more: {
          _webSocketMessages: [
            { type: 'send', time: seconds(20), opcode: 1, data: 'hi ${x}' },
            { type: 'receive', time: seconds(30), opcode: 1, data: 'one' },
            { type: 'receive', time: seconds(31), opcode: 1, data: 'two' },
            { type: 'receive', time: seconds(32), opcode: 9, data: '' },
            { type: 'send', time: seconds(300), opcode: 2, data: 'AAEC' },
          ],
        },
      },
      { url: `${shop}/api`, atMs: 50, type: 'application/json' },
    ],
  })
  const [container] = imported.actions
  const actions = container?.type === 'container' ? container.actions : []
  expect(drawRequests(actions)).toEqual([
    'connect /live',
    'send /live',
    'expect /live',
    'GET /api',
    'wait 240 ms',
    'send /live',
    'wait 100 ms',
    'close /live',
  ])
  expect(actions[0]).toMatchObject({
    path: '/live?t=1',
    subprotocols: ['a', 'b'],
    recorded: 0,
    server_id: imported.servers[0]?.id,
  })
  expect(actions[1]).toMatchObject({ message: 'hi $${x}', format: 'text' })
  expect(actions[5]).toMatchObject({ message: 'AAEC', format: 'base64' })
  expect(countOutcomes(imported.report)).toEqual({ read: 7, mapped: 4, approximated: 2, dropped: 1 })
})

test.each([
  ['what the recorder says', { _resourceType: 'websocket' }],
  ['its messages', { _webSocketMessages: [{ type: 'send', time: seconds(20), opcode: 1, data: 'hi' }] }],
])('a WebSocket with an address of https is known by %s', async (_, more) => {
  const imported = await importedHar({ entries: [{ url: `${shop}/live`, status: 101, ms: 50, more }] })
  const [container] = imported.actions
  const types = container?.type === 'container' ? container.actions.map(({ type }) => type) : []
  expect(new Set(types)).toEqual(new Set(['websocket']))
})

test('what a service worker asked for itself is not asked for twice', async () => {
  const imported = await importedHar({
    entries: [
      { url: `${shop}/api`, ms: 50, type: 'application/json', more: { _fetchedViaServiceWorker: true } },
      { url: `${shop}/api`, atMs: 5, type: 'application/json' },
    ],
  })
  expect(drawRequests(imported.actions)).toEqual(['GET /api', '  GET /api'])
  expect(elementAt(imported, 'log.entries[0]')?.note).toContain('log.entries[1]')
})

test('exchanges are kept as they were: decoded bodies, phases, and what is not known as null', async () => {
  const { exchanges } = await importedHar({
    entries: [
      {
        url: `${shop}/x#part`,
        ms: 20.5,
        more: {
          serverIPAddress: '[::1]',
          _serverPort: 8443,
          timings: { blocked: -1, dns: 1, connect: 5, ssl: 3, send: 0, wait: 10, receive: 1.5 },
          response: {
            status: 200,
            httpVersion: 'h2',
            headers: [
              { name: ':status', value: '200' },
              { name: 'X', value: 'y' },
            ],
            bodySize: 30,
            content: { size: 5, mimeType: 'text/plain', text: 'aGVsbG8=', encoding: 'base64' },
          },
        },
      },
    ],
  })
  expect(exchanges[0]).toEqual({
    startedAt: '2026-01-01T00:00:00.000Z',
    request: { method: 'GET', url: `${shop}/x`, httpVersion: 'HTTP/1.1', headers: [], body: null },
    response: {
      status: 200,
      statusText: '',
      httpVersion: 'h2',
      headers: [{ name: 'X', value: 'y' }],
      body: {
        contentType: 'text/plain',
        sizeBytes: 5,
        transferredBytes: 30,
        content: 'hello',
        encoding: 'text',
        isCut: false,
      },
    },
    error: null,
    timings: {
      blockedMs: null,
      dnsMs: 1,
      connectMs: 2,
      tlsMs: 3,
      sendMs: 0,
      firstByteMs: 10,
      downloadMs: 1.5,
      totalMs: 20.5,
    },
    remoteAddress: '[::1]:8443',
  })
})

/** Anything that JSON can say where a HAR says something. */
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    null,
    -1,
    1e300,
    '',
    [],
    {},
    'https://[',
    '\uD800',
    'application/json',
    'multipart/form-data; boundary=x',
  ),
)
const anyEntry = fc
  .tuple(
    fc.record({
      url: fc.oneof(
        fc.webUrl({ withQueryParameters: true }),
        fc.string(),
        fc.constantFrom('wss://a.test/', 'https://a.other/', 'data:,x'),
      ),
      atMs: fc.nat(20_000),
      method: fc.constantFrom('GET', 'POST', 'OPTIONS', 'X'),
      status: fc.constantFrom(200, 0, 302, 304),
      type: fc.constantFrom('text/html', 'image/png', 'application/json'),
    }),
    fc.dictionary(
      fc.constantFrom(
        'startedDateTime',
        'time',
        'request',
        'response',
        'timings',
        'pageref',
        '_webSocketMessages',
        '_resourceType',
      ),
      anyValue,
      { maxKeys: 3 },
    ),
    fc.dictionary(fc.constantFrom('method', 'url', 'headers', 'postData', 'bodySize'), anyValue, {
      maxKeys: 2,
    }),
  )
  .map(([entry, over, request]) => {
    const made = madeEntry(entry)
    return { ...made, request: { ...made.request, ...request }, ...over }
  })

test('whatever the entries say, each is in the report once, and the documents hold', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 5, arbitrary: anyEntry }, { weight: 1, arbitrary: anyValue }), {
        maxLength: 8,
      }),
      fc.array(anyValue, { maxLength: 3 }),
      fc.constantFrom('embedded' as const, 'requests' as const, 'dropped' as const),
      async (entries, pages, resources) => {
        const imported = await importedHar(Buffer.from(JSON.stringify({ log: { entries, pages } })), {
          resources,
        })
        for (const { document } of imported.virtualUsers)
          expect(virtualUser.parse(document)).toEqual(document)
        for (const { document } of imported.servers) expect(httpServer.parse(document)).toEqual(document)
        for (const { document } of imported.variables) expect(variable.parse(document)).toEqual(document)
        const places = imported.report.elements.map(({ place }) => place)
        expect(new Set(places).size).toBe(places.length)
        expect(places.filter((place) => /^log\.entries\[\d+\]$/.test(place))).toHaveLength(entries.length)
        expect(places.filter((place) => place.startsWith('log.pages'))).toHaveLength(pages.length)
        const ids = new Set(
          [...walkActions(imported.virtualUsers[0]!.document)].flatMap(({ action }) => [
            action.id,
            ...(action.type === 'http_request' ? action.resources.list.map(({ id }) => id) : []),
          ]),
        )
        const { elements } = imported.report
        expect(elements.filter(({ outcome, note }) => outcome !== 'mapped' && note === null)).toEqual([])
        expect(
          elements.filter(({ outcome, actionId }) => outcome !== 'dropped' && !ids.has(actionId ?? '')),
        ).toEqual([])
      },
    ),
    { numRuns: 500 },
  )
})

test('any bytes end in a result or a SourceError', async () => {
  const valid = Buffer.from(
    JSON.stringify({ log: { entries: [madeEntry({ url: `${shop}/` })], pages: [{}] } }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.string().map((text) => Buffer.from(`{"log":${text}`)),
        fc
          .tuple(fc.nat(valid.length), fc.uint8Array({ maxLength: 4 }))
          .map(([at, bytes]) =>
            Buffer.concat([valid.subarray(0, at), bytes, valid.subarray(at + bytes.length)]),
          ),
        fc.nat(valid.length - 1).map((length) => valid.subarray(0, length)),
      ),
      async (bytes) => {
        const outcome = await importedHar(bytes).catch((error: unknown) => error)
        expect(outcome instanceof Error && !(outcome instanceof SourceError)).toBe(false)
      },
    ),
    { numRuns: 1000 },
  )
})
