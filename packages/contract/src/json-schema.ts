import { z } from 'zod'
import type { Operation } from './operation.ts'

/**
 * JSON Schema 2020-12 of an operation's input and answer. Made once per operation: converting is slow, and
 * listings are served often.
 */
export const inputSchemaOf = memoize((operation) => strip(z.toJSONSchema(operation.input, { io: 'input' })))
export const outputSchemaOf = memoize((operation) =>
  strip(z.toJSONSchema(operation.answer, { io: 'output' })),
)

function memoize(
  make: (operation: Operation) => Record<string, unknown>,
): (operation: Operation) => Record<string, unknown> {
  const made = new WeakMap<Operation, Record<string, unknown>>()
  return (operation) => {
    const known = made.get(operation)
    if (known !== undefined) return known
    const schema = make(operation)
    made.set(operation, schema)
    return schema
  }
}

/** 2020-12 is the default dialect of MCP and OpenAPI 3.1, so that saying so in each schema is only weight. */
function strip({ $schema: _dialect, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema
}
