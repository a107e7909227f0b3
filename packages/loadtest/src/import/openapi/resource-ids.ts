import { pointerNames } from '../../json/json-pointer.ts'
import { asList, asObject, isObject, type JsonObject } from '../../json/json-values.ts'
import type { ExtractorDraft } from '../import-draft.ts'
import type { Operation } from './operation.ts'
import type { References } from './references.ts'

/** An id in a path: `{orderId}` in `/orders/{orderId}/items`. */
export interface PathId {
  parameter: string
  /** What it identifies, whatever it is called: `/orders/{}`. */
  resource: string
}

/** An id is not hidden among more. */
const propertiesMax = 200
const inheritedMax = 2

const braces = /\{([^{}]+)\}/g

/** The ids in a path, from left to right. */
export function pathIds(path: string): PathId[] {
  return [...path.matchAll(braces)].map((found) => ({
    parameter: found[1]!,
    resource: resourceOf(path.slice(0, found.index + found[0].length)),
  }))
}

/** A path in which it does not matter how parameters are called. */
export function resourceOf(path: string): string {
  return path.replaceAll(braces, '{}').replace(/\/$/, '')
}

/** The resource that a `POST` makes, by the shape of its path: `/orders` makes `/orders/{}`. */
export function madeBy({ method, path }: Operation): string | undefined {
  return method === 'POST' ? `${resourceOf(path)}/{}` : undefined
}

/**
 * Takes the id out of the answer to a request that makes something: what the schema or example of the answer has under a name of
 * an id, or the end of a Location header that is declared.
 */
export function idExtractor(
  operation: Operation,
  parameter: string,
  variable: string,
  references: References,
): ExtractorDraft | undefined {
  for (const [code, value] of Object.entries(asObject(operation.document['responses']))) {
    const response = /^2(?:\d\d|xx)$/i.test(code) ? references.resolve(value) : undefined
    if (response === undefined) continue
    const names = idNames(parameter, operation.path)
    for (const [type, media] of Object.entries(asObject(response['content']))) {
      if (!/[/+]json\b/i.test(type) || !isObject(media)) continue
      const path = idPath(propertiesOf(media, references), names, references)
      if (path !== undefined) return { type: 'json_path', variable, path }
    }
    if (Object.keys(asObject(response['headers'])).some((name) => name.toLowerCase() === 'location'))
      return {
        type: 'regex',
        variable,
        pattern: '^location:\\s*\\S*?([^/\\s?#]+)/?(?:[?#]\\S*)?\\s*$',
        flags: 'im',
        part: 'headers',
      }
  }
  return undefined
}

/** What an id may be called where it is made: as the parameter is, or as ids mostly are. */
function idNames(parameter: string, path: string): string[] {
  const last = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? ''
  const singular = last.replace(/ies$/, 'y').replace(/s$/, '')
  return [parameter, 'id', '_id', 'uuid', `${singular}Id`, `${singular}_id`, 'key', 'name', 'slug']
}

/** At the top of an answer, or one level down: `{ "data": { "id": 1 } }`. */
function idPath(
  properties: ReadonlyMap<string, unknown>,
  names: readonly string[],
  references: References,
): string | undefined {
  const found = names.find((name) => properties.has(name) && /^\w+$/.test(name))
  if (found !== undefined) return `$.${found}`
  for (const [outer, schema] of [...properties].slice(0, 20)) {
    if (!/^[A-Za-z_]\w*$/.test(outer)) continue
    const inner = propertiesOf({ schema }, references)
    const id = names.slice(0, 6).find((name) => inner.has(name) && /^\w+$/.test(name))
    if (id !== undefined) return `$.${outer}.${id}`
  }
  return undefined
}

/** Names of what an answer holds, by its schema, or by its example. */
function propertiesOf(media: JsonObject, references: References, depth = 0): Map<string, unknown> {
  const schema = references.resolve(media['schema'])
  const properties = new Map<string, unknown>()
  if (schema !== undefined && depth <= inheritedMax) {
    for (const each of asList(schema['allOf']).slice(0, 10))
      for (const [name, property] of propertiesOf({ schema: each }, references, depth + 1))
        properties.set(name, property)
    for (const [name, property] of Object.entries(asObject(schema['properties'])).slice(0, propertiesMax))
      properties.set(name, property)
  }
  const example = media['example'] ?? schema?.['example']
  if (properties.size === 0 && isObject(example))
    for (const [name, value] of Object.entries(example).slice(0, propertiesMax))
      properties.set(name, { example: value })
  return properties
}

/** `$response.body#/id` and `$response.header.X-Id` of links, as they are taken out of an answer. */
export function linkExtractor(expression: string, variable: string): ExtractorDraft | undefined {
  const header = /^\$response\.header\.([\w-]+)$/.exec(expression)?.[1]
  if (header !== undefined) return { type: 'header', variable, name: header }
  const pointer = /^\$response\.body#((?:\/[^/]+)+)$/.exec(expression)?.[1]
  if (pointer === undefined) return undefined
  const names = pointerNames(pointer)
  if (names === undefined) return undefined
  const path = names.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `[${JSON.stringify(key)}]`)).join('')
  return { type: 'json_path', variable, path: `$${path}` }
}
