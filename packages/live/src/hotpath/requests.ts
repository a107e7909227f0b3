import { liveLimits } from '../limits.ts'
import { bytesOf, fieldsOf, nsOf, numberOf, textOf, type Fields } from './fields.ts'
import {
  distributionOf,
  distributions,
  entriesOf,
  idOf,
  known,
  labelOf,
  percentilesOf,
  placeOf,
  wordOf,
  type Found,
} from './found.ts'
import { withoutLiterals } from './sql-text.ts'

export function readSql(body: Fields): Found[] {
  return entriesOf(body, 'sql').map((entry) => {
    const query = withoutLiterals(textOf(entry, 'query') ?? '?').slice(0, liveLimits.textMax)
    const route = wordOf(entry, 'route')
    return {
      section: 'sql',
      item: {
        id: idOf(entry, query),
        name: query.slice(0, liveLimits.nameMax),
        kind: wordOf(entry, 'source'),
        place: placeOf(entry),
        distributions: distributions({ duration: durationOf(entry) }),
        texts: { query, ...(route === undefined ? {} : { route }) },
      },
      log: logOf(entry, 'sql'),
    }
  })
}

export function readHttp(body: Fields): Found[] {
  return entriesOf(body, 'http').map((entry) => {
    const name = wordOf(entry, 'endpoint') ?? '?'
    return {
      section: 'http',
      item: {
        id: idOf(entry, name),
        name,
        place: placeOf(entry),
        counters: known({ errors: numberOf(entry, 'errors') }),
        distributions: distributions({ duration: durationOf(entry) }),
      },
      log: logOf(entry, 'http'),
    }
  })
}

export function readServer(body: Fields): Found[] {
  return entriesOf(body, 'server').map((entry) => {
    const name = wordOf(entry, 'route') ?? '?'
    const count = numberOf(entry, 'count')
    const alloc = fieldsOf(entry, 'alloc')
    const inAll = (field: string) => {
      const perRequest = numberOf(entry, field)
      return perRequest === undefined ? undefined : Math.round(perRequest * (count ?? 0))
    }
    return {
      section: 'server',
      item: {
        id: idOf(entry, name),
        name,
        counters: known({
          status_4xx: numberOf(entry, 'status_4xx'),
          status_5xx: numberOf(entry, 'status_5xx'),
          sql: inAll('sql_per_request'),
          http: inAll('http_per_request'),
        }),
        distributions: distributions({
          duration: durationOf(entry),
          allocated: distributionOf({
            count,
            total: bytesOf(alloc, 'total_bytes', 'total'),
            percentiles: percentilesOf(fieldsOf(alloc, 'percentiles'), bytesOf),
          }),
        }),
      },
      log: logOf(entry, 'server'),
    }
  })
}

const operations = ['read', 'write', 'flush', 'shutdown'] as const

export function readIo(body: Fields): Found[] {
  return entriesOf(body, 'io').map((entry) => {
    const name = labelOf(entry)
    const typeName = wordOf(entry, 'type_name')
    const errors = operations.flatMap((each) => numberOf(fieldsOf(entry, each), 'errors') ?? [])
    return {
      section: 'io',
      item: {
        id: idOf(entry, name),
        name,
        place: placeOf(entry),
        counters: known({
          errors: errors.length === 0 ? undefined : errors.reduce((sum, value) => sum + value, 0),
          read_bytes: bytesOf(fieldsOf(entry, 'read'), 'bytes'),
          written_bytes: bytesOf(fieldsOf(entry, 'write'), 'bytes'),
        }),
        levels: known({ instances: numberOf(entry, 'instances') }),
        distributions: distributions(
          Object.fromEntries(operations.map((each) => [each, durationOf(fieldsOf(entry, each))])),
        ),
        texts: typeName === undefined ? undefined : { type_name: typeName },
      },
    }
  })
}

function durationOf(entry: Fields) {
  return distributionOf({
    count: numberOf(entry, 'count'),
    sampled: numberOf(entry, 'sampled_count'),
    total: nsOf(entry, 'total'),
    average: nsOf(entry, 'avg'),
    percentiles: percentilesOf(fieldsOf(entry, 'percentiles'), nsOf),
  })
}

function logOf(entry: Fields, section: string): Found['log'] {
  const id = textOf(entry, 'id')
  if (id === undefined) return undefined
  return { path: `/${section}/${encodeURIComponent(id)}/logs`, moved: numberOf(entry, 'count') ?? 0 }
}
