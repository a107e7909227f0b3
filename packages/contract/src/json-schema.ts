import { z } from 'zod'
import type { Operation } from './operation.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * JSON Schema 2020-12 of an operation's input and answer. Made once per operation: converting is slow, and
 * listings are served often.
 */
export const inputSchemaOf = memoize((operation) => strip(z.toJSONSchema(operation.input, { io: 'input' })))
export const outputSchemaOf = memoize((operation) =>
  strip(z.toJSONSchema(operation.answer, { io: 'output' })),
)

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

/** 2020-12 is the default dialect of MCP and OpenAPI 3.1, so that saying so in each schema is only weight. */
function strip({ $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
  return schema
}
