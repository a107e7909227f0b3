import { type Document, isScalar, parseDocument, Parser, visit } from 'yaml'
import { isTooDeep } from '../../json/json-depth.ts'
import { isObject, type JsonObject } from '../../json/json-values.ts'
import { SourceError } from '../importer.ts'
import { jsonLevelsMax, lineAt, parseJson } from '../parse-json.ts'

/** YAML is read far more slowly than JSON, and takes more room. */
const yamlCharactersMax = 2_000_000
/** How many times aliases may repeat something; documents of people use few, and bombs are made of them. */
const aliasesMax = 1000

/** The OpenAPI document, 3.0 to 3.2, in a text in JSON or YAML (https://spec.openapis.org/oas/). Others are refused with what they are. */
export function readDocument(text: string): JsonObject {
  const document = /^\s*[{[]/.test(text) ? parseJson(text) : parseYaml(text)
  if (!isObject(document)) throw new SourceError('It is no OpenAPI document: that is an object.')
  if (document['swagger'] !== undefined)
    throw new SourceError(
      'It is a Swagger 2.0 document. Convert it to OpenAPI 3 first: npx swagger2openapi swagger.json -o openapi.json, or Edit > Convert in editor.swagger.io.',
    )
  const version = document['openapi']
  if (typeof version !== 'string' || !/^3\.[0-2](?:\.|$)/.test(version))
    throw new SourceError('It is no OpenAPI document of version 3: that begins with `openapi: 3.0.0` or so.')
  if (!isObject(document['paths']) && !isObject(document['webhooks']))
    throw new SourceError('It has no `paths`.')
  return document
}

function parseYaml(text: string): unknown {
  if (text.length > yamlCharactersMax)
    throw new SourceError(
      `As YAML it is larger than ${yamlCharactersMax / 1e6} million characters: convert it to JSON.`,
    )
  try {
    // That keys are unique is found out below, in a time that does not grow with the square of their number.
    refuseStrayTokens(text)
    const document = withoutStacks(() =>
      parseDocument(text, {
        prettyErrors: false,
        logLevel: 'silent',
        stringKeys: true,
        uniqueKeys: false,
      }),
    )
    const [error] = document.errors
    if (error !== undefined)
      throw new SourceError('It is no YAML that can be read.', lineAt(text, error.pos[0]))
    refuseRepeatedKeys(document, text)
    const value: unknown = document.toJS({ maxAliasCount: aliasesMax })
    if (isTooDeep(value, jsonLevelsMax))
      throw new SourceError(`Its values are nested more than ${jsonLevelsMax} levels deep.`)
    return value
  } catch (error) {
    if (error instanceof SourceError) throw error
    if (error instanceof RangeError) throw new SourceError('It is nested too deeply to be read.')
    if (error instanceof ReferenceError)
      throw new SourceError('Its aliases name what is not there, or repeat it too often.')
    // Whatever else the reader stumbles over is in the text.
    throw new SourceError('It is no YAML that can be read.')
  }
}

/** The reader goes on behind what is wrong, and makes an error of each character of it; here the first is enough. */
function refuseStrayTokens(text: string): void {
  for (const token of new Parser().parse(text))
    if (token.type === 'error')
      throw new SourceError('It is no YAML that can be read.', lineAt(text, token.offset))
}

/** Of a hundred thousand errors the stacks take seconds and gigabytes, and nobody reads them. */
function withoutStacks<Value>(run: () => Value): Value {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return run()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function refuseRepeatedKeys(document: Document.Parsed, text: string): void {
  visit(document, {
    Map: (_, { items }) => {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        if (keys.has(key.value))
          throw new SourceError('A key is there twice.', lineAt(text, key.range?.[0] ?? 0))
        keys.add(key.value)
      }
    },
  })
}
