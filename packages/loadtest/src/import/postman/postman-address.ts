import { asList, asObject, asText, isObject } from '../../json/json-values.ts'
import { type Address, encodePath, splitAddress, withQuery } from '../address.ts'
import { readEntries } from './fields.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * The address of a request: a text, or an object with its parts. The host is what the variables of the collection say, because
 * it must be known which host is loaded; the rest keeps its variables. Undefined when it cannot be read.
 */
export function readAddress(url: unknown, around: Surroundings): Address | undefined {
  const { variables, scope } = around
  const parts = asObject(url)
  const hasParts = isObject(url) && joined(parts['host'], '.') !== ''
  const text = (hasParts ? textOfParts(parts) : isObject(url) ? asText(parts['raw']) : asText(url)).trim()
  const queryMark = text.search(/[?#]/)
  const beforeQuery = queryMark === -1 ? text : text.slice(0, queryMark)
  const [, start = '', path = ''] = /^((?:[a-z][a-z\d+.-]*:)?(?:\/\/)?[^/]*)(.*)$/is.exec(beforeQuery) ?? []
  const known = beforeQuery === '' ? '' : variables.resolveStart(start, scope)
  // A base URL may have a path of its own.
  const [, resolvedStart = '', basePath = ''] =
    /^((?:[a-z][a-z\d+.-]*:)?(?:\/\/)?[^/?#]*)([^?#]*)/is.exec(known) ?? []
  const withScheme = /^https?:\/\//i.test(resolvedStart)
    ? resolvedStart
    : `${/\{\{/.test(resolvedStart) ? 'https' : 'http'}://${resolvedStart.replace(/^\/\//, '')}`
  const address = splitAddress(variables.template(withScheme.trim(), scope))
  if (address === undefined) return undefined
  const written = /^\?([^#]*)/.exec(queryMark === -1 ? '' : text.slice(queryMark))?.[1] ?? ''
  const filled = fillPath(`${basePath.replace(/\/$/, '')}${path}`, asList(parts['variable']), around)
  const query = Array.isArray(parts['query'])
    ? joinQuery(parts['query'], around)
    : variables.template(written, scope)
  return withQuery({ ...address, path: filled }, query)
}

/** The entries of a query as Postman sends them: as they are written, and without an = where there is no value. */
function joinQuery(entries: readonly unknown[], around: Surroundings): string {
  const { variables, scope } = around
  const written = (part: unknown): string => variables.template(asText(part), scope).replaceAll('&', '%26')
  return readEntries(entries, 'query', 'request.url.query', around)
    .map(({ key, value }) => {
      const name = written(key).replaceAll('=', '%3D')
      return value === null || value === undefined ? name : `${name}=${written(value)}`
    })
    .join('&')
}

/** Puts the values of path variables, `/orders/:id`, where they belong. */
function fillPath(path: string, entries: readonly unknown[], around: Surroundings): string {
  const { variables, scope, place, inner, notes } = around
  const values = new Map<string, string>()
  for (const [index, entry] of entries.entries()) {
    const name = asText(asObject(entry)['key']) || asText(asObject(entry)['id'])
    values.set(name, asText(asObject(entry)['value']))
    inner.add({ place: `${place}.request.url.variable[${index}]`, kind: 'path variable', name })
  }
  const segments = path.split('/').map((segment) => {
    const name = /^:([^:{}]+)$/.exec(segment)?.[1]
    if (name === undefined) return encodePath(variables.template(segment, scope))
    const value = values.get(name) ?? ''
    if (value !== '') return encodePath(variables.template(value, scope))
    notes.push(`Its path variable :${name} has no value: the variable of this name is sent.`)
    return `\${${variables.nameOf(name, scope)}}`
  })
  const filled = segments.join('/')
  return filled.startsWith('/') ? filled : `/${filled}`
}

/** `protocol://user@host:port/path`, as the parts of an address say it; its query is by itself. */
function textOfParts(parts: Readonly<Record<string, unknown>>): string {
  const protocol = asText(parts['protocol']).replace(/:?\/*$/, '')
  const port = asText(parts['port'])
  const path = joined(parts['path'], '/').replace(/^\//, '')
  const query = Array.isArray(parts['query']) ? '' : (/\?[^#]*/.exec(asText(parts['raw']))?.[0] ?? '')
  const host = joined(parts['host'], '.')
  return `${protocol === '' ? '' : `${protocol}://`}${host}${port === '' ? '' : `:${port}`}/${path}${query}`
}

/** A text, or a list of texts and of objects with a `value`. */
function joined(value: unknown, separator: string): string {
  if (!Array.isArray(value)) return asText(value)
  return value.map((each) => (isObject(each) ? asText(each['value']) : asText(each))).join(separator)
}
