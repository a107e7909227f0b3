import type { Random } from '../fuzzing/random.ts'

type Headers = Record<string, string | string[]>

const conditions: readonly Headers[] = [
  { 'if-match': '"-1"' },
  { 'if-match': '"99999999999999999999999"' },
  { 'if-match': 'W/"1", "2"' },
  { 'if-match': '' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-0,-1,5-' },
  { 'idempotency-key': '' },
  { 'idempotency-key': 'k'.repeat(300) },
  { 'idempotency-key': 'fuzz' },
  { 'idempotency-key': '../x\u00ff' },
]

const forms: readonly Headers[] = [
  { accept: '' },
  { accept: '*/*;q=nonsense' },
  { accept: 'text/markdown' },
  { accept: 'application/octet-stream' },
  { accept: 'text/event-stream' },
  { accept: 'x'.repeat(6_000) },
  { 'accept-encoding': 'gzip, br, zstd, x;q=9' },
  { 'accept-language': '\u00ff' },
  { expect: '100-continue' },
  { connection: 'authorization, close' },
  { te: 'trailers' },
  { upgrade: 'websocket', connection: 'upgrade' },
  { 'transfer-encoding': 'chunked' },
]

const origins: readonly Headers[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: '' },
  { host: 'evil.example' },
  { host: '' },
  { host: 'a:b:c' },
  { referer: 'javascript:alert(1)' },
  { 'x-forwarded-for': '1.2.3.4, nonsense, ::1' },
  { 'x-forwarded-for': 'x'.repeat(4_000) },
  { 'x-forwarded-proto': 'gopher' },
  { 'x-forwarded-host': 'evil.example/\u00ff' },
  { forwarded: 'for="[::1]";proto=https' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-request-id': '\u00ff'.repeat(300) },
  { 'x-request-id': 'x'.repeat(5_000) },
  { traceparent: '00-00000000000000000000000000000000-0000000000000000-ff' },
  { traceparent: 'x'.repeat(3_000), tracestate: 'a='.repeat(1_000) },
  { 'sec-fetch-site': 'cross-site' },
]

const credentials: readonly Headers[] = [
  { cookie: 'a='.repeat(2_000) },
  { cookie: '__proto__=1; ; =; "' },
  { cookie: 'flamegate_session=\u00ff%zz' },
  { authorization: '' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer a.b.c' },
  { authorization: 'Basic Og==' },
  { authorization: `Bearer ${'x'.repeat(7_000)}` },
  { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' },
]

const ofMcp: readonly Headers[] = [
  { 'mcp-protocol-version': '1999-01-01' },
  { 'mcp-protocol-version': '\u00ff' },
  { 'mcp-protocol-version': '2026-07-28' },
  { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': '=?base64?x?=' },
  { 'mcp-session-id': '\u00ff'.repeat(100) },
  { 'mcp-session-id': 'nothing-of-ours' },
  { 'last-event-id': '-1' },
  { 'mcp-method': 'tools/list' },
]

const many: readonly Headers[] = [
  Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x-fuzz-${index}`, 'x'])),
  { 'x-fuzz': 'x'.repeat(14_000) },
  { 'x-fuzz': 'x'.repeat(40_000) },
  { __proto__x: '1', constructor: '1', 'x-__proto__': '1' },
]

const all = [conditions, forms, origins, credentials, ofMcp, many]

/** Of things that servers, proxies and parsers read between the lines. */
export function strangeHeaders(random: Random): Headers {
  const headers: Headers = {}
  for (let times = 1 + random.mostlySmall(3); times > 0; times -= 1)
    Object.assign(headers, random.pick(random.pick(all)))
  return headers
}
