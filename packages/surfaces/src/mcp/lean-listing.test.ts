import { catalogue, fieldsOf, inputSchemaOf, type JsonSchema } from '@flamegate/contract'
import { describe, expect, test } from 'vitest'
import { leanInputSchema, leanTitle } from './lean-listing.ts'

const properties = (fields: Record<string, JsonSchema>) =>
  leanInputSchema({ type: 'object', properties: fields })

test('sizes of texts and lists, empty defaults and bounds that go without saying are left out', () => {
  const lean = properties({
    name: { type: 'string', minLength: 1, maxLength: 60, description: 'Its name.' },
    tags: { default: [], maxItems: 20, type: 'array', items: { type: 'string', maxLength: 60 } },
    limit: { default: 20, type: 'integer', minimum: 1, maximum: 100 },
    whole: { default: false, type: 'boolean' },
    share: { default: 5, type: 'number', minimum: 0.5 },
  })
  expect(lean).toEqual({
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Its name.' },
      tags: { type: 'array', items: { type: 'string' } },
      limit: { default: 20, type: 'integer', maximum: 100 },
      whole: { type: 'boolean' },
      share: { default: 5, type: 'number', minimum: 0.5 },
    },
  })
})

test('a long list of choices is left out where there is a default, and only there', () => {
  const choices = Array.from({ length: 20 }, (_, at) => `format_${at}`)
  const lean = properties({
    adapter: { default: 'format_0', type: 'string', enum: choices },
    required: { type: 'string', enum: choices },
    sort: { default: 'a', type: 'string', enum: ['a', 'b'] },
  })
  expect(lean['properties']).toEqual({
    adapter: { default: 'format_0', type: 'string' },
    required: { type: 'string', enum: choices },
    sort: { default: 'a', type: 'string', enum: ['a', 'b'] },
  })
})

describe('a description of a field', () => {
  test.each([
    ['Id of the project; list_projects shows them (prj_…).', 'Id of the project.'],
    ['Id of a project (prj_…), run (run_…) or profile (prf_…).', 'Id of a project, run or profile.'],
    ['Change it only then. Over REST, send it as If-Match.', 'Change it only then.'],
    [
      'Facts about machine and toolchain, such as cpu; they decide what is comparable.',
      'Facts about machine and toolchain, such as cpu.',
    ],
    [
      'The role from now on; none takes the access away.',
      'The role from now on; none takes the access away.',
    ],
    ['Number, such as 0.95.', 'Number, such as 0.95.'],
  ])('%s', (description, lean) => {
    expect(properties({ field: { type: 'string', description } })).toMatchObject({
      properties: { field: { description: lean } },
    })
  })

  test('is not said again of each way to write the value', () => {
    const said = { type: 'string', description: 'As owner/name.' } as const
    const field: JsonSchema = { description: 'New repository.', anyOf: [said, { type: 'null' }] }
    expect(properties({ field })).toMatchObject({
      properties: {
        field: { description: 'New repository.', anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
    })
  })
})

test('a title is left out only when it is the name in words', () => {
  expect(leanTitle('list_runs', 'List runs')).toBeUndefined()
  expect(leanTitle('get_run', 'Get a run')).toBeUndefined()
  expect(leanTitle('get_current_user', 'Who am I')).toBe('Who am I')
})

function gist(schema: JsonSchema) {
  return {
    required: schema.required ?? [],
    fields: fieldsOf(schema).map(([name, field]) => [name, field.type, field.format]),
  }
}

test('nothing that a call needs is lost: fields, types, formats, what is required', () => {
  const tools = catalogue.filter(({ mcp }) => mcp)
  expect(tools.length).toBeGreaterThan(30)
  for (const operation of tools) {
    const whole = inputSchemaOf(operation)
    expect(gist(leanInputSchema(whole))).toEqual(gist(whole))
  }
})

test('the schema itself stays as it is, for describe_tool', () => {
  const whole: JsonSchema = {
    type: 'object',
    additionalProperties: false,
    properties: { a: { type: 'string', maxLength: 3 } },
  }
  const before = structuredClone(whole)
  leanInputSchema(whole)
  expect(whole).toEqual(before)
})
