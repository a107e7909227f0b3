import { inputSchemaOf, type Operation } from '@flamegate/contract'

type Kind = 'string' | 'number' | 'boolean' | 'array'
type JsonSchema = { type?: unknown; anyOf?: JsonSchema[] }

/**
 * Reads the input of an operation out of path and query, where everything is text: numbers, booleans and lists
 * (a parameter given more than once, or once) become what the schema asks for. What does not look like one
 * stays text, so that the schema refuses it in its own words.
 */
export function queryReader(
  operation: Operation,
): (parts: Record<string, unknown>) => Record<string, unknown> {
  const properties = (inputSchemaOf(operation)['properties'] ?? {}) as Record<string, JsonSchema>
  const kinds = new Map(Object.entries(properties).map(([name, schema]) => [name, kindOf(schema)]))
  return (parts) =>
    Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, convert(value, kinds.get(name))]))
}

function kindOf(schema: JsonSchema): Kind {
  const type = schema.type ?? schema.anyOf?.find((each) => each.type !== 'null')?.type
  if (type === 'integer' || type === 'number') return 'number'
  return type === 'boolean' || type === 'array' ? type : 'string'
}

function convert(value: unknown, kind: Kind | undefined): unknown {
  if (kind === 'array') return Array.isArray(value) ? value : [value]
  if (typeof value !== 'string') return value
  if (kind === 'number' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value)
  if (kind === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}
