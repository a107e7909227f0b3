import * as fc from 'fast-check'
import type { z } from 'zod'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** So many `$ref`s into one another; below, lists are as short as they may be. */
const depthMax = 4

/** Documents that a JSON Schema of `designSchemas` describes: every branch of it, optional fields or none. */
export function arbitraryOfSchema(root: JsonSchema): fc.Arbitrary<unknown> {
  const known = new Map<string, fc.Arbitrary<unknown>>()

  function drawn(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined) return named(schema.$ref, depth + 1)
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.oneOf !== undefined) return oneOf(schema.oneOf, depth)
    if (schema.anyOf !== undefined) {
      const leaves = schema.anyOf.filter((each) => schemaOf(each).$ref === undefined)
      return oneOf(depth < depthMax || leaves.length === 0 ? schema.anyOf : leaves, depth)
    }
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    switch (schema.type) {
      case 'object':
        return fields(schema, depth)
      case 'array': {
        const min = schema.minItems ?? 0
        const max = depth < depthMax ? Math.max(min, 3) : min
        if (max === 0) return fc.constant([])
        return fc.array(drawn(schemaOf(schema.items), depth), { minLength: min, maxLength: max })
      }
      case 'string':
        return text(schema)
      case 'integer':
        return fc.integer({
          min: Math.max(schema.minimum ?? -99, -99),
          max: Math.min(schema.maximum ?? 9999, 9999),
        })
      case 'number':
        return fc.double({
          min: Number(schema.exclusiveMinimum ?? schema.minimum ?? -1e9),
          minExcluded: schema.exclusiveMinimum !== undefined,
          max: schema.maximum ?? 1e9,
          noNaN: true,
        })
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      default:
        throw new TypeError(`No documents can be drawn of ${JSON.stringify(schema).slice(0, 200)}`)
    }
  }

  function named(ref: string, depth: number): fc.Arbitrary<unknown> {
    const key = `${ref} ${depth}`
    const made = known.get(key) ?? drawn(schemaOf(root.$defs?.[ref.slice('#/$defs/'.length)]), depth)
    known.set(key, made)
    return made
  }

  function oneOf(branches: readonly (JsonSchema | boolean)[], depth: number): fc.Arbitrary<unknown> {
    return fc.oneof(...branches.map((each) => drawn(schemaOf(each), depth)))
  }

  function fields({ properties = {}, required = [] }: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const each = Object.entries(properties).map(
      ([name, field]) => [name, drawn(schemaOf(field), depth)] as const,
    )
    const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(each)
    return fc.record(model, { requiredKeys: required, noNullPrototype: true })
  }

  return drawn(root, 0)
}

function schemaOf(schema: unknown): JsonSchema {
  if (typeof schema !== 'object' || schema === null) throw new TypeError('There is no such schema.')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- part of a schema
  return schema as JsonSchema
}

function text({ pattern, minLength = 0, maxLength = 20 }: JsonSchema): fc.Arbitrary<string> {
  if (pattern === undefined) return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 8) })
  // What looks around itself cannot be drawn: that is the pattern of paths of files.
  const all = pattern.includes('(?!')
    ? fc.constantFrom('users.csv', 'a/photo.png')
    : fc.stringMatching(new RegExp(pattern))
  return all.filter((each) => each.length >= minLength && each.length <= maxLength)
}
