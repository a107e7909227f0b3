import type { JsonSchema } from '@flamegate/contract'
import type { Random } from '../fuzzing/random.ts'
import { strangeNumber, strangeText } from './strange-values.ts'
import { putKey } from './written-json.ts'

/** Ids of things that are there, by their prefixes. */
export type Ids = ReadonlyMap<string, readonly string[]>

const optionalShare = 0.3
const itemsMax = 3

/** A value that the schema allows, as far as schemas tell; patterns are not read. */
export function allowedValue(schema: JsonSchema | boolean, random: Random, ids: Ids): unknown {
  if (typeof schema === 'boolean') return random.pick<unknown>(['x', 1, {}, []])
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  if (variants.length > 0) return allowedValue(random.pick(variants), random, ids)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return random.pick(schema.enum)
  switch (schema.type) {
    case 'string':
      return allowedText(schema, random, ids)
    case 'integer':
    case 'number':
      return allowedNumber(schema, random)
    case 'boolean':
      return random.below(2) === 0
    case 'null':
      return null
    case 'array':
      return Array.from({ length: Math.max(schema.minItems ?? 0, random.below(itemsMax + 1)) }, () =>
        allowedValue(itemsOf(schema), random, ids),
      )
    case 'object':
      return allowedObject(schema, random, ids)
    default:
      return random.pick<unknown>(['x', 1, true, {}, []])
  }
}

function allowedObject(schema: JsonSchema, random: Random, ids: Ids): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(name) !== true && random.share() > optionalShare) continue
    putKey(object, name, allowedValue(field, random, ids))
  }
  if (typeof schema.additionalProperties === 'object' || schema.additionalProperties === true) {
    for (let count = random.below(3); count > 0; count -= 1)
      putKey(object, `key${count}`, allowedValue(schema.additionalProperties, random, ids))
  }
  return object
}

function allowedText(schema: JsonSchema, random: Random, ids: Ids): string {
  if (schema.format === 'date-time')
    return random.pick(['2026-11-22T10:00:00Z', '2020-01-01T00:00:00.000Z', '2030-01-01T00:00:00Z'])
  if (schema.format === 'uri') return random.pick(['https://hooks.invalid/', 'https://mcp.invalid/mcp'])
  if (schema.format === 'email') return `somebody-${random.below(20)}@example.com`
  if (schema.format === 'base64') return 'H4sIAAAAAAAAAwMAAAAAAAAAAAA='
  const prefix = /\((?<prefix>[a-z]+)_…\)/.exec(schema.description ?? '')?.groups?.['prefix']
  const known = prefix === undefined ? undefined : ids.get(prefix)
  if (known !== undefined && known.length > 0) return random.pick(known)
  const text = random.pick([
    'main',
    'World',
    'abcdef1234',
    'a',
    'users.csv',
    '1',
    'cpu',
    'BenchmarkRoute',
    'x'.repeat(20),
  ])
  const { minLength = 0, maxLength = 1_000 } = schema
  return text.padEnd(minLength, 'x').slice(0, maxLength)
}

function allowedNumber(schema: JsonSchema, random: Random): number {
  const low =
    schema.minimum ?? (schema.exclusiveMinimum === undefined ? 0 : Number(schema.exclusiveMinimum) + 1)
  const high = schema.maximum ?? Math.max(low, 1_000)
  const value = low + random.mostlySmall(high - low + 1)
  return schema.type === 'number' && random.below(3) === 0 ? Math.min(high, value + 0.25) : value
}

