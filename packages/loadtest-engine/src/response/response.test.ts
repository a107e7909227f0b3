import { assertion, extractor } from '@flamegate/loadtest'
import { expect, test } from 'vitest'
import { compileTemplate, expandTemplate } from '../program/compiled-template.ts'
import type { CompiledTemplate } from '../program/compiled-template.ts'
import { Compiler } from '../program/compiler.ts'
import { Random } from '../random.ts'
import { compileAssertions } from './assert.ts'
import { compileExtractors } from './extract.ts'
import { Received } from './received.ts'

const received = (body: string, type = 'text/plain', more: [string, string][] = []) =>
  new Received({
    url: 'http://a.example/x?code=42',
    status: 200,
    statusText: 'OK',
    headers: [['Content-Type', type], ...more].map(([name = '', value = '']) => ({ name, value })),
    body: Buffer.from(body),
    durationMs: 12,
  })
const compiler = () => new Compiler(new Map())
const expand = (template: CompiledTemplate) =>
  expandTemplate(
    template,
    (name) => (name === 'v' ? 'value' : undefined),
    (name) => `no ${name}`,
  )

function extract(from: Received | Received[], document: Record<string, unknown>) {
  const [compiled] = compileExtractors([extractor.parse({ id: 'e', variable: 'x', ...document })], compiler())
  return compiled?.([from].flat(), {
    random: new Random(1),
    expand,
    cookie: (name) => (name === 'jar' ? 'kept' : undefined),
  })
}

const html = received(
  '<p class=a>one <b>1</b><p class="a" data-id=7>two<input name=csrf value="t&amp;k"><script>x="<p>"</script>',
  'text/html',
)
const xml = received('<o:r xmlns:o="urn:o"><o:i id="1">a</o:i><o:i id="2">b</o:i></o:r>', 'application/xml')
const json = received('{"items":[{"id":1},{"id":2}],"t":"x","n":null}', 'application/json')

const large = received(
  `{"id":1234567890123456789,"of":{"id":-1234567890123456789,"n":1.50},"list":[{"n":1,"id":9007199254740993}],"a'b":{"id":9007199254740995}}`,
)

test.each<[Received, Record<string, unknown>, unknown]>([
  [received('a=1 a=2 a=3'), { type: 'regex', pattern: 'a=(\\d)' }, '1'],
  [received('a=1 a=2 a=3'), { type: 'regex', pattern: 'a=(\\d)', match: 3 }, '3'],
  [
    received('a=1 a=2 a=3'),
    { type: 'regex', pattern: 'A=\\d', flags: 'i', group: 0, match: 'all' },
    ['a=1', 'a=2', 'a=3'],
  ],
  [received(''), { type: 'regex', pattern: 'code=(\\d+)', part: 'url' }, '42'],
  [received(''), { type: 'regex', pattern: '(\\w+): text', part: 'headers' }, 'Type'],
  [received(''), { type: 'regex', pattern: '\\d+ (\\w+)', part: 'status_line' }, 'OK'],
  [json, { type: 'json_path', path: '$.items[*].id', match: 'all' }, ['1', '2']],
  [json, { type: 'json_path', path: '$.items[0]' }, '{"id":1}'],
  [json, { type: 'json_path', path: '$.items[?@.id==2].id' }, '2'],
  [json, { type: 'json_path', path: '$.t' }, 'x'],
  [large, { type: 'json_path', path: '$.id' }, '1234567890123456789'],
  [large, { type: 'json_path', path: '$.of' }, '{"id":-1234567890123456789,"n":1.5}'],
  [large, { type: 'json_path', path: '$.list[?@.n==1].id' }, '9007199254740993'],
  [large, { type: 'json_path', path: '$["a\'b"].id' }, '9007199254740995'],
  [
    large,
    { type: 'json_path', path: '$..id', match: 'all' },
    ['1234567890123456789', '-1234567890123456789', '9007199254740993', '9007199254740995'],
  ],
  [html, { type: 'css', selector: 'p.a' }, 'one 1'],
  [html, { type: 'css', selector: 'p[data-id]', attribute: 'data-id' }, '7'],
  [html, { type: 'css', selector: 'input[name=csrf]', attribute: 'value' }, 't&k'],
  [html, { type: 'xpath', expression: "//input[@name='csrf']/@value" }, 't&k'],
  [html, { type: 'xpath', expression: 'count(//p)' }, '2'],
  [xml, { type: 'xpath', expression: '//o:i[@id="2"]' }, 'b'],
  [xml, { type: 'xpath', expression: '//o:i/@id', match: 'all' }, ['1', '2']],
  [received('<<a>><<b>>'), { type: 'boundaries', left: '<<', right: '>>', match: 'all' }, ['a', 'b']],
  [received('abc;d'), { type: 'boundaries', left: '', right: ';' }, 'abc'],
  [received('k=rest'), { type: 'boundaries', left: 'k=', right: '' }, 'rest'],
  [
    received('', 'a/b', [
      ['X-Id', '1'],
      ['x-id', '2'],
    ]),
    { type: 'header', name: 'X-ID', match: 2 },
    '2',
  ],
  [received('', 'a/b', [['Set-Cookie', 'a=b=c; Path=/']]), { type: 'cookie', name: 'a' }, 'b=c'],
  [received(''), { type: 'cookie', name: 'jar' }, 'kept'],
])('%# %j', (from, document, value) => {
  expect(extract(from, document)).toMatchObject({ outcome: 'found', value })
})

