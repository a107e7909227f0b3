import { asList, asText, isObject, type JsonObject } from '../../json/json-values.ts'
import type { ImportDraft } from '../import-draft.ts'
import { SourceError } from '../importer.ts'
import { type References, whyUnresolved } from './references.ts'

const operationsMax = 5000
const pathCharactersMax = 2000
const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'])

/** One operation of a document, with what its path says for all of its operations. */
export interface Operation {
  place: string
  /** In capitals. */
  method: string
  /** As it is written: `/orders/{orderId}`. */
  path: string
  tag: string
  name: string
  document: JsonObject
  parameters: readonly Placed[]
  /** Its own, or those of its path; undefined where those of the document hold. */
  servers: Placed | undefined
}

/** A part with its place; what a path says for all of its operations is told of once, with the first of them. */
export interface Placed {
  place: string
  value: unknown
}

/** All operations in the order of the document. What a path has besides them is told of. */
export function readOperations(
  document: JsonObject,
  references: References,
  draft: ImportDraft,
): Operation[] {
  const operations: Operation[] = []
  for (const [path, value] of Object.entries(isObject(document['paths']) ? document['paths'] : {})) {
    if (path.startsWith('x-')) continue
    const place = `paths.${path}`
    const item = references.resolve(value)
    if (item === undefined || path.length > pathCharactersMax) {
      draft.dropped(
        { place: place.slice(0, 200), kind: 'path', name: path },
        item === undefined ? whyUnresolved(value) : `It is longer than ${pathCharactersMax} characters.`,
      )
      continue
    }
    const shared = placed(item['parameters'], place)
    let count = 0
    for (const [key, inner] of Object.entries(item)) {
      const told = { place: `${place}.${key}`, kind: 'operation', name: `${key.toUpperCase()} ${path}` }
      if (key === 'query' && isObject(inner))
        draft.dropped(told, 'Requests with the method QUERY cannot be sent.')
      if (!methods.has(key) || !isObject(inner)) continue
      count++
      const own = placed(inner['parameters'], told.place)
      const ownKeys = new Set(own.map((each) => keyOf(each.value, references)))
      operations.push({
        place: told.place,
        method: key.toUpperCase(),
        path,
        tag: asText(asList(inner['tags'])[0]),
        name: asText(inner['summary']) || asText(inner['operationId']) || told.name,
        document: inner,
        parameters: [...shared.filter((each) => !ownKeys.has(keyOf(each.value, references))), ...own],
        servers: serversOf(inner, told.place) ?? serversOf(item, place),
      })
      if (operations.length > operationsMax)
        throw new SourceError(`It has more than ${operationsMax} operations. Import it in parts.`)
    }
    if (count === 0)
      for (const each of shared)
        draft.dropped(
          { place: each.place, kind: 'parameter', name: nameOf(each.value) },
          'Its path has no operation.',
        )
  }
  return operations
}

function serversOf(holder: JsonObject, place: string): Placed | undefined {
  const value = holder['servers']
  return value === undefined ? undefined : { place: `${place}.servers`, value }
}

function placed(entries: unknown, place: string): Placed[] {
  return asList(entries).map((value, index) => ({ place: `${place}.parameters[${index}]`, value }))
}

function nameOf(value: unknown): string {
  return isObject(value) ? asText(value['name']) || asText(value['$ref']) : ''
}

/** A parameter of an operation stands for that of its path with the same name and place. */
function keyOf(value: unknown, references: References): string {
  const parameter = references.resolve(value)
  return JSON.stringify([parameter?.['in'], parameter?.['name']])
}
