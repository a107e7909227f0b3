import { acceptsValue, itemSchema, propertySchemas } from './accepts-value.ts'
import { matchingText } from './matching-text.ts'
import {
  ImpossibleError,
  isRecord,
  isSameJson,
  isSchema,
  patternOf,
  resolveReference,
  schemaList,
  schemaMap,
} from './schema-node.ts'
import type { SchemaNode } from './schema-node.ts'
import { textOfFormat } from './text-of-format.ts'

/** From here on only what must be there is made, so that what refers to itself ends. */
const DEPTH_PLAIN = 6
const DEPTH_MAX = 24
/** Ways through `anyOf` and `oneOf` that are tried, and values for each. */
const WAYS_MAX = 24
const TRIES = 4
/** All values and ways that are tried for one schema, together: who wrote it may mean no good. */
const WORK_MAX = 4000
const ITEMS_MAX = 1000
const TEXT_MAX = 100_000

type Keywords = Exclude<SchemaNode, boolean>

const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel']
const typeNames = ['object', 'string', 'integer', 'number', 'boolean', 'array', 'null'] as const
type TypeName = (typeof typeNames)[number]

/** Makes values that a schema accepts; the same ones with the same numbers of chance. */
export class ValueMaker {
  readonly #root: SchemaNode
  readonly #random: () => number
  #work = 0

  constructor(root: SchemaNode, random: () => number) {
    this.#root = root
    this.#random = random
  }

