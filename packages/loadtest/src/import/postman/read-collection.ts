import { isObject, type JsonObject } from '../../json/json-values.ts'
import { SourceError } from '../importer.ts'
import { parseJson } from '../parse-json.ts'

/**
 * The collection in a file of Postman, format 2.0 or 2.1 (https://schema.postman.com). Other files of Postman are refused with
 * what they are.
 */
export function readCollection(text: string): JsonObject {
  const root = parseJson(text)
  if (!isObject(root)) throw new SourceError('It is no Postman collection: that is a JSON object.')
  if ('_postman_variable_scope' in root)
    throw new SourceError(
      'It is a Postman environment: it has variables, and no requests. Import the collection that uses it; its variables without a value can be given one afterwards.',
    )
  if (Array.isArray(root['collections']))
    throw new SourceError(
      'It is a dump of all data of Postman. Export the collection that is meant by itself, as Collection v2.1.',
    )
  // What the API of Postman answers has the collection inside.
  const collection = isObject(root['collection']) ? root['collection'] : root
  if (isFirstFormat(collection))
    throw new SourceError(
      'It is a collection of format 1. Import it into Postman and export it as Collection v2.1, or run: npx postman-collection-transformer convert -i old.json -o new.json -j 1.0.0 -p 2.1.0',
    )
  const schema = isObject(collection['info']) ? collection['info']['schema'] : undefined
  if (typeof schema === 'string' && /\/v(?!2\.)\d/.test(schema))
    throw new SourceError(
      'It is a collection of another format than 2.0 and 2.1: export it as Collection v2.1.',
    )
  if (!isObject(collection['info']) || !Array.isArray(collection['item']))
    throw new SourceError('It is no Postman collection: that has `info` and `item`.')
  return collection
}

function isFirstFormat(collection: JsonObject): boolean {
  return Array.isArray(collection['requests']) && !Array.isArray(collection['item'])
}
