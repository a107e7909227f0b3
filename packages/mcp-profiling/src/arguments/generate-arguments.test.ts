import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generateArguments } from './generate-arguments.ts'

type Schema = Record<string, unknown>

const validators = {
  2020: new Ajv2020({ strict: false, allowUnionTypes: true, ownProperties: true }),
  7: new Ajv({ strict: false, allowUnionTypes: true, ownProperties: true }),
}
for (const validator of Object.values(validators)) formats.default(validator)

/** What a real validator holds against the arguments that are made; undefined when nothing. */
function faultOf(schema: Schema, seed: number, draft: keyof typeof validators = 2020): unknown {
  const made = generateArguments(schema, seed)
  if (made.outcome === 'impossible') return made.reason
  const validate = validators[draft].compile(schema)
  return validate(made.arguments) ? undefined : { made: made.arguments, errors: validate.errors }
}

function withProperty(schema: unknown): Schema {
  return { type: 'object', properties: { value: schema }, required: ['value'] }
}

describe('generateArguments()', () => {
  const kinds: Record<string, Schema> = {
    'an enumeration': { enum: ['asc', 'desc'] },
    'a constant': { const: { deep: [1, null] } },
    'several types': { type: ['null', 'integer'] },
    'bounds of integers': { type: 'integer', minimum: 7, exclusiveMaximum: 9 },
    'bounds of numbers': { type: 'number', exclusiveMinimum: 0, maximum: 0.001 },
    'a draft 4 step': { type: 'number', multipleOf: 0.05, minimum: 0.12 },
    'a step of integers': { type: 'integer', multipleOf: 7, minimum: 100, maximum: 106 },
    'negative numbers': { type: 'integer', maximum: -5 },
    'a length': { type: 'string', minLength: 40, maxLength: 42 },
    'a pattern': { type: 'string', pattern: '^prj_[0-9a-z]{20}$' },
    'a pattern of alternatives': { type: 'string', pattern: '^(?:v\\d+\\.\\d+(\\.\\d+)?|latest)$' },
    'a pattern without ends': { type: 'string', pattern: '[A-F]', minLength: 8 },
    'a pattern with a class that excludes': { type: 'string', pattern: '^[^/\\s]+/[^/\\s]+$' },
    'a tuple': {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      minItems: 2,
      items: false,
    },
    'different items': {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 4 },
      minItems: 4,
      uniqueItems: true,
    },
    'an item that is contained': { type: 'array', contains: { const: 'x' }, minItems: 2 },
    alternatives: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'integer' }] },
    'exactly one of': {
      oneOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] },
      ],
    },
    'all of': { allOf: [{ type: 'integer', minimum: 3 }, { maximum: 4 }, { not: { const: 3 } }] },
    'a condition': {
      type: 'object',
      properties: { kind: { enum: ['circle', 'square'] } },
      required: ['kind'],
      if: { properties: { kind: { const: 'circle' } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { required: ['radius'], properties: { radius: { type: 'number', minimum: 1 } } },
      else: { required: ['side'] },
    },
    'names by a pattern': {
      type: 'object',
      patternProperties: { '^x-[a-z]+$': { type: 'boolean' } },
      additionalProperties: false,
      minProperties: 2,
    },
    'names by a schema': { type: 'object', propertyNames: { pattern: '^[a-z]{3}$' }, minProperties: 1 },
    'what depends': {
      type: 'object',
      properties: { card: { type: 'string' } },
      required: ['card'],
      dependentRequired: { card: ['address'] },
    },
    'a default that is none': { type: 'integer', default: 'many' },
  }
  test.each(Object.entries(kinds))('makes %s', (_, schema) => {
    for (let seed = 1; seed <= 20; seed += 1) expect(faultOf(withProperty(schema), seed)).toBeUndefined()
  })

  test.each([
    'date-time',
    'date',
    'time',
    'duration',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'uri',
    'uri-reference',
    'uuid',
    'json-pointer',
    'regex',
  ])('makes texts of the format %s', (format) => {
    for (let seed = 1; seed <= 20; seed += 1)
      expect(faultOf(withProperty({ type: 'string', format }), seed)).toBeUndefined()
  })

  test('follows references, of both drafts, and ends where they go round', () => {
    const tree = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      required: ['root'],
      $defs: {
        node: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
          required: ['name', 'children'],
        },
      },
    }
    expect(faultOf(tree, 1)).toBeUndefined()
    const draft7 = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { id: { type: 'integer', minimum: 5 } },
      type: 'object',
      properties: {
        id: { $ref: '#/definitions/id' },
        pair: {
          type: 'array',
          items: [{ type: 'string' }, { type: 'null' }],
          additionalItems: false,
          minItems: 2,
        },
      },
      required: ['id', 'pair'],
      dependencies: { id: ['other'] },
    }
    expect(faultOf(draft7, 1, 7)).toBeUndefined()
  })

  test('takes what the author gives: examples and defaults', () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string', examples: ['Paris'] },
        limit: { type: 'integer', default: 50 },
        note: { type: 'string' },
      },
      required: ['city', 'limit'],
    }
    expect(generateArguments(schema, 1)).toEqual({
      outcome: 'generated',
      arguments: { city: 'Paris', limit: 50 },
    })
  })

  test('makes what matches a pattern that is one only without Unicode, as many are written', () => {
    const pattern = String.raw`^\d{4}\-\d{2}\@[\w-.]$`
    const schema = { ...withProperty({ type: 'string', pattern }), patternProperties: { '^v\\-': false } }
    expect(generateArguments(schema, 1)).toEqual({
      outcome: 'generated',
      arguments: { value: expect.stringMatching(/^\d{4}-\d{2}@[\w\-.]$/) },
    })
  })

  test('makes a property whose name is one of the prototype', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"const":1}},"required":["__proto__"]}')
    const made = generateArguments(schema, 1)
    expect(JSON.stringify(made)).toBe('{"outcome":"generated","arguments":{"__proto__":1}}')
  })

  test('makes the same of the same seed, and something else of another', () => {
    const schema = withProperty({ type: 'string', format: 'uuid' })
    expect(generateArguments(schema, 3)).toEqual(generateArguments(schema, 3))
    expect(generateArguments(schema, 3)).not.toEqual(generateArguments(schema, 4))
  })

  test.each([
    [{ type: 'string' }, 'it has to be of several types at once'],
    [withProperty(false), 'value: nothing is allowed there'],
    [withProperty({ type: 'integer', minimum: 3, maximum: 2 }), 'value: its bounds exclude each other'],
    [
      withProperty({ type: 'string', pattern: '^(?=a)b' }),
      'value: its pattern ^(?=a)b is not simple enough to make a text for',
    ],
    [
      withProperty({ $ref: 'https://example.com/other.json' }),
      'it refers to https://example.com/other.json, which is not in the schema',
    ],
    [withProperty({ $ref: '#/$defs/gone' }), 'it refers to #/$defs/gone, which is not there'],
    [withProperty({ enum: [1, 2], type: 'string' }), 'value: none of the values that it lists fits'],
    [
      {
        $defs: { a: { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, required: ['a'] } },
        $ref: '#/$defs/a',
      },
      'without an end',
    ],
  ])('says why nothing can be made for %j', (schema, reason) => {
    expect(generateArguments(schema, 1)).toEqual({
      outcome: 'impossible',
      reason: expect.stringContaining(reason),
    })
  })

  test('makes of any schema what a validator accepts, or says why not', () => {
    fc.assert(
      fc.property(anySchema, fc.integer({ min: 1, max: 1000 }), (schema, seed) => {
        const root = {
          type: 'object',
          properties: { value: schema },
          required: ['value'],
          additionalProperties: false,
        }
        const made = generateArguments(root, seed)
        const isRight =
          made.outcome === 'impossible'
            ? made.reason.length > 0
            : validators[2020].compile(root)(made.arguments)
        expect(isRight).toBe(true)
      }),
      { numRuns: 400 },
    )
  })

  test('gives up on a schema that has no end of ways', () => {
    const branch = { anyOf: Array.from({ length: 10 }, (_, at) => ({ title: `${at}` })) }
    const hostile = { allOf: [...Array.from({ length: 30 }, () => branch), { anyOf: [false] }] }
    expect(generateArguments(hostile, 1)).toEqual({
      outcome: 'impossible',
      reason: 'the schema is too intricate',
    })
  })

  test('makes something of nearly all schemas that allow something', () => {
    const schemas = fc.sample(anySchema, { numRuns: 500, seed: 7 })
    const failed = schemas.filter(
      (schema) => generateArguments(withProperty(schema), 1).outcome === 'impossible',
    )
    // Some of these contradict themselves.
    expect(failed.length).toBeLessThan(75)
  })
})