test.each<[Received, Record<string, unknown>, string]>([
  [json, { type: 'json_path', path: '$.id' }, 'JSONPath $.id found nothing in a body of 46 bytes: {"items"'],
  [received('<html>'), { type: 'json_path', path: '$.id' }, 'JSONPath $.id: the body is no JSON'],
  [json, { type: 'json_path', path: '$[' }, 'JSONPath $[ cannot be read: '],
  [json, { type: 'regex', pattern: '(' }, 'The pattern ( cannot be read: '],
  [json, { type: 'css', selector: 'p[' }, 'The selector p[ cannot be read: '],
  [json, { type: 'xpath', expression: '//[' }, 'XPath //[ cannot be read: '],
  [
    received('<a><b></a>', 'text/xml'),
    { type: 'xpath', expression: '//b' },
    'XPath //b: the body is no valid XML',
  ],
  [
    received('a=1'),
    { type: 'regex', pattern: 'a=(\\d)', match: 2 },
    'The pattern a=(\\d) found 1, and number 2 was asked for',
  ],
  [
    received(''),
    { type: 'header', name: 'x' },
    'The header x found nothing in an answer with the headers Content-Type',
  ],
  [received(''), { type: 'css', selector: 'p' }, 'The selector p found nothing in an empty body'],
])('%# what is not found is told: %j', (from, document, problem) => {
  const missing = extract(from, document)
  expect(missing).toMatchObject({ outcome: 'missing', value: null })
  expect(missing?.problem).toContain(problem)
  expect(extract(from, { ...document, default: '${v}!' })).toMatchObject({
    outcome: 'default',
    value: 'value!',
  })
})

test('the newest answer counts, and those before it where nothing is found', () => {
  const older = received('a=1 b=2')
  const newer = received('a=9')
  expect(extract([newer, older], { type: 'regex', pattern: 'a=(.)' })?.value).toBe('9')
  expect(extract([newer, older], { type: 'regex', pattern: 'b=(.)' })?.value).toBe('2')
})

test('deep and hostile documents end in words', () => {
  const deep = received('<a>'.repeat(50_000), 'text/html')
  const outcomes = [
    extract(deep, { type: 'css', selector: 'b' }),
    extract(deep, { type: 'xpath', expression: '//b' }),
    extract(received(`${'['.repeat(50_000)}${']'.repeat(50_000)}`), { type: 'json_path', path: '$..a' }),
    extract(received(`<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>`, 'text/xml'), {
      type: 'xpath',
      expression: 'string(//a)',
    }),
  ]
  for (const extracted of outcomes.slice(0, 3)) expect(extracted?.outcome).toBe('missing')
  expect(outcomes[3]?.value ?? '').not.toMatch(/\w{3}/)
})

function check(from: Received, document: Record<string, unknown>): string {
  const [compiled] = compileAssertions([assertion.parse({ id: 'a', ...document })], compiler())
  const asserted = compiled?.(from, expand, false)
  return asserted?.outcome === 'passed' ? 'passed' : (asserted?.message ?? '')
}

test.each<[Received, Record<string, unknown>, string]>([
  [json, { type: 'status', allowed: ['2xx'] }, 'passed'],
  [
    json,
    { type: 'status', allowed: ['200'], negate: true, message: 'Oh' },
    'Oh: expected not status 200, got 200',
  ],
  [received('a value b'), { type: 'body_contains', text: '${v}' }, 'passed'],
  [
    received('other'),
    { type: 'body_contains', text: '${v}' },
    'expected a body with "value" in it, got a body of 5 bytes: other',
  ],
  [received('value'), { type: 'body_equals', text: '${v}' }, 'passed'],
  [received('Abc'), { type: 'body_matches', pattern: '^abc$', flags: 'i' }, 'passed'],
  [received('Abc'), { type: 'body_matches', pattern: '(' }, 'the assertion cannot be read: '],
  [json, { type: 'json_path', path: '$.t', equals: 'x' }, 'passed'],
  [large, { type: 'json_path', path: '$.id', equals: '1234567890123456789' }, 'passed'],
  [
    large,
    { type: 'json_path', path: '$.id', equals: '1234567890123456788' },
    'expected JSONPath $.id to be "1234567890123456788", got "1234567890123456789"',
  ],
  [json, { type: 'json_path', path: '$.t', equals: 'y' }, 'expected JSONPath $.t to be "y", got "x"'],
  [
    json,
    { type: 'json_path', path: '$.none' },
    'expected JSONPath $.none to find something, got nothing in a body of 46',
  ],
  [received('x'), { type: 'json_path', path: '$.none' }, 'JSONPath $.none: the body is no JSON'],
  [xml, { type: 'xpath', expression: 'count(//o:i) = 2' }, 'passed'],
  [
    xml,
    { type: 'xpath', expression: 'count(//o:i) = 3' },
    'expected XPath count(//o:i) = 3 to find something',
  ],
  [json, { type: 'header', name: 'content-type' }, 'passed'],
  [
    json,
    { type: 'header', name: 'content-type', comparison: 'equals', value: 'a/b' },
    'equals "a/b", got "application/json"',
  ],
  [json, { type: 'header', name: 'x', comparison: 'matches', value: '.' }, 'got none'],
  [json, { type: 'size', min_bytes: 1, max_bytes: 10 }, 'expected a body of 1 to 10 bytes, got 46 bytes'],
  [json, { type: 'duration', max_ms: 10 }, 'expected an answer within 10 ms, got one after 12 ms'],
  [json, { type: 'body_contains', text: '${w}' }, 'no w'],
])('%# %j', (from, document, words) => {
  expect(check(from, document)).toContain(words)
})

test('a template that is none is text', () => {
  expect(expand(compileTemplate('${a + b} $${v} ${v}'))).toBe('${a + b} ${v} value')
})
