import { expect, test } from 'vitest'
import type { OtlpSpan } from './read-spans.ts'
import { spanCalls } from './span-calls.ts'

const span = (
  kind: OtlpSpan['kind'],
  attributes: Record<string, string | number>,
  more: Partial<OtlpSpan> = {},
): OtlpSpan => ({
  traceId: 'aa',
  spanId: 'bb',
  name: 'span',
  kind,
  durationNs: 5,
  endedAtMs: 1,
  isError: false,
  errorText: '',
  attributes: new Map(Object.entries(attributes)),
  ...more,
})
const drawn = (of: OtlpSpan) =>
  spanCalls(of).map(({ section, name, ending }) => `${section} ${name} ${ending}`)

// Names of https://opentelemetry.io/docs/specs/semconv/, those of today and those before.
test.each([
  ['internal', {}, []],
  ['server', {}, ['server span ok']],
  [
    'server',
    { 'http.request.method': 'GET', 'http.route': '/a/{id}', 'http.response.status_code': 404 },
    ['server GET /a/{id} 404'],
  ],
  [
    'server',
    { 'http.method': 'GET', 'http.route': '/a/{id}', 'http.status_code': 200 },
    ['server GET /a/{id} 200'],
  ],
  [
    'client',
    {
      'http.request.method': 'GET',
      'url.full': 'https://u:p@h.example/a/550e8400-e29b-41d4-a716-446655440000?q=1',
    },
    ['http GET h.example/a/{id} ok'],
  ],
  [
    'client',
    { 'http.method': 'POST', 'net.peer.name': 'h', 'net.peer.port': 80, 'http.target': '/v1/users/17?x=1' },
    ['http POST h:80/v1/users/{id} ok'],
  ],
  [
    'client',
    { 'http.request.method': 'GET', 'server.address': 'h', 'url.template': '/users/{name}' },
    ['http GET h/users/{name} ok'],
  ],
  [
    'client',
    { 'db.system': 'mysql', 'db.statement': 'SELECT 1, "a"' },
    [expect.stringMatching(/^sql SELECT \?, /)],
  ],
  [
    'client',
    { 'db.system.name': 'redis', 'db.query.text': 'SET session:1 secret', 'db.operation.name': 'SET' },
    ['sql SET ok'],
  ],
  [
    'client',
    { 'db.system': 'mongodb', 'db.operation': 'find', 'db.mongodb.collection': 'carts' },
    ['sql find carts ok'],
  ],
  ['internal', { 'db.query.text': "DELETE FROM a WHERE b = 'c'" }, ['sql DELETE FROM a WHERE b = ? ok']],
] as const)('a span of kind %s with %o counts where it belongs', (kind, attributes, others) => {
  expect(drawn(span(kind, attributes))).toEqual(['functions_timing span ok', ...others])
})

test('an error is told with its trace, and counts', () => {
  const [asFunction, asRequest] = spanCalls(
    span(
      'client',
      { 'http.request.method': 'GET', 'server.address': 'h' },
      { isError: true, errorText: 'ECONNREFUSED' },
    ),
  )
  expect(asFunction).toMatchObject({ ending: 'error', text: 'trace aa, error: ECONNREFUSED' })
  expect(asRequest).toMatchObject({ ending: 'error', counters: { errors: 1 } })
})

test('a function is where its code is', () => {
  const place = { 'code.file.path': '/app/cart.py', 'code.line.number': 12 }
  expect(spanCalls(span('internal', place))[0]?.place).toEqual({ file: '/app/cart.py', line: 12 })
})
