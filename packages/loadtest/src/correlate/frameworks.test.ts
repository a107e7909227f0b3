import { expect, test } from 'vitest'
import { correlationRule } from '../model/correlation-rule.ts'
import { exchangeOf, ids, recordingOf, type ShortExchange, userOf } from '../testing/short-exchanges.ts'
import { applyRules } from './apply-rules.ts'
import { correlationFrameworks } from './frameworks.ts'
import { ruleFault } from './rule-fault.ts'
import { textSlots } from './text-slots.ts'

const site = 'https://app.example.com'
const page = (answer: string, rest: Partial<ShortExchange> = {}): ShortExchange => ({
  request: `GET ${site}/page`,
  answer,
  ...rest,
})
const form = (body: string, headers: Record<string, string> = {}): ShortExchange => ({
  request: `POST ${site}/send`,
  body,
  headers,
})

const rails = 'kTgP3kX1mUqf+0Zy5Cw8b/7n2v9cFQ1r0mZr7O6m4y1s3wq0aWJ9Jr2C3QmYbT6g=='
const viewState = '/wEPDwUKMTY3NzE5MjQ1M2RkYqzB1mT0T6v5o0s1O9cJ6xw3Xq8='
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
const wpNonce = '3f1e0c7a9b'

/** What the frameworks write, and how it is sent back. In the last column are all texts of the second request afterwards. */
test.each<[framework: string, what: string, answer: ShortExchange, sent: ShortExchange, expected: string[]]>([
  [
    'rails',
    'the hidden input of form_with',
    page(
      `<form action="/login" accept-charset="UTF-8" method="post"><input type="hidden" name="authenticity_token" value="${rails}" autocomplete="off" />`,
    ),
    form(`authenticity_token=${encodeURIComponent(rails)}&user%5Bemail%5D=a`),
    ['/send', '${authenticity_token}', 'a'],
  ],
  [
    'rails',
    'csrf_meta_tags',
    page(
      `<meta name="csrf-param" content="authenticity_token" />\n<meta name="csrf-token" content="${rails}" />`,
    ),
    form('{"a":1}', { 'X-CSRF-Token': rails }),
    ['/send', '${csrf_token}', '{"a":1}'],
  ],
  [
    'django',
    'csrf_token',
    page(
      '<input type="hidden" name="csrfmiddlewaretoken" value="G0nEa6kPBjC7cWZfUJr7t3Qn9LxvYd2sT5uHm1iRo8KbXqAz4NeVwFgMyDhSlP6C">',
    ),
    form('csrfmiddlewaretoken=G0nEa6kPBjC7cWZfUJr7t3Qn9LxvYd2sT5uHm1iRo8KbXqAz4NeVwFgMyDhSlP6C&username=a'),
    ['/send', '${csrfmiddlewaretoken}', 'a'],
  ],
  [
    'django',
    'its cookie, sent as a header',
    page('', {
      answerHeaders: {
        'Set-Cookie':
          'csrftoken=hT5uHm1iRo8KbXqAz4NeVwFgMyDhSlP6; expires=Sat, 20 Nov 2027 12:00:00 GMT; Max-Age=31449600; Path=/; SameSite=Lax',
      },
    }),
    form('{"a":1}', { 'X-CSRFToken': 'hT5uHm1iRo8KbXqAz4NeVwFgMyDhSlP6' }),
    ['/send', '${csrftoken}', '{"a":1}'],
  ],
  [
    'spring',
    'the hidden input',
    page('<input name="_csrf" type="hidden" value="4bfd1575-3ad1-4d21-96c7-4ef2d9f86721" />'),
    form('_csrf=4bfd1575-3ad1-4d21-96c7-4ef2d9f86721&username=a'),
    ['/send', '${csrf}', 'a'],
  ],
  [
    'spring',
    'the meta tag',
    page(
      '<meta name="_csrf" content="4bfd1575-3ad1-4d21-96c7-4ef2d9f86721"/><meta name="_csrf_header" content="X-CSRF-TOKEN"/>',
    ),
    form('{"a":1}', { 'X-CSRF-TOKEN': '4bfd1575-3ad1-4d21-96c7-4ef2d9f86721' }),
    ['/send', '${csrf_meta}', '{"a":1}'],
  ],
  [
    'aspnet',
    'Web Forms',
    page(
      `<input type="hidden" name="__VIEWSTATE" id="__VIEWSTATE" value="${viewState}" />\n<input type="hidden" name="__EVENTVALIDATION" id="__EVENTVALIDATION" value="/wEdAAUc4x" />`,
    ),
    form(
      `__VIEWSTATE=${encodeURIComponent(viewState)}&__EVENTVALIDATION=${encodeURIComponent('/wEdAAUc4x')}`,
    ),
    ['/send', '${viewstate}', '${eventvalidation}'],
  ],
  [
    'aspnet',
    'an update panel',
    page(
      `1|#||4|2410|updatePanel|Panel|<p>x</p>|0|hiddenField|__EVENTTARGET||52|hiddenField|__VIEWSTATE|${viewState}|8|hiddenField|__VIEWSTATEGENERATOR|CA0B0334|`,
    ),
    form(`__VIEWSTATE=${encodeURIComponent(viewState)}&__VIEWSTATEGENERATOR=CA0B0334`),
    ['/send', '${viewstate}', '${viewstategenerator}'],
  ],
  [
    'aspnet',
    'the antiforgery token of Core',
    page('<input name="__RequestVerificationToken" type="hidden" value="CfDJ8NrAkS-x_1qT5v0uQ" />'),
    form('Input.Email=a&__RequestVerificationToken=CfDJ8NrAkS-x_1qT5v0uQ'),
    ['/send', 'a', '${request_verification_token}'],
  ],
  [
    'laravel',
    '@csrf',
    page(
      '<input type="hidden" name="_token" value="pZ3mYcQk1vX8rT0bNfLs7uJgHd5WaE2oIi9RtVyC" autocomplete="off">',
    ),
    form('_token=pZ3mYcQk1vX8rT0bNfLs7uJgHd5WaE2oIi9RtVyC&email=a'),
    ['/send', '${token}', 'a'],
  ],
  [
    'laravel',
    'its cookie, which is encoded',
    page('', {
      answerHeaders: {
        'Set-Cookie':
          'XSRF-TOKEN=eyJpdiI6IkpX%2Bx0%3D; expires=Fri, 20 Nov 2026 14:00:00 GMT; path=/; samesite=lax',
      },
    }),
    form('{"a":1}', { 'X-XSRF-TOKEN': 'eyJpdiI6IkpX+x0=' }),
    ['/send', '${xsrf_token}', '{"a":1}'],
  ],
  [
    'wordpress',
    'wp_nonce_field',
    page(
      `<input type="hidden" id="_wpnonce" name="_wpnonce" value="${wpNonce}" /><input type="hidden" name="_wp_http_referer" value="/wp-admin/" />`,
    ),
    form(`_wpnonce=${wpNonce}&action=update`),
    ['/send', '${wpnonce}', 'update'],
  ],
  [
    'wordpress',
    'wpApiSettings',
    page(
      `<script id="wp-api-request-js-extra">\nvar wpApiSettings = {"root":"https:\\/\\/app.example.com\\/wp-json\\/","nonce":"${wpNonce}","versionString":"wp\\/v2\\/"};\n</script>`,
    ),
    form('{"a":1}', { 'X-WP-Nonce': wpNonce }),
    ['/send', '${wp_rest_nonce}', '{"a":1}'],
  ],
  [
    'wordpress',
    'a link',
    page(`<a href="https://app.example.com/wp-login.php?action=logout&amp;_wpnonce=${wpNonce}">Log out</a>`),
    { request: `GET ${site}/wp-login.php?action=logout&_wpnonce=${wpNonce}` },
    ['/wp-login.php', 'logout', '${wpnonce_link}'],
  ],
  [
    'jsf',
    'a view',
    page(
      '<input type="hidden" name="javax.faces.ViewState" id="j_id1:javax.faces.ViewState:0" value="-6431817812475812133:-3948102476142841037" autocomplete="off" />',
    ),
    form('form=form&javax.faces.ViewState=-6431817812475812133%3A-3948102476142841037'),
    ['/send', 'form', '${view_state}'],
  ],
  [
    'jsf',
    'a partial answer',
    page(
      '<?xml version=\'1.0\' encoding=\'UTF-8\'?><partial-response id="j_id1"><changes><update id="j_id1:jakarta.faces.ViewState:0"><![CDATA[5871200417291274151:4092171]]></update></changes></partial-response>',
    ),
    form('jakarta.faces.partial.ajax=true&jakarta.faces.ViewState=5871200417291274151%3A4092171'),
    ['/send', 'true', '${view_state}'],
  ],
  [
    'oauth',
    'the code of a redirect',
    page('', {
      status: 302,
      answerHeaders: { Location: `${site}/cb?code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj` },
    }),
    form('grant_type=authorization_code&code=SplxlOBeZQQYbYS6WxSbIA&code_verifier=dBjftJeZ4CVP'),
    ['/send', 'authorization_code', '${oauth_code}', 'dBjftJeZ4CVP'],
  ],
  [
    'oauth',
    'tokens',
    page(
      '{"access_token":"2YotnFZFEjr1zCsicMWpAA","token_type":"Bearer","expires_in":3600,"refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA"}',
    ),
    form('refresh_token=tGzv3JOkF0XG5Qx2TlKWIA', { Authorization: 'Bearer 2YotnFZFEjr1zCsicMWpAA' }),
    ['/send', 'Bearer ${access_token}', '${refresh_token}'],
  ],
  [
    'saml',
    'the form that posts the answer',
    page(
      '<form method="post" action="https://sp.example.com/acs"><input type="hidden" name="SAMLResponse" value="PHNhbWxwOlJlc3BvbnNlPg=="/><input type="hidden" name="RelayState" value="ss:mem:9f2c"/></form>',
    ),
    form('SAMLResponse=PHNhbWxwOlJlc3BvbnNlPg%3D%3D&RelayState=ss%3Amem%3A9f2c'),
    ['/send', '${saml_response}', '${relay_state}'],
  ],
  [
    'jwt',
    'JSON',
    page(`{"user":{"name":"a"},"accessToken":"${jwt}"}`),
    form('{"a":1}', { Authorization: `Bearer ${jwt}` }),
    ['/send', 'Bearer ${jwt}', '{"a":1}'],
  ],
  [
    'jwt',
    'a script',
    page(`<script>window.TOKEN="${jwt}"</script>`),
    form('{"a":1}', { Authorization: `Bearer ${jwt}` }),
    ['/send', 'Bearer ${jwt}', '{"a":1}'],
  ],
  [
    'graphql',
    'a mutation',
    page('{"data":{"createCart":{"cart":{"id":"gid://shop/Cart/c1-9f","lines":[]},"userErrors":[]}}}'),
    form('{"query":"mutation($id:ID!){…}","variables":{"id":"gid://shop/Cart/c1-9f"}}'),
    ['/send', '{"query":"mutation($id:ID!){…}","variables":{"id":"${graphql_id}"}}'],
  ],
  [
    'graphql',
    'a page of a connection',
    page(
      '{"data":{"products":{"edges":[],"pageInfo":{"hasNextPage":true,"endCursor":"eyJsYXN0X2lkIjo0fQ=="}}}}',
    ),
    form('{"query":"…","variables":{"after":"eyJsYXN0X2lkIjo0fQ=="}}'),
    ['/send', '{"query":"…","variables":{"after":"${graphql_cursor}"}}'],
  ],
  [
    'nextjs',
    'page data',
    page(
      '<script id="__NEXT_DATA__" type="application/json">{"props":{},"page":"/","query":{},"buildId":"Zx8kP1tQ0aVb-LmNo2","isFallback":false}</script>',
    ),
    { request: `GET ${site}/_next/data/Zx8kP1tQ0aVb-LmNo2/about.json` },
    ['/_next/data/${build_id}/about.json'],
  ],
  [
    'nextjs',
    'a server action',
    page('<form><input type="hidden" name="$ACTION_ID_c18c215a6b7cdc64bf709f3a714ffdef1bf9651d"/></form>'),
    form('x=1', { 'Next-Action': 'c18c215a6b7cdc64bf709f3a714ffdef1bf9651d' }),
    ['/send', '${action_id}', '1'],
  ],
  [
    'java',
    'a link with the session',
    page('<a href="/shop/cart.jsp;jsessionid=1A530637289A03B07199A44E8D531427.node1?x=1">cart</a>'),
    { request: `GET ${site}/shop/cart.jsp;jsessionid=1A530637289A03B07199A44E8D531427.node1?x=1` },
    ['/shop/cart.jsp;jsessionid=${jsessionid}', '1'],
  ],
])('%s: %s', async (id, _, answer, sent, expected) => {
  const rules = correlationFrameworks.find((each) => each.id === id)?.rules ?? []
  const exchanges = [answer, sent].map(exchangeOf)
  const { document } = await applyRules(userOf(exchanges), rules, recordingOf(exchanges), { newId: ids() })
  const texts = textSlots(document).filter(({ action }) => action.id === 'r1')
  expect(texts.map(({ text }) => text)).toEqual(expected)
})

const all = correlationFrameworks.flatMap(({ rules }) => rules)

test('every rule of the library is a document as users write them, with a name of its own and no fault', () => {
  for (const rule of all) {
    expect(correlationRule.parse(rule)).toEqual(rule)
    expect(ruleFault(rule)).toBeUndefined()
  }
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
})

test.each([
  '<input ',
  '<meta name="',
  '"token":',
  "'eyJa.eyJ",
  '?code=',
  '<update id="',
  '{"data":{"createX',
  'wpApiSettings',
])('rules take no long for a page of nothing but %s', async (piece) => {
  const exchanges = [
    page(piece.repeat(Math.floor(400_000 / piece.length)), { request: `GET ${site}/${piece}` }),
  ].map(exchangeOf)
  const before = process.threadCpuUsage()
  await applyRules(userOf(exchanges), all, recordingOf(exchanges), { newId: ids() })
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(10_000)
})
