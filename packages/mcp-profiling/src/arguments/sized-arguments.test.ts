import { describe, expect, test } from 'vitest'
import { sizedArguments } from './sized-arguments.ts'

const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const names = (schema: unknown) => sizedArguments(schema, 1).map(({ name }) => name)

describe('sizedArguments()', () => {
  test('grows lists, and texts after them, with all else as it is', () => {
    const schema = object(
      {
        text: { type: 'string' },
        limit: { type: 'integer', minimum: 3, maximum: 3 },
        values: { $ref: '#/$defs/values' },
      },
      ['limit'],
    )
    const [values, text, ...others] = sizedArguments(
      { ...schema, $defs: { values: { type: 'array', items: { type: 'integer', minimum: 0 } } } },
      1,
    )
    expect(others).toEqual([])
    const made = values?.ofSize(5000) ?? {}
    expect(made).toEqual({ limit: 3, values: expect.anything() })
    expect(new Set(listOf(made['values'])).size).toBe(5000)
    expect(text?.ofSize(20_000)).toEqual({ limit: 3, text: expect.stringMatching(/^[ a-z0-9]{20000}$/) })
  })

  test('makes items that differ where the schema lets them', () => {
    const items = object({ kind: { const: 'row' }, id: { type: 'string' } })
    const [rows] = sizedArguments(object({ rows: { type: 'array', items } }), 1)
    const made = listOf(rows?.ofSize(300)?.['rows']).map((row): Record<string, unknown> => Object(row))
    expect(new Set(made.map(({ id }) => id)).size).toBe(300)
    expect(new Set(made.map(({ kind }) => kind))).toEqual(new Set(['row']))
    const digits = { type: 'array', items: { type: 'integer', minimum: 0, maximum: 9 } }
    expect(sizedArguments(object({ digits }), 1)[0]?.ofSize(100)?.['digits']).toHaveLength(100)
  })

  test('leaves alone what has a form, or a limit', () => {
    expect(
      names(
        object({
          day: { type: 'string', format: 'date' },
          colour: { enum: ['red', 'green'] },
          code: { type: 'string', pattern: '^[A-Z]{3}$' },
          title: { type: 'string', maxLength: 80 },
          few: { type: 'array', items: { type: 'string' }, maxItems: 10 },
          count: { type: 'integer' },
        }),
      ),
    ).toEqual([])
    const [note] = sizedArguments(object({ note: { type: 'string', maxLength: 2000 } }), 1)
    expect(note?.ofSize(2000)?.['note']).toHaveLength(2000)
    expect(note?.ofSize(2001)).toBeUndefined()
    expect(names(true)).toEqual([])
    expect(names({ type: 'object' })).toEqual([])
  })
})
