import { findOperation, toolOutputSchemaOf, type JsonSchema, type Operation } from '@flamegate/contract'
import { filledIn, placeOf, valueAt, type GuideStep, type Place } from './guide-steps.ts'

/** Whether an answer of that tool can have such a place, by its schema. */
export function isPlaceOfAnswer({ tool, path }: Place): boolean {
  const operation = findOperation(tool)
  if (operation === undefined) return false
  let schemas: JsonSchema[] = [toolOutputSchemaOf(operation)]
  for (const step of path) {
    schemas = schemas
      .flatMap((schema) => [schema, ...branchesOf(schema)])
      .flatMap((schema) => ('field' in step ? fieldOf(schema, step.field) : itemsOf(schema)))
  }
  return schemas.length > 0
}

/**
 * The arguments of a call with its blanks filled in as the examples of the operations have them, so that they can be held against the
 * input's schema: what stands at that field in an example of this operation, else what stands at that place in an answer.
 */
export function exampleArguments(step: GuideStep & { kind: 'call' }): Record<string, unknown> {
  const operation = findOperation(step.tool)
  return Object.fromEntries(
    Object.entries(step.arguments).map(([field, value]) => [
      field,
      filledIn(
        value,
        // An example of the field is of the whole field: it fills no blank within a list or an object.
        (blank) =>
          (typeof value === 'string' ? exampleOf(operation, field) : undefined) ??
          exampleAt(blank) ??
          'example',
      ),
    ]),
  )
}

function exampleOf(operation: Operation | undefined, field: string): unknown {
  return operation?.examples
    .map(({ input }) => (input as Record<string, unknown>)[field])
    .find((value) => value !== undefined)
}

function exampleAt(blank: string): unknown {
  if (!/[.[]/.test(blank)) return undefined
  const { tool, path } = placeOf(blank)
  return findOperation(tool)
    ?.examples.map(({ output }) => valueAt(output, path))
    .find((value) => value !== undefined && value !== null)
}

function branchesOf(schema: JsonSchema): JsonSchema[] {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].filter(isSchema)
  return inner.flatMap((each) => [each, ...branchesOf(each)])
}

function fieldOf(schema: JsonSchema, field: string): JsonSchema[] {
  const named = schema.properties?.[field]
  if (named !== undefined) return [isSchema(named) ? named : {}]
  const { additionalProperties } = schema
  if (isSchema(additionalProperties)) return [additionalProperties]
  return additionalProperties === true || isOpen(schema) ? [{}] : []
}

function itemsOf(schema: JsonSchema): JsonSchema[] {
  return isOpen(schema) ? [{}] : [schema.items].flat().filter(isSchema)
}

/** Whether it says nothing, as of what is in a task's `result`: anything may be there. */
function isOpen(schema: JsonSchema): boolean {
  return Object.keys(schema).length === 0
}

function isSchema(schema: unknown): schema is JsonSchema {
  return typeof schema === 'object' && schema !== null
}
