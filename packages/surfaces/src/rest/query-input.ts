import { fieldsOf, inputSchemaOf, type JsonSchema, type Operation } from '@flamegate/contract'

type Kind = 'string' | 'number' | 'boolean' | 'array'

/**
 * Reads the input of an operation out of path and query, where everything is text: numbers, booleans and lists
 * (a parameter given more than once, or once) become what the schema asks for. What does not look like one
 * stays text, so that the schema refuses it in its own words.
 */
export function queryReader(
  operation: Operation,
): (parts: Readonly<Record<string, unknown>>) => Record<string, unknown> {
  const kinds = new Map(fieldsOf(inputSchemaOf(operation)).map(([name, schema]) => [name, kindOf(schema)]))
  return (parts) =>
    Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, convert(value, kinds.get(name))]))
}

function kindOf(schema: JsonSchema): Kind {
  const types = [schema, ...(schema.anyOf ?? [])].map((each) =>
    typeof each === 'boolean' ? undefined : each.type,
  )
  const type = types.find((each) => each !== undefined && each !== 'null')
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
