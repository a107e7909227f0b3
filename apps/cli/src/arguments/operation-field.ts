import type { JsonSchema, Operation } from '@flamegate/contract'
import { fieldsOf, inputSchemaOf } from '@flamegate/contract/json-schema'

/** How a field is written on the command line. `map` is `key=value`, once per key; `json` is a JSON document. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'list' | 'map' | 'json'

/** One field of an operation's input as an option. */
export interface OperationField {
  /** On the wire: `base_run_id`. */
  name: string
  /** On the command line: `base-run-id`. */
  option: string
  kind: FieldKind
  isRequired: boolean
  choices: readonly string[]
  default: unknown
  description: string
}

/** The fields of an operation's input, in the order of its definition. */
export function operationFields(operation: Operation): OperationField[] {
  const schema = inputSchemaOf(operation)
  return fieldsOf(schema).map(([name, property]) => {
    const type = property.anyOf?.find((each) => each.type !== 'null') ?? property
    return {
      name,
      option: name.replaceAll('_', '-'),
      kind: kindOf(type),
      isRequired: schema.required?.includes(name) ?? false,
      choices: (type.enum ?? itemsOf(type).enum ?? []).map(String),
      default: property.default,
      description: property.description ?? type.description ?? '',
    }
  })
}

function kindOf(schema: JsonSchema): FieldKind {
  switch (schema.type) {
    case 'boolean':
      return 'boolean'
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return itemsOf(schema).type === 'string' ? 'list' : 'json'
    case 'object':
      return typeof schema.additionalProperties === 'object' ? 'map' : 'json'
    default:
      return 'text'
  }
}

function itemsOf({ items }: JsonSchema): JsonSchema {
  return typeof items === 'object' && !Array.isArray(items) ? items : {}
}