  /**
   * A value that all of these schemas accept.
   * @param path where it stands, for people
   * @throws ImpossibleError
   */
  make(schemas: readonly SchemaNode[], path: string, depth = 0): unknown {
    if (depth > DEPTH_MAX) throw new ImpossibleError(`${path}: it refers to itself without an end`)
    let reason: ImpossibleError | undefined
    for (const way of this.#ways(schemas, path)) {
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        this.#count(path)
        try {
          const value = this.#makeOne(way, path, { depth, attempt })
          if (schemas.every((schema) => acceptsValue(this.#root, schema, value))) return value
          reason ??= new ImpossibleError(
            `${path}: no value was found that fits everything that is asked of it`,
          )
        } catch (error) {
          if (!(error instanceof ImpossibleError)) throw error
          reason = error
          break
        }
      }
    }
    throw reason ?? new ImpossibleError(`${path}: nothing is allowed there`)
  }

  /** The keywords that hold at once, for each way through the alternatives, in an order of chance. */
  *#ways(schemas: readonly SchemaNode[], path: string): Generator<Keywords[]> {
    let left = WAYS_MAX
    const flatten = function* (
      maker: ValueMaker,
      todo: readonly SchemaNode[],
      done: readonly Keywords[],
    ): Generator<Keywords[]> {
      const [schema, ...rest] = todo
      maker.#count(path)
      if (schema === undefined) {
        left -= 1
        yield [...done]
        return
      }
      if (schema === false) throw new ImpossibleError(`${path}: nothing is allowed there`)
      if (schema === true) {
        yield* flatten(maker, rest, done)
        return
      }
      const more = [...schemaList(schema['allOf'])]
      const reference = schema['$ref']
      if (typeof reference === 'string') {
        const target = resolveReference(maker.#root, reference)
        // What is only a reference to itself says nothing.
        if (!done.some((each) => each === target)) more.push(target)
      }
      const branches = ['anyOf', 'oneOf'].flatMap((key) =>
        Array.isArray(schema[key]) ? [maker.#shuffled(schemaList(schema[key]))] : [],
      )
      if (isSchema(schema['if'])) {
        const [then, otherwise] = [schema['then'], schema['else']]
        branches.push(
          maker.#shuffled([
            isSchema(then) ? { allOf: [schema['if'], then] } : schema['if'],
            isSchema(otherwise) ? otherwise : true,
          ]),
        )
      }
      for (const chosen of combinations(branches)) {
        if (left <= 0) return
        try {
          yield* flatten(maker, [...more, ...chosen, ...rest], [...done, schema])
        } catch (error) {
          // Another branch may do.
          if (!(error instanceof ImpossibleError) || branches.length === 0 || maker.#work > WORK_MAX)
            throw error
        }
      }
    }
    yield* flatten(this, schemas, [])
  }

  #makeOne(
    way: readonly Keywords[],
    path: string,
    { depth, attempt }: { depth: number; attempt: number },
  ): unknown {
    const fixed = way.find((schema) => Object.hasOwn(schema, 'const'))
    if (fixed) return fixed['const']
    const listed = way.map((schema) => schema['enum']).find((values) => Array.isArray(values))
    if (listed) return this.#listed(way, listed, path)
    if (attempt === 0) {
      const given = way.flatMap((schema) => givenValues(schema))
      const fitting = given.filter((value) => way.every((schema) => acceptsValue(this.#root, schema, value)))
      if (fitting.length > 0) return this.#pick(fitting)
    }
    const type = this.#typeOf(way, path)
    switch (type) {
      case 'null':
        return null
      case 'boolean':
        return this.#random() < 0.5
      case 'integer':
      case 'number':
        return this.#number(way, type, path)
      case 'string':
        return this.#text(way, path)
      case 'array':
        return this.#array(way, path, depth)
      default:
        return this.#object(way, path, { depth, hasOptional: attempt > 0 && depth <= DEPTH_PLAIN })
    }
  }

  #listed(way: readonly Keywords[], values: readonly unknown[], path: string): unknown {
    const fitting = values.filter((value) => way.every((schema) => acceptsValue(this.#root, schema, value)))
    const useful = fitting.filter((value) => value !== null)
    if (fitting.length === 0) throw new ImpossibleError(`${path}: none of the values that it lists fits`)
    return this.#pick(useful.length > 0 ? useful : fitting)
  }

  #typeOf(way: readonly Keywords[], path: string): TypeName {
    let allowed: TypeName[] = [...typeNames]
    let isStated = false
    for (const { type } of way) {
      const names = typeof type === 'string' ? [type] : Array.isArray(type) ? type : undefined
      if (names === undefined) continue
      isStated = true
      allowed = allowed.filter(
        (name) => names.includes(name) || (name === 'integer' && names.includes('number')),
      )
    }
    const implied = impliedType(way)
    if (!isStated) return implied ?? 'string'
    if (implied && allowed.includes(implied)) return implied
    const useful = allowed.filter((name) => name !== 'null')
    const [first] = useful.includes('number') ? useful.filter((name) => name !== 'integer') : useful
    const type = first ?? allowed[0]
    if (type === undefined) throw new ImpossibleError(`${path}: it has to be of several types at once`)
    return type
  }

  #number(way: readonly Keywords[], type: 'integer' | 'number', path: string): number {
    const numbers = (key: string) =>
      way.flatMap((schema) => (typeof schema[key] === 'number' ? [schema[key]] : []))
    const steps = numbers('multipleOf')
    if (type === 'integer') steps.push(1)
    const step = steps.length === 0 ? undefined : commonMultiple(steps)
    const small = step ?? 1e-6
    const lowest = Math.max(
      ...numbers('minimum'),
      ...numbers('exclusiveMinimum').map((bound) => above(bound, step, small)),
    )
    const highest = Math.min(
      ...numbers('maximum'),
      ...numbers('exclusiveMaximum').map((bound) => -above(-bound, step, small)),
    )
    const low = Number.isFinite(lowest)
      ? lowest
      : Number.isFinite(highest)
        ? highest - 10 * (step ?? 1)
        : step === undefined
          ? 1
          : step
    const high = Math.min(highest, low + 10 * Math.max(1, step ?? 1))
    if (high < low) throw new ImpossibleError(`${path}: its bounds exclude each other`)
    if (step === undefined) {
      const value = low + this.#random() * (high - low)
      // Two digits are enough for people, where the bounds allow it.
      const rounded = Math.round(100 * value) / 100
      return rounded >= low && rounded <= high ? rounded : value
    }
    const first = Math.ceil(low / step - 1e-9)
    const last = Math.floor(high / step + 1e-9)
    if (last < first) throw new ImpossibleError(`${path}: no multiple of ${step} lies between its bounds`)
    return clean((first + Math.floor(this.#random() * (last - first + 1))) * step)
  }

  #text(way: readonly Keywords[], path: string): string {
    const numbers = (key: string) =>
      way.flatMap((schema) => (typeof schema[key] === 'number' ? [schema[key]] : []))
    const min = Math.max(0, ...numbers('minLength'))
    const max = Math.min(Infinity, ...numbers('maxLength'))
    if (min > TEXT_MAX) throw new ImpossibleError(`${path}: it has to be longer than ${TEXT_MAX} characters`)
    const patterns = way.flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []))
    const format = way.map((schema) => schema['format']).find((each) => typeof each === 'string')
    const fits = (text: string) =>
      text.length >= min && text.length <= max && patterns.every((pattern) => patternOf(pattern).test(text))
    const ofFormat = typeof format === 'string' ? textOfFormat(format, this.#random) : undefined
    if (ofFormat !== undefined) {
      if (fits(ofFormat)) return ofFormat
      throw new ImpossibleError(
        `${path}: its format ${format} and what else is asked of it do not go together`,
      )
    }
    if (patterns.length === 0) return this.#words(min, max)
    const makers = patterns.map((pattern) => at(path, () => matchingText(pattern)))
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const text = this.#pick(makers)(this.#random, attempt < 100 ? 4 : min + 4)
      // Where a pattern is not tied to its ends, anything may follow.
      const longer = text.length < min && fits(text.padEnd(min, 'a')) ? text.padEnd(min, 'a') : text
      if (fits(longer)) return longer
    }
    throw new ImpossibleError(
      `${path}: no text was found that matches ${patterns.join(' and ')} and has the right length`,
    )
  }

  #words(min: number, max: number): string {
    let text = this.#pick(words)
    while (text.length < min) text += ` ${this.#pick(words)}`
    const cut = text.slice(0, Math.max(min, Math.min(text.length, max)))
    return cut.length === 0 ? '' : cut.replace(/ $/, 'x')
  }

  #array(way: readonly Keywords[], path: string, depth: number): unknown[] {
    const numbers = (key: string) =>
      way.flatMap((schema) => (typeof schema[key] === 'number' ? [schema[key]] : []))
    const contained = way.flatMap((schema) => (isSchema(schema['contains']) ? [schema['contains']] : []))
    const wanted = contained.length === 0 ? 0 : Math.max(1, ...numbers('minContains'))
    const min = Math.max(0, wanted, ...numbers('minItems'))
    const max = Math.min(ITEMS_MAX, ...numbers('maxItems'))
    if (min > max) throw new ImpossibleError(`${path}: it has to have ${min} items`)
    const count = depth > DEPTH_PLAIN ? min : Math.max(min, Math.min(max, 1))
    const isUnique = way.some(({ uniqueItems }) => uniqueItems === true)
    const items: unknown[] = []
    for (let place = 0; place < count; place += 1) {
      const schemas = way.map((schema) => itemSchema(schema, place)).filter((schema) => schema !== undefined)
      const all = place < wanted ? [...schemas, ...contained] : schemas
      const item = this.#item(all, `${path}[${place}]`, { depth, others: isUnique ? items : [] })
      // More than must be there is left out, where it cannot be.
      if (item === undefined && items.length >= min) break
      if (item === undefined) throw new ImpossibleError(`${path}: no ${min} different items were found`)
      items.push(item)
    }
    return items
  }

  /** Undefined where there is none that differs from the others. */
  #item(
    schemas: readonly SchemaNode[],
    path: string,
    { depth, others }: { depth: number; others: readonly unknown[] },
  ): unknown {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const item = this.make(schemas, path, depth + 1)
      if (!others.some((other) => isSameJson(other, item))) return item
    }
    return undefined
  }

