import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { correlationRule, injectionRule } from '../model/correlation-rule.ts'
import { httpServer } from '../model/http-server.ts'
import { variable } from '../model/variable.ts'
import { virtualUser } from '../model/virtual-user.ts'
import { arbitraryOfSchema } from '../testing/arbitrary-of-schema.ts'
import { arbitraryVirtualUser } from '../testing/arbitrary-virtual-user.ts'
import { designSchemas } from './design-schemas.ts'

const read: Record<string, z.ZodType> = {
  vu: virtualUser,
  variables: variable,
  'http-servers': httpServer,
  'correlation-rules': correlationRule,
  'injection-rules': injectionRule,
}
const schemas = designSchemas()

/** Strict: it refuses a schema with a word or a format that it does not know. */
function validator(name: string): (document: unknown) => boolean {
  const found = schemas.find((each) => each.name === name)
  if (found === undefined) throw new TypeError(`There is no schema ${name}.`)
  const validate = new Ajv2020({ strict: true, allErrors: false }).compile(found.schema)
  return (document) => validate(document)
}

/** Those that say all that is checked, but for what looks at a whole document. */
const exact = schemas.filter(({ name }) => name in read)

test('there is one for each kind of document', () => {
  expect(schemas.map(({ name }) => name)).toEqual([
    ...Object.keys(read),
    'scenario',
    'bench-report',
    'bench-report-template',
    'sla-profile',
    'monitor',
  ])
})

test('every kind of action is a branch with a name, told apart by its type', () => {
  const { schema } = schemas[0] ?? {}
  const leaves = ['http_request', 'websocket', 'delay', 'pacing', 'set_variable', 'script', 'page']
  const types = leaves.concat('container', 'if', 'while', 'loop', 'for_each', 'once', 'random')
  expect(schema?.$defs?.['action']).toMatchObject({
    required: ['type'],
    properties: { type: { enum: types } },
    oneOf: types.map((type) => ({ $ref: `#/$defs/${type}` })),
  })
  expect(schema?.properties?.['actions']).toMatchObject({ items: { $ref: '#/$defs/action' } })
})

test('takes every virtual user', () => {
  const takes = validator('vu')
  fc.assert(
    fc.property(arbitraryVirtualUser, (document) => {
      expect(takes(document)).toBe(true)
    }),
  )
})

test('takes an address however its scheme is written', () => {
  const server = { name: 'shop', base_url: 'HTTPS://shop.example.com' }
  expect(httpServer.safeParse(server).success).toBe(true)
  expect(validator('http-servers')(server)).toBe(true)
})

describe.each(exact)('the schema $name', ({ name, schema }) => {
  const takes = validator(name)
  const parses = (document: unknown) => read[name]?.safeParse(document).success
  const documents = arbitraryOfSchema(schema)

  test('what it describes can be read', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect([takes(document), parses(document)]).toEqual([true, true])
      }),
      { numRuns: 500 },
    )
  })

  test('takes and refuses what is read and refused, after any one change', () => {
    const refused = { count: 0 }
    fc.assert(
      fc.property(documents, fc.nat(), arbitraryChange, (document, at, change) => {
        const changed = changeAt(document, at, change)
        const isTaken = takes(changed)
        if (!isTaken) refused.count++
        expect([JSON.stringify(changed), isTaken]).toEqual([JSON.stringify(changed), parses(changed)])
      }),
      { numRuns: 1000 },
    )
    expect(refused.count).toBeGreaterThan(300)
  })
})

type Change = { what: 'remove' } | { what: 'add'; name: string } | { what: 'replace'; value: unknown }

const arbitraryChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ what: fc.constant('remove' as const) }),
  fc.record({ what: fc.constant('add' as const), name: fc.constantFrom('actions', 'type', 'extra') }),
  fc.record({
    what: fc.constant('replace' as const),
    value: fc.constantFrom(
      null,
      true,
      0,
      -1,
      1.5,
      1e300,
      '',
      'GET',
      'x'.repeat(5000),
      [],
      [1],
      {},
      { type: 'if' },
    ),
  }),
)

/** The document with one place changed; `at` counts all its places. */
function changeAt(document: unknown, at: number, change: Change): unknown {
  const copy: Holder = structuredClone({ document })
  const places = placesIn(copy)
  const [holder, key] = places[at % places.length] ?? [copy, 'document']
  const old = holder[key]
  if (change.what === 'replace') holder[key] = change.value
  else if (change.what === 'remove') delete holder[key]
  else if (isHolder(old)) old[change.name] = 'added'
  return copy['document']
}

type Holder = Record<string, unknown>

function placesIn(holder: Holder): [Holder, string][] {
  return Object.entries(holder).flatMap(([key, value]): [Holder, string][] => [
    [holder, key],
    ...(isHolder(value) ? placesIn(value) : []),
  ])
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null
}