const { schema: anySchema } = fc.letrec<{ schema: Schema; leaf: Schema }>((tie) => ({
  leaf: fc.oneof(
    fc.record({ type: fc.constant('boolean') }),
    fc.record({
      enum: fc.uniqueArray(fc.jsonValue({ maxDepth: 1 }), {
        minLength: 1,
        maxLength: 4,
        selector: (value) => JSON.stringify(value),
      }),
    }),
    fc.record({ const: fc.jsonValue({ maxDepth: 1 }) }),
    fc
      .record({ low: fc.integer({ min: -50, max: 50 }), size: fc.integer({ min: 0, max: 20 }) })
      .map(({ low, size }) => ({ type: 'integer', minimum: low, maximum: low + size })),
    fc.record({
      type: fc.constantFrom('number', 'integer'),
      multipleOf: fc.constantFrom(1, 2, 5, 0.5, 0.25),
    }),
    fc
      .record({ low: fc.integer({ min: 0, max: 12 }), size: fc.integer({ min: 0, max: 12 }) })
      .map(({ low, size }) => ({ type: 'string', minLength: low, maxLength: low + size })),
    fc.record({
      type: fc.constant('string'),
      format: fc.constantFrom('date', 'uuid', 'email', 'uri', 'ipv4'),
    }),
    fc.record({
      type: fc.constant('string'),
      pattern: fc.constantFrom('^[a-z]+$', '^\\d{3}-\\d{4}$', 'a|b', '^(ab|cd)*e?$', '^[A-Z][\\w.-]{2,5}$'),
    }),
  ),
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie('leaf'),
    fc
      .record({ items: tie('schema'), min: fc.integer({ min: 0, max: 3 }), isUnique: fc.boolean() })
      .map(({ items, min, isUnique }) => ({
        type: 'array',
        items,
        minItems: min,
        maxItems: min + 2,
        uniqueItems: isUnique,
      })),
    fc
      .record({
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'constructor'), tie('schema')),
        isClosed: fc.boolean(),
        share: fc.integer({ min: 0, max: 5 }),
      })
      .map(({ properties, isClosed, share }) => ({
        type: 'object',
        properties,
        required: Object.keys(properties).slice(0, share),
        additionalProperties: !isClosed,
      })),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.tuple(tie('schema')) }),
    fc.tuple(tie('schema'), tie('leaf')).map(([schema, not]) => ({ ...schema, not })),
  ),
}))
