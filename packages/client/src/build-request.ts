import { problems } from '@flamegate/contract/problem'
import { ApiProblem } from './api-problem.ts'

/** What building a request needs of an operation. */
export interface Route {
  id: string
  http: { method: string; path: string }
  pathParameters: readonly string[]
}

/** A request as the API expects it: path with query, and the JSON body or undefined. */
export interface BuiltRequest {
  method: string
  /** Begins with `/v1/`. */
  target: string
  body: string | undefined
  headers: Record<string, string>
}

/**
 * Spreads an input over path, query and body as the operation's route says: path parameters into the path; the
 * rest into the query for GET and DELETE (arrays repeated), into a JSON body otherwise. `if_version` travels as
 * the `If-Match` header. A missing path parameter, or a query field that is an object, is a TypeError; a path parameter that no
 * address can hold is refused as the API would.
 */
export function buildRequest(route: Route, input: Readonly<Record<string, unknown>>): BuiltRequest {
  const { method } = route.http
  const path = route.http.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    pathSegment(route.id, name, input[name]),
  )
  const { if_version: version, ...rest } = without(input, route.pathParameters)
  const headers: Record<string, string> = typeof version === 'number' ? { 'if-match': `"${version}"` } : {}
  if (method === 'GET' || method === 'DELETE') {
    const query = queryString(route.id, rest)
    return { method, target: query === '' ? path : `${path}?${query}`, body: undefined, headers }
  }
  return {
    method,
    target: path,
    body: JSON.stringify(rest),
    headers: { ...headers, 'content-type': 'application/json' },
  }
}

function pathSegment(id: string, name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new TypeError(`${id}: ${name} is part of the path and needs a value`)
  }
  if (value === '.' || value === '..') throw folded(name)
  return encodeURIComponent(value)
}

/** However it is escaped, `fetch` would take it for a step in the path, and ask another route. */
function folded(field: string): ApiProblem {
  const message = 'It cannot be a dot or two.'
  return new ApiProblem({
    ...problems.invalid_input,
    code: 'invalid_input',
    detail: `${field} is part of the address. ${message}`,
    errors: [{ field, message }],
  })
}

function queryString(id: string, fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined) continue
      if (typeof item !== 'string' && typeof item !== 'number' && typeof item !== 'boolean') {
        throw new TypeError(`${id}: ${name} cannot be part of a query`)
      }
      query.append(name, String(item))
    }
  }
  return query.toString()
}

function without(
  input: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))
}