/** One at the limits of what the schema allows, on either side. */
export function boundaryValue(schema: JsonSchema | boolean, random: Random, ids: Ids): unknown {
  if (typeof schema === 'boolean') return random.pick<unknown>([null, '', {}, []])
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  if (variants.length > 0) return boundaryValue(random.pick(variants), random, ids)
  if (schema.enum !== undefined) {
    const word = String(random.pick(schema.enum))
    return random.pick([word.toUpperCase(), ` ${word}`, `${word}\n`, '', [word]])
  }
  const { minLength = 0, maxLength = 100_000, minItems = 0, maxItems = 10_000 } = schema
  switch (schema.type) {
    case 'string': {
      const length = random.pick([minLength - 1, minLength, maxLength, maxLength + 1, 0, 1])
      const letter = random.pick(['x', 'x', 'é', '\u{1f600}', ' ', '0', '/'])
      const text = letter.repeat(Math.max(0, Math.min(length, 2_000_000)))
      return random.pick([text, text, `${allowedText(schema, random, ids)}\n`, strangeText(random)])
    }
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 1_000 } = schema
      return random.pick<unknown>([
        minimum,
        minimum - 1,
        maximum,
        maximum + 1,
        0,
        -1,
        0.5,
        2 ** 31,
        2 ** 53,
        strangeNumber(random),
      ])
    }
    case 'boolean':
      return random.pick<unknown>(['true', 'false', 0, 1, null, ''])
    case 'array': {
      const length = Math.max(
        0,
        Math.min(20_000, random.pick([minItems - 1, minItems, maxItems, maxItems + 1])),
      )
      const item = allowedValue(itemsOf(schema), random, ids)
      return Array.from({ length }, () => item)
    }
    case 'object':
      return random.pick<unknown>([
        null,
        {},
        [],
        'x',
        allowedObject({ ...schema, required: [] }, random, ids),
      ])
    default:
      return random.pick<unknown>([null, '', 0])
  }
}

/** A field somewhere in an input that the schema knows, and what the schema says of it. */
export interface Place {
  container: object
  key: string | number
  schema: JsonSchema | boolean
}

/** Fields that the input does not have are places, too, and what is within them. Undefined for an operation without any. */
export function anyField(
  schema: JsonSchema,
  input: Record<string, unknown>,
  random: Random,
  ids: Ids,
): Place | undefined {
  const names = Object.keys(schema.properties ?? {})
  if (names.length === 0) return undefined
  const key = random.pick(names)
  const field = schema.properties?.[key] ?? true
  return deeper({ container: input, key, schema: field }, random, ids)
}

function deeper(place: Place, random: Random, ids: Ids): Place {
  if (typeof place.schema === 'boolean' || random.below(4) === 0) return place
  const there: unknown = Reflect.get(place.container, place.key)
  const variants = [...(place.schema.anyOf ?? []), ...(place.schema.oneOf ?? [])].filter(hasPlaces)
  if (variants.length > 0 || (hasPlaces(place.schema) && (there === undefined || there === null))) {
    // Made anew, in one of the forms that it may have: few inputs have many of them.
    const schema = variants.length > 0 ? random.pick(variants) : place.schema
    const made = allowedValue(schema, random, ids)
    const value =
      Array.isArray(made) && made.length === 0 ? [allowedValue(itemsOf(schema), random, ids)] : made
    putKey(place.container, place.key, value)
    return within({ ...place, schema }, value, random, ids)
  }
  return within(place, there, random, ids)
}

/** A place in the value that is at one; that place itself where there is none. */
function within(place: Place, value: unknown, random: Random, ids: Ids): Place {
  if (typeof place.schema === 'boolean') return place
  if (Array.isArray(value) && value.length > 0)
    return deeper(
      { container: value, key: random.below(value.length), schema: itemsOf(place.schema) },
      random,
      ids,
    )
  if (place.schema.properties !== undefined && isRecord(value))
    return anyField(place.schema, value, random, ids) ?? place
  return place
}

function hasPlaces(schema: JsonSchema | boolean): schema is JsonSchema {
  return typeof schema !== 'boolean' && (schema.type === 'array' || schema.properties !== undefined)
}

function itemsOf(schema: JsonSchema): JsonSchema | boolean {
  return Array.isArray(schema.items) ? true : (schema.items ?? true)
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
