import { acceptsValue, itemSchema } from './accepts-value.ts'
import { generateArguments } from './generate-arguments.ts'
import { isRecord, isSchema, resolveReference, schemaMap } from './schema-node.ts'
import type { SchemaNode } from './schema-node.ts'

/** One argument of a tool that may be of any size, and the arguments of a call with it. */
export interface SizedArgument {
  /** Of the argument that grows. */
  name: string
  /** With so many characters or items in it; undefined where the schema does not allow that many. */
  ofSize: (size: number) => Record<string, unknown> | undefined
}

/** Who allows fewer than these has set a limit. */
const CHARACTERS_MIN = 1000
const ITEMS_MIN = 64

/**
 * Which arguments of a tool may grow, lists before texts, and calls in which one does and the others stay as they are. What is in them
 * differs from item to item, as far as the schema has it, because work on what is all the same is often less. Texts of a
 * given form (`pattern`, `format`, `enum`) and what is counted or chosen do not grow.
 */
export function sizedArguments(schema: unknown, seed: number): SizedArgument[] {
  if (!isSchema(schema) || schema === true || schema === false) return []
  const found = schemaMap(schema['properties']).flatMap(([name, property]) => {
    const base = generateArguments(withRequired(schema, name), seed)
    const own = plainSchema(schema, property)
    if (base.outcome === 'impossible' || own === undefined) return []
    const grow = growing(schema, own, base.arguments[name])
    if (grow === undefined) return []
    const ofSize = (size: number): Record<string, unknown> | undefined => {
      const made = { ...base.arguments, [name]: grow(size) }
      return acceptsValue(schema, schema, made) ? made : undefined
    }
    return [{ name, isList: own['type'] === 'array', ofSize }]
  })
  return found
    .toSorted((a, b) => Number(b.isList) - Number(a.isList))
    .map(({ name, ofSize }) => ({ name, ofSize }))
}

type Keywords = Exclude<SchemaNode, boolean>

function withRequired(schema: Keywords, name: string): Keywords {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return { ...schema, required: [...new Set([...required, name])] }
}

/** The schema that a property has, or refers to, where it has one type; undefined of alternatives. */
function plainSchema(root: SchemaNode, schema: SchemaNode): Keywords | undefined {
  if (typeof schema === 'boolean') return undefined
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  try {
    return plainSchema(root, resolveReference(root, reference))
  } catch {
    return undefined
  }
}

/** Makes values of any size like one that there is; undefined of what does not grow. */
function growing(
  root: SchemaNode,
  own: Keywords,
  value: unknown,
): ((size: number) => string | unknown[]) | undefined {
  if (typeof value === 'string') {
    const isFree = ['enum', 'const', 'pattern', 'format'].every((key) => !Object.hasOwn(own, key))
    return isFree && mostOf(own['maxLength']) >= CHARACTERS_MIN ? (size) => longText(value, size) : undefined
  }
  if (!Array.isArray(value) || mostOf(own['maxItems']) < ITEMS_MIN) return undefined
  const [first] = value
  const schema = itemSchema(own, 0)
  if (first === undefined || schema === undefined) return undefined
  return (size) => Array.from({ length: size }, (_, place) => unlike(root, schema, first, place))
}

function mostOf(limit: unknown): number {
  return typeof limit === 'number' ? limit : Infinity
}

function longText(beginning: string, size: number): string {
  const parts = [beginning]
  let length = beginning.length
  for (let place = 1; length < size; place += 1) {
    const part = ` word${scattered(place)}`
    parts.push(part)
    length += part.length
  }
  return parts.join('').slice(0, size)
}

/** A value like another one, and as far as the schema allows unlike all others with another place. */
function unlike(root: SchemaNode, schema: SchemaNode, value: unknown, place: number): unknown {
  const candidates = changed(value, place)
  return candidates.find((candidate) => acceptsValue(root, schema, candidate)) ?? value
}

function changed(value: unknown, place: number): unknown[] {
  if (typeof value === 'number') return [value + scattered(place), value + place]
  if (typeof value === 'string') return [`${value}${scattered(place)}`]
  if (!isRecord(value)) return []
  const entries = Object.entries(value)
  const all = entries.map(([name, each]): [string, unknown] => [name, changed(each, place)[0] ?? each])
  // One property at a time, where not all may be changed.
  const single = entries.flatMap(([name, each]) =>
    changed(each, place).map((other) => ({ ...value, [name]: other })),
  )
  return [Object.fromEntries(all), ...single]
}

/** Numbers without an order, of which none comes twice among the first 65,521. */
function scattered(place: number): number {
  return (place * 40_503) % 65_521
}
