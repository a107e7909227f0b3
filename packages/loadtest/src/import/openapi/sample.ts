import { asList, isObject, type JsonObject } from '../../json/json-values.ts'
import type { References } from './references.ts'

const depthMax = 6
const valuesMax = 2000
const textCharactersMax = 100_000

/** A value that stands for all of a schema, and whether the document gives it or it was made up. */
export interface Sample {
  value: unknown
  isMade: boolean
}

/**
 * Values that fit schemas: the example or default where there is one, and one made of the types otherwise. Schemas may name
 * themselves, and be as large as they like: what lies too deep is left out.
 */
export class Samples {
  readonly #references: References
  readonly #known = new Map<JsonObject, Sample>()

  constructor(references: References) {
    this.#references = references
  }

  of(value: unknown): Sample {
    const schema = this.#references.resolve(value)
    if (schema === undefined) return { value: undefined, isMade: true }
    const known = this.#known.get(schema)
    if (known !== undefined) return known
    const sampler = new Sampler(this.#references)
    const sample = { value: sampler.sample(schema, 0), isMade: sampler.isMade }
    this.#known.set(schema, sample)
    return sample
  }
}

/** The example that a media type or parameter has; undefined when it has none, or one that is far too large. */
export function exampleOf(holder: JsonObject, references: References): { value: unknown } | undefined {
  const { example, examples } = holder
  if (example !== undefined) return bounded(example)
  for (const each of isObject(examples) ? Object.values(examples) : []) {
    const resolved = references.resolve(each)
    if (resolved !== undefined && resolved['value'] !== undefined) return bounded(resolved['value'])
  }
  return undefined
}

class Sampler {
  isMade = false
  #left = valuesMax
  readonly #references: References

  constructor(references: References) {
    this.#references = references
  }

  sample(value: unknown, depth: number): unknown {
    const schema = this.#references.resolve(value)
    if (schema === undefined || depth > depthMax || this.#left-- <= 0) return undefined
    const given = [schema['example'], asList(schema['examples'])[0], schema['default'], schema['const']].find(
      (each) => each !== undefined,
    )
    if (given !== undefined) return bounded(given)?.value
    this.isMade = true
    const [choice] = asList(schema['enum'])
    if (choice !== undefined) return bounded(choice)?.value
    const all = asList(schema['allOf'])
    if (all.length > 0) return this.#merged(schema, all, depth)
    const [one] = [...asList(schema['oneOf']), ...asList(schema['anyOf'])]
    if (one !== undefined && !isObject(schema['properties'])) return this.sample(one, depth + 1)
    switch (typeOf(schema)) {
      case 'object':
        return this.#object(schema, depth)
      case 'array': {
        const item = this.sample(schema['items'], depth + 1)
        const count = Math.min(Math.max(numberOf(schema['minItems']) ?? 1, 1), 10)
        return item === undefined ? [] : Array.from({ length: count }, () => item)
      }
      case 'integer':
        return number(schema, 1)
      case 'number':
        return number(schema, 1.5)
      case 'boolean':
        return true
      case 'null':
        return null
      default:
        return text(schema)
    }
  }

  #object(schema: JsonObject, depth: number): JsonObject {
    const made: [string, unknown][] = []
    for (const [name, property] of Object.entries(
      isObject(schema['properties']) ? schema['properties'] : {},
    )) {
      if (this.#references.resolve(property)?.['readOnly'] === true) continue
      const value = this.sample(property, depth + 1)
      if (value !== undefined) made.push([name, value])
    }
    return Object.fromEntries(made)
  }

  #merged(schema: JsonObject, all: readonly unknown[], depth: number): unknown {
    const samples = all.map((each) => this.sample(each, depth + 1))
    const objects = samples.filter(isObject)
    if (objects.length === 0) return samples.find((each) => each !== undefined)
    const entries = [...objects, this.#object(schema, depth)].flatMap((each) => Object.entries(each))
    return Object.fromEntries(entries)
  }
}

/** In version 3.1 types may be a list, mostly of one and `null`. */
function typeOf(schema: JsonObject): string | undefined {
  const { type } = schema
  const [first] = Array.isArray(type) ? type.filter((each) => each !== 'null') : [type]
  if (typeof first === 'string') return first
  if (Array.isArray(type) && type.length > 0) return 'null'
  if (isObject(schema['properties']) || isObject(schema['additionalProperties'])) return 'object'
  return schema['items'] === undefined ? undefined : 'array'
}

function number(schema: JsonObject, usual: number): number {
  const step = schema['type'] === 'integer' ? 1 : 0.5
  const { exclusiveMinimum, exclusiveMaximum } = schema
  // In version 3.0 the exclusive ones are true or false.
  const least =
    numberOf(exclusiveMinimum) === undefined
      ? addTo(numberOf(schema['minimum']), exclusiveMinimum === true ? step : 0)
      : addTo(numberOf(exclusiveMinimum), step)
  const most =
    numberOf(exclusiveMaximum) === undefined
      ? addTo(numberOf(schema['maximum']), exclusiveMaximum === true ? -step : 0)
      : addTo(numberOf(exclusiveMaximum), -step)
  const multiple = numberOf(schema['multipleOf'])
  let value = Math.max(usual, least ?? usual)
  if (most !== undefined) value = Math.min(value, most)
  return multiple !== undefined && multiple > 0 ? Math.ceil(value / multiple) * multiple : value
}

function addTo(value: number | undefined, more: number): number | undefined {
  return value === undefined ? undefined : value + more
}

const formats: ReadonlyMap<string, string> = new Map([
  ['date-time', '2026-01-31T12:00:00Z'],
  ['date', '2026-01-31'],
  ['time', '12:00:00Z'],
  ['duration', 'PT1M'],
  ['email', 'user@example.com'],
  ['idn-email', 'user@example.com'],
  ['hostname', 'www.example.com'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['uri', 'https://www.example.com/'],
  ['url', 'https://www.example.com/'],
  ['uri-reference', '/'],
  ['uuid', '3fa85f64-5717-4562-b3fc-2c963f66afa6'],
  ['byte', 'dGV4dA=='],
])

function text(schema: JsonObject): string {
  const format = formats.get(String(schema['format']))
  if (format !== undefined) return format
  const least = Math.min(numberOf(schema['minLength']) ?? 0, 10_000)
  const most = Math.max(numberOf(schema['maxLength']) ?? 10_000, least)
  return 'text'.padEnd(least, 'x').slice(0, most)
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A copy of a value; undefined when it is too large, as one whose parts are aliases of each other may be. */
function bounded(value: unknown): { value: unknown } | undefined {
  let left = 20 * valuesMax
  let characters = textCharactersMax
  const copy = (each: unknown): unknown => {
    if (--left < 0) throw new RangeError('Too large.')
    if (typeof each === 'string' && (characters -= each.length) < 0) throw new RangeError('Too large.')
    if (Array.isArray(each)) return each.map(copy)
    return isObject(each)
      ? Object.fromEntries(Object.entries(each).map(([name, inner]) => [name, copy(inner)]))
      : each
  }
  try {
    return { value: copy(value) }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
