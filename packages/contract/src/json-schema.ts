import { z } from 'zod'
import type { Operation } from './operation.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * JSON Schema 2020-12 of an operation's input and answer. Made once per operation: converting is slow, and
 * listings are served often.
 */
export const inputSchemaOf = memoize((operation) => jsonSchema(operation.input, 'input'))
export const outputSchemaOf = memoize((operation) => jsonSchema(operation.answer, 'output'))

/** The same of what a tool result has as structure: without the report, which is its text. */
export function toolOutputSchemaOf(operation: Operation): JsonSchema {
  const schema = outputSchemaOf(operation)
  const { reportField } = operation
  if (reportField === undefined) return schema
  const { [reportField]: _report, ...properties } = schema.properties ?? {}
  return { ...schema, properties, required: schema.required?.filter((field) => field !== reportField) }
}

/** Fields of an object schema by name; boolean schemas (anything, nothing) come out as empty ones. */
export function fieldsOf(schema: JsonSchema): [string, JsonSchema][] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    typeof field === 'boolean' ? {} : field,
  ])
}

function memoize(make: (operation: Operation) => JsonSchema): (operation: Operation) => JsonSchema {
  const made = new WeakMap<Operation, JsonSchema>()
  return (operation) => {
    const known = made.get(operation)
    if (known !== undefined) return known
    const schema = make(operation)
    made.set(operation, schema)
    return schema
  }
}

/**
 * JSON Schema 2020-12 of what goes in or comes out. Says nothing that is only weight to whoever reads it: the dialect,
 * which is the default one of MCP and OpenAPI 3.1; the limits of integers of 32 bits, and of safe ones; the pattern of a named format; that
 * keys are texts.
 */
export function jsonSchema(type: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, { io })
  return tidy(schema)
}

const int32Max = 2 ** 31 - 1

/** The same schema in the words that every client understands. */
function tidy(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, oneOf, additionalProperties, propertyNames: _names, ...part } = schema
  if (part.maximum === Number.MAX_SAFE_INTEGER || part.maximum === int32Max) delete part.maximum
  if (part.minimum === Number.MIN_SAFE_INTEGER || part.minimum === -int32Max - 1) delete part.minimum
  if (part.format !== undefined) delete part.pattern
  return splitTypes({
    ...part,
    ...(properties === undefined ? {} : { properties: mapValues(properties, tidyPart) }),
    ...(items === undefined ? {} : { items: Array.isArray(items) ? items.map(tidyPart) : tidyPart(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(tidyPart) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(tidyPart) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: tidyRest(additionalProperties) }),
  })
}

function tidyPart<T>(part: T | JsonSchema): T | JsonSchema {
  return isSchema(part) ? tidy(part) : part
}

/** An empty schema takes anything, as `true` does, which is better understood in this place. */
function tidyRest(rest: JsonSchema | boolean): JsonSchema | boolean {
  return isSchema(rest) && Object.keys(rest).length === 0 ? true : tidyPart(rest)
}

/** A list of types becomes one schema for each: some clients, and the models behind them, take only one type. */
function splitTypes(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema
  const { type: types, description, default: standard, ...limits } = schema
  return {
    ...(standard === undefined ? {} : { default: standard }),
    ...(description === undefined ? {} : { description }),
    anyOf: types.map((type) => (type === 'null' ? { type } : { type, ...limits })),
  }
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
