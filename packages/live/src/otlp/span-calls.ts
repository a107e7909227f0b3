import { withoutSqlLiterals } from '../questions/sql-text.ts'
import type { LiveItem } from '../push.ts'
import type { OtlpSpan } from './read-spans.ts'
import type { Attributes } from './shapes.ts'

/** One call, in one of the sections that it counts in. */
export interface Call extends Pick<LiveItem, 'kind' | 'place'> {
  section: 'functions_timing' | 'server' | 'http' | 'sql'
  name: string
  query?: string | undefined
  durationNs: number
  counters: Readonly<Record<string, number>>
  endedAtMs: number
  /** How it ended: `ok`, `error`, or a status of HTTP. */
  ending: string
  /** For its log: of which trace it is, and what went wrong. */
  text: string
}

/** What a span is: a function that was called, and perhaps a request that was answered or made, or a query. */
export function spanCalls(span: OtlpSpan): Call[] {
  const { attributes, isError } = span
  const method = wordOf(attributes, 'http.request.method', 'http.method')
  const status = Number(wordOf(attributes, 'http.response.status_code', 'http.status_code') || Number.NaN)
  const hasStatus = Number.isInteger(status)
  const base = {
    durationNs: span.durationNs,
    counters: {},
    endedAtMs: span.endedAtMs,
    ending: isError ? 'error' : 'ok',
    text: [
      `trace ${span.traceId}`,
      ...(isError ? [`error: ${span.errorText || 'it is not said which'}`] : []),
    ].join(', '),
  }
  const calls: Call[] = [
    {
      ...base,
      section: 'functions_timing',
      name: span.name,
      kind: span.kind === 'unspecified' ? 'internal' : span.kind,
      place: placeOf(attributes),
    },
  ]
  const answered = hasStatus ? String(status) : base.ending
  if (span.kind === 'server') {
    const route = wordOf(attributes, 'http.route')
    calls.push({
      ...base,
      section: 'server',
      name: route === '' ? span.name : `${method} ${route}`.trim(),
      counters: hasStatus
        ? { status_4xx: status >= 400 && status < 500 ? 1 : 0, status_5xx: status >= 500 ? 1 : 0 }
        : {},
      ending: answered,
    })
  }
  if (span.kind === 'client' && method !== '') {
    calls.push({
      ...base,
      section: 'http',
      name: `${method} ${endpointOf(attributes)}`.trim(),
      counters: { errors: isError || status >= 400 ? 1 : 0 },
      ending: answered,
    })
  }
  const system = wordOf(attributes, 'db.system.name', 'db.system')
  const query = queryOf(attributes, system)
  if (query !== '' || (span.kind === 'client' && system !== '')) {
    const operation = [
      wordOf(attributes, 'db.operation.name', 'db.operation'),
      wordOf(attributes, 'db.collection.name', 'db.sql.table', 'db.mongodb.collection'),
    ]
    const summary = wordOf(attributes, 'db.query.summary') || operation.join(' ').trim()
    calls.push({
      ...base,
      section: 'sql',
      name: query || summary || span.name,
      kind: system || undefined,
      query: query || undefined,
    })
  }
  return calls
}

/** The first of these that the span has: names change from one version of the conventions to the next. */
function wordOf(attributes: Attributes, ...keys: string[]): string {
  for (const key of keys) {
    const value = attributes.get(key)
    if (value !== undefined) return String(value)
  }
  return ''
}

/** Systems with a language in which it is known what is a value. What others are told, `SET key value`, is not kept. */
const sqlSystems =
  /sql|oracle|mariadb|db2|^h2$|redshift|snowflake|clickhouse|trino|hive|cassandra|spanner|derby|firebird|sybase|teradata|vertica|hana|cockroach/i
const queryMax = 10_000

function queryOf(attributes: Attributes, system: string): string {
  if (system !== '' && !sqlSystems.test(system)) return ''
  return withoutSqlLiterals(wordOf(attributes, 'db.query.text', 'db.statement').slice(0, queryMax))
}

function placeOf(attributes: Attributes): LiveItem['place'] {
  const file = wordOf(attributes, 'code.file.path', 'code.filepath').slice(0, 1000)
  const line = Number(wordOf(attributes, 'code.line.number', 'code.lineno') || Number.NaN)
  if (file === '') return undefined
  return Number.isInteger(line) && line >= 0 ? { file, line } : { file }
}

/** `api.example.com/users/{id}`: without what only one call has. */
function endpointOf(attributes: Attributes): string {
  const address = wordOf(attributes, 'url.full', 'http.url')
  const url = URL.canParse(address) ? new URL(address) : undefined
  const port = wordOf(attributes, 'server.port', 'net.peer.port')
  const named = wordOf(attributes, 'server.address', 'net.peer.name')
  const host = url?.host ?? (port === '' ? named : `${named}:${port}`)
  const path = wordOf(attributes, 'url.path', 'http.target').split('?')[0] ?? ''
  const template = wordOf(attributes, 'url.template', 'http.route')
  return `${host}${template || withoutIds(url?.pathname ?? path)}`
}

/** Numbers, and long words with digits in them, are of one thing among many. */
function withoutIds(path: string): string {
  return path.replaceAll(/[^/]+/g, (part) =>
    /^\d+$|^(?=.*\d)[\da-fA-F-]{8,}$|^(?=.*\d)[\w.~%-]{20,}$/.test(part) ? '{id}' : part,
  )
}
