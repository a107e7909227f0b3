import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Exchange } from '../recording/exchange.ts'
import { exchangeOf, ids, recordingOf, type ShortExchange, userOf } from '../testing/short-exchanges.ts'
import { applySuggestions } from './apply-suggestions.ts'
import { find } from './run-extractor.ts'
import { type Replay, suggestCorrelations } from './suggest-correlations.ts'

const shop = 'https://shop.example.com'
const token = 'f3a9c1d07be24a58'

const suggest = async (short: ShortExchange[], replays: Replay[] = []) => {
  const exchanges = short.map(exchangeOf)
  return suggestCorrelations(userOf(exchanges), recordingOf(exchanges), replays)
}

/** What is found: variable, how, in which exchange, where it is sent and how it is written there. */
async function draw(short: ShortExchange[], replays?: Replay[]): Promise<string[]> {
  const { suggestions } = await suggest(short, replays)
  return suggestions.map(({ variable, source, finder, decode, uses }) => {
    const sent = uses.map(({ actionId, target, name, encoding }) =>
      [actionId, target, name, encoding].filter(Boolean).join(' '),
    )
    return `${variable} < ${source.exchange} ${source.kind} ${finder.type}${decode ? ` ${decode}` : ''} > ${sent.join(', ')}`
  })
}

const from = (answer: string, answerHeaders: ShortExchange['answerHeaders'] = {}): ShortExchange => ({
  request: `GET ${shop}/page`,
  answer,
  answerHeaders,
})
const send = (rest: Partial<ShortExchange>): ShortExchange => ({ request: `POST ${shop}/send`, ...rest })

test.each<[string, ShortExchange, ShortExchange, string]>([
  [
    'a hidden input',
    from(`<form><input value='${token}' type=hidden name="csrf"></form>`),
    send({ body: `csrf=${token}&user=ann` }),
    'csrf < 0 hidden_input css > r1 body csrf',
  ],
  [
    'a meta tag',
    from(`<meta name="csrf-token" content="${token}">`),
    send({ headers: { 'X-CSRF-Token': token } }),
    'csrf_token < 0 meta css > r1 header X-CSRF-Token',
  ],
  [
    'a member of JSON',
    from(`{"data":{"session":[{"key":"${token}"}]}}`),
    send({ body: `{"session_key":"${token}"}` }),
    'session_key < 0 json json_path > r1 body session_key',
  ],
  [
    'a number of JSON that the request before made',
    { ...from('{"id":42,"quantity":7}'), request: `POST ${shop}/orders` },
    { request: `GET ${shop}/orders/42?quantity=7&page=42` },
    'order_id < 0 json json_path > r1 path orders',
  ],
  [
    'a number of JSON with more digits than a number keeps',
    { ...from('{"id":1234567890123456789,"quantity":7}'), request: `POST ${shop}/orders` },
    { request: `GET ${shop}/orders/1234567890123456789` },
    'order_id < 0 json json_path > r1 path orders',
  ],
  [
    'a script',
    from(`<script>var config = {"apiToken": '${token}', debug: 1}</script>`),
    send({ headers: { Authorization: `Bearer ${token}` } }),
    'api_token < 0 script boundaries > r1 header Authorization',
  ],
  [
    'a header',
    from('', { 'X-Auth-Token': token }),
    send({ headers: { 'x-auth-token': token } }),
    'x_auth_token < 0 header header > r1 header x-auth-token',
  ],
  [
    'a redirect',
    { ...from('', { Location: `/callback?code=${token}&x=1` }), status: 302 },
    send({ body: `code=${token}` }),
    'code < 0 location regex > r1 body code',
  ],
  [
    'a cookie that is sent as a header too, where it is not encoded',
    from('', { 'Set-Cookie': `XSRF-TOKEN=${token}%3D%3D; path=/` }),
    send({ headers: { 'X-XSRF-TOKEN': `${token}==` } }),
    'xsrf_token < 0 cookie cookie url > r1 header X-XSRF-TOKEN',
  ],
  [
    'a link',
    from(`<a href="/confirm/${token}">confirm</a>`),
    { request: `GET ${shop}/confirm/${token}` },
    'confirm < 0 link boundaries > r1 path confirm',
  ],
  [
    'a body that is nothing else',
    from(`${token}\n`),
    send({ headers: { 'X-Token': token } }),
    'x_token < 0 text regex > r1 header X-Token',
  ],
  [
    'a script that escapes it',
    from(String.raw`<script>token = "${token}\/a\u002Bb"</script>`.replace(String.raw`\u002B`, '+')),
    send({ body: `token=${token}/a%2Bb` }),
    'token < 0 script boundaries json_slashes > r1 body token',
  ],
  [
    'an input whose value is escaped, sent in a raw body',
    from(`<input name="state" value="${token}&#x2B;x&amp;y=">`),
    send({ body: `{"url":"https://x.example.com/?state=${token}%2Bx%26y%3D"}` }),
    'state < 0 hidden_input css > r1 body state url',
  ],
])('%s is found', async (_, source, use, expected) => {
  expect(await draw([source, use])).toEqual([expected])
})