  #object(
    way: readonly Keywords[],
    path: string,
    { depth, hasOptional }: { depth: number; hasOptional: boolean },
  ): Record<string, unknown> {
    const numbers = (key: string) =>
      way.flatMap((schema) => (typeof schema[key] === 'number' ? [schema[key]] : []))
    const required = new Set(way.flatMap((schema) => texts(schema['required'])))
    const declared = [
      ...new Set(way.flatMap((schema) => schemaMap(schema['properties']).map(([name]) => name))),
    ]
    const min = Math.max(0, ...numbers('minProperties'))
    const names = new Set(required)
    for (const name of declared) if (hasOptional ? this.#random() < 0.7 : names.size < min) names.add(name)
    for (const name of names) for (const other of this.#alsoNeeded(way, name)) names.add(other)
    const nameSchemas = way.flatMap(({ propertyNames }) => (isSchema(propertyNames) ? [propertyNames] : []))
    const patterns = way.flatMap((schema) =>
      schemaMap(schema['patternProperties']).map(([pattern]) => pattern),
    )
    for (let attempt = 0; names.size < min && attempt < 100; attempt += 1)
      names.add(this.#propertyName(nameSchemas, patterns, path))
    const made: Record<string, unknown> = {}
    for (const name of names) {
      const schemas = way.flatMap((schema) => propertySchemas(schema, name))
      try {
        const value = this.make(schemas, path === '' ? name : `${path}.${name}`, depth + 1)
        Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true })
      } catch (error) {
        // What need not be there is left out, where it cannot be.
        if (!(error instanceof ImpossibleError) || required.has(name) || names.size <= min) throw error
      }
    }
    return made
  }

  #alsoNeeded(way: readonly Keywords[], name: string): string[] {
    return way.flatMap(({ dependentRequired, dependencies }) =>
      [dependentRequired, dependencies].flatMap((map) =>
        isRecord(map) && Object.hasOwn(map, name) ? texts(map[name]) : [],
      ),
    )
  }

  #propertyName(nameSchemas: readonly SchemaNode[], patterns: readonly string[], path: string): string {
    if (nameSchemas.length > 0) {
      const name = this.make([...nameSchemas, { type: 'string' }], `${path} (a name)`, DEPTH_PLAIN)
      if (typeof name === 'string') return name
    }
    const pattern = patterns.length === 0 ? undefined : this.#pick(patterns)
    return pattern === undefined
      ? `${this.#pick(words)}${Math.floor(this.#random() * 1000)}`
      : at(path, () => matchingText(pattern))(this.#random, 4)
  }

  #count(path: string): void {
    this.#work += 1
    if (this.#work > WORK_MAX) throw new ImpossibleError(`${path}: the schema is too intricate`)
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random() * items.length)]
    // A value may be null, and never undefined.
    if (item === undefined) throw new RangeError('There is nothing to pick from')
    return item
  }

  #shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, order: this.#random() }))
      .toSorted((a, b) => a.order - b.order)
      .map(({ item }) => item)
  }
}