test.each<[string, ShortExchange[]]>([
  [
    'what was sent before it came',
    [
      { request: `GET ${shop}/a?trace=${token}`, answer: `{"trace":"${token}"}` },
      send({ body: `trace=${token}` }),
    ],
  ],
  ['words', [from('{"user":"alexandra","lang":"en-US"}'), send({ body: 'user=alexandra&lang=en-US' })]],
  [
    'versions of files',
    [from(`<script src="/app.${token}.js"></script>`), { request: `GET ${shop}/app.${token}.js` }],
  ],
  ['what goes around caches', [from('{"time":1763640000123}'), { request: `GET ${shop}/x?_=1763640000123` }]],
  [
    'a part of a longer word',
    [from(`{"id":"${token}"}`), { request: `GET ${shop}/x/${token}f0?token=9${token}` }],
  ],
  [
    'ids of things that the shop always has',
    [from('{"items":[{"id":"p-101"}]}'), send({ body: '{"productId":"p-101"}' })],
  ],
  [
    'what is sent as a cookie only',
    [from('', { 'Set-Cookie': `sid=${token}` }), send({ headers: { Cookie: `sid=${token}` } })],
  ],
  ['what is never sent', [from(`{"cursor":"${token}"}`), send({ body: 'a=1' })]],
])('%s is no suggestion', async (_, exchanges) => {
  expect(await draw(exchanges)).toEqual([])
})

test('the finder takes exactly the value from the recorded answer, also where the same stands around others', async () => {
  const exchange = from(
    `<i data-token="aaa1bbb2ccc3"></i> token="zzz9yyy8xxx7" token: "${token}", token2="q"`,
  )
  const { suggestions } = await suggest([exchange, send({ body: `token=${token}` })])
  const [found] = suggestions
  expect(found && find(found.finder, exchangeOf(exchange))).toBe(token)
})

const replayOf = (answer: string, outcome: 'passed' | 'failed' = 'passed'): Replay => ({
  action: (id) => ({
    outcome: id === 'r0' ? 'passed' : outcome,
    exchange: id === 'r0' ? exchangeOf(from(answer)) : null,
  }),
})

test('replays decide: what changes is dynamic, what never does is not', async () => {
  const product = [from('{"items":[{"id":"p-101"}]}'), send({ body: '{"productId":"p-101"}' })]
  expect(await draw(product, [replayOf('{"items":[{"id":"p-102"}]}')])).toHaveLength(1)
  const constant = [from(`{"token":"${token}"}`), send({ body: `token=${token}` })]
  expect(await draw(constant, [replayOf(`{"token":"${token}"}`), replayOf(`{"token":"${token}"}`)])).toEqual(
    [],
  )
  const { suggestions } = await suggest(constant, [
    replayOf('{"token":"0b1c2d3e4f5a6978"}', 'failed'),
    replayOf('{}'),
  ])
  expect(suggestions[0]).toMatchObject({ confidence: 1, replayed: ['0b1c2d3e4f5a6978', null] })
  expect(suggestions[0]?.reasons).toEqual(
    expect.arrayContaining(['A replay got another value.', 'A replay failed where it is sent.']),
  )
})

test('ids of suggestions stay, also when others are applied', async () => {
  const exchanges: Exchange[] = [
    from(`<meta name="csrf-token" content="${token}"><input name="state" value="b1${token}">`),
    send({ headers: { 'X-CSRF-Token': token }, body: `state=b1${token}` }),
  ].map(exchangeOf)
  const document = userOf(exchanges)
  const { suggestions } = await suggestCorrelations(document, recordingOf(exchanges))
  const [first, second] = suggestions
  if (first === undefined || second === undefined) throw new Error('There are two')
  const applied = applySuggestions(document, [first], { newId: ids() })
  const again = await suggestCorrelations(applied.document, recordingOf(exchanges))
  expect(again.suggestions.map(({ id }) => id)).toEqual([second.id])
})

test('a large answer with nothing but tags and words is searched soon', async () => {
  const exchanges = [
    from('<input name="a'.repeat(100_000) + `{"token":"${token}"}`),
    send({ body: `token=${token}` }),
  ]
  const before = process.threadCpuUsage()
  expect(await draw(exchanges)).toHaveLength(1)
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(5000)
})

const piece = fc.constantFrom(
  '<input name="t" value="',
  '">',
  '{"t":"',
  '"}',
  "t='",
  '/',
  '?t=',
  '&',
  ';',
  '<!--',
  '<script>',
  '\\',
  '%2F',
  '${x}',
  token,
  `x${token}`,
  '\n',
)
const body = fc.oneof(
  fc.string(),
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
)

test('whatever is recorded, what is found can be found again and can be applied', async () => {
  await fc.assert(
    fc.asyncProperty(body, body, body, async (answer, sent, location) => {
      const exchanges = [
        { ...from(answer, { Location: location, 'Set-Cookie': sent }), status: 200 },
        send({ body: sent, headers: { 'X-T': sent } }),
      ].map(exchangeOf)
      const document = userOf(exchanges)
      const { suggestions } = await suggestCorrelations(document, recordingOf(exchanges))
      for (const { finder } of suggestions) expect(exchanges[0] && find(finder, exchanges[0])).toBeTruthy()
      const { applied } = applySuggestions(document, suggestions, { newId: ids() })
      expect(applied.length).toBeLessThanOrEqual(suggestions.length)
    }),
    { numRuns: 300 },
  )
})

test('an answer that is nested deeper than any real one is not read as JSON, and what it says is still found', async () => {
  const answer = `${'['.repeat(100_000)}{"csrf":"${token}"}${']'.repeat(100_000)}`
  const drawn = await draw([from(answer), send({ body: `csrf=${token}` })])
  expect(drawn.join()).not.toContain('json_path')
})