/** What the author of the schema says could be there. */
function givenValues(schema: Keywords): unknown[] {
  const { examples } = schema
  return [
    ...(Array.isArray(examples) ? examples : []),
    ...(Object.hasOwn(schema, 'example') ? [schema['example']] : []),
    ...(Object.hasOwn(schema, 'default') ? [schema['default']] : []),
  ].filter((value) => value !== null)
}

const hints: readonly [TypeName, readonly string[]][] = [
  [
    'object',
    ['properties', 'required', 'patternProperties', 'additionalProperties', 'minProperties', 'propertyNames'],
  ],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'uniqueItems']],
  ['string', ['pattern', 'minLength', 'maxLength', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

/** What the other keywords are about. */
function impliedType(way: readonly Keywords[]): TypeName | undefined {
  return hints.find(([, keys]) => keys.some((key) => way.some((schema) => Object.hasOwn(schema, key))))?.[0]
}

/** One from each list, in all combinations. */
function* combinations<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const [first, ...rest] = lists
  if (first === undefined) {
    yield []
    return
  }
  for (const item of first) for (const others of combinations(rest)) yield [item, ...others]
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

/** The next number that is larger. */
function above(bound: number, step: number | undefined, small: number): number {
  if (step === undefined) return bound + Math.max(small, Math.abs(bound) * 1e-9)
  return (Math.floor(bound / step + 1e-9) + 1) * step
}

/** The least number that all divide, of those that have few digits. */
function commonMultiple(steps: readonly number[]): number {
  return steps.reduce((one, other) => {
    for (let times = 1; times <= 1000; times += 1) {
      const multiple = clean(times * one)
      if (Number.isInteger(clean(multiple / other))) return multiple
    }
    throw new ImpossibleError(`nothing is a multiple of both ${one} and ${other}`)
  })
}

/** Without what binary fractions add: 0.30000000000000004. */
function clean(value: number): number {
  return Number(value.toPrecision(12))
}

function at<T>(path: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof ImpossibleError) throw new ImpossibleError(`${path}: ${error.message}`)
    throw error
  }
}
